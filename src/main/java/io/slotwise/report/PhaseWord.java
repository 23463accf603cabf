package io.slotwise.report;

import java.util.Locale;

/** A phase in the word that people read everywhere: a gang without a window is waiting. */
public final class PhaseWord {
    /** Gangs without a window, in the phases {@code Pending} and {@code Broken}. */
    public static final String WAITING = "waiting";

    private PhaseWord() {}

    /** The word of a phase as the API has it. */
    public static String of(String phase) {
        String word = phase.toLowerCase(Locale.ROOT);
        return word.equals("pending") || word.equals("broken") ? WAITING : word;
    }

    /** The same at the beginning of a cell. */
    static String title(String phase) {
        String word = of(phase);
        return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }
}
