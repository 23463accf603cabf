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
 */
public record Profile(String name, String title, Source source, List<String> readings, int runs, int warmUps) {
    public Profile {
        readings = List.copyOf(readings);
    }

    /** An experiment that no clock measures. */
    public Profile(String name, String title, Source source, List<String> readings, int runs) {
        this(name, title, source, readings, runs, 0);
    }

    /** Whether a clock measures in it. */
    public boolean timed() {
        return warmUps > 0;
    }
}
