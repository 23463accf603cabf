package io.slotwise.lab.experiment;

import java.util.List;

/**
 * What an experiment is.
 *
 * @param name on the command line
 * @param title what it compares, in a few words
 * @param source where the paper has it
 * @param readings what was chosen where the paper's text leaves room, a sentence each
 * @param runs the paper's number of replications
 * @param warmUps replications that are run before and not counted; more than 0 where a clock measures, and then all
 *     replications run on one thread
 * @param second what is read differently in the second column, a sentence each; empty: there is no second column
 */
public record ExperimentProfile(
        String name,
        String title,
        PaperSource source,
        List<String> readings,
        int runs,
        int warmUps,
        List<String> second) {
    public ExperimentProfile {
        readings = List.copyOf(readings);
        second = List.copyOf(second);
    }

    /** An experiment with one reading. */
    public ExperimentProfile(
            String name, String title, PaperSource source, List<String> readings, int runs, int warmUps) {
        this(name, title, source, readings, runs, warmUps, List.of());
    }

    /** An experiment with one reading that no clock measures. */
    public ExperimentProfile(String name, String title, PaperSource source, List<String> readings, int runs) {
        this(name, title, source, readings, runs, 0);
    }

    /** The same with a second reading. */
    ExperimentProfile with(List<String> other) {
        return new ExperimentProfile(name, title, source, readings, runs, warmUps, other);
    }

    /** Whether a clock measures in it. */
    public boolean timed() {
        return warmUps > 0;
    }
}
