package io.slotwise.experiment;

import java.util.List;

/**
 * What an experiment is.
 *
 * @param name on the command line
 * @param title what it compares, in a few words
 * @param source where the paper has it
 * @param readings what was chosen where the paper's text leaves room, a sentence each
 * @param runs the paper's number of replications
 * @param warmUps replications that are run before and not counted; more than 0 where a clock measures, and then all replications
 *     run on one thread
 * @param second what is read differently in the second column, a sentence each; empty: there is no second column
 */
public record Profile(
        String name, String title, Source source, List<String> readings, int runs, int warmUps, List<String> second) {
    public Profile {
        readings = List.copyOf(readings);
        second = List.copyOf(second);
    }

    /** An experiment with one reading. */
    public Profile(String name, String title, Source source, List<String> readings, int runs, int warmUps) {
        this(name, title, source, readings, runs, warmUps, List.of());
    }

    /** An experiment with one reading that no clock measures. */
    public Profile(String name, String title, Source source, List<String> readings, int runs) {
        this(name, title, source, readings, runs, 0);
    }

    /** The same with a second reading. */
    Profile with(List<String> other) {
        return new Profile(name, title, source, readings, runs, warmUps, other);
    }

    /** Whether a clock measures in it. */
    public boolean timed() {
        return warmUps > 0;
    }
}
