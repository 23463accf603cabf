package io.slotwise.core.work;

import io.slotwise.core.text.SafeText;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Work for one object among many, so that an error in it stays with this object. It is the last line of defence: what
 * is foreseen is a value or a refusal long before. It stands where a loop over objects calls what is done for each of
 * them, and the caller that catches an error gives back what the work had taken.
 */
public final class Isolated {
    private static final String OURS = "io.slotwise.";

    private Isolated() {}

    /**
     * What the work answers, or what {@code otherwise} makes of its error. Memory that runs out and other errors of the
     * machine are no object's fault and pass through; a stack that overflows belongs to the object that is nested so
     * deeply.
     */
    public static <T> T get(Supplier<T> work, Function<Throwable, T> otherwise) {
        try {
            return work.get();
        } catch (RuntimeException | StackOverflowError error) {
            return otherwise.apply(error);
        }
    }

    /** The same for work without an answer. */
    public static void run(Runnable work, Consumer<Throwable> otherwise) {
        try {
            work.run();
        } catch (RuntimeException | StackOverflowError error) {
            otherwise.accept(error);
        }
    }

    /** An error in one line: its kind, the line of Slotwise it comes from, and its words; the same in any thread. */
    public static String words(Throwable error) {
        Throwable first = error;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String kind = first.getClass().getSimpleName();
        String said = first.getMessage() == null ? "" : ": " + first.getMessage();
        return SafeText.value(Arrays.stream(first.getStackTrace())
                .filter(frame -> frame.getClassName().startsWith(OURS))
                .findFirst()
                .map(frame -> "%s in %s.%s:%d%s"
                        .formatted(
                                kind,
                                frame.getClassName()
                                        .substring(frame.getClassName().lastIndexOf('.') + 1),
                                frame.getMethodName(),
                                frame.getLineNumber(),
                                said))
                .orElse(kind + said));
    }
}
