package io.slotwise.lab.experiment;

import java.util.List;

/**
 * An experiment that was run.
 *
 * @param profile which
 * @param runs replications
 * @param seed that the seeds of the replications follow from
 * @param conclusion what came out
 */
public record ExperimentResults(ExperimentProfile profile, int runs, long seed, Conclusion conclusion) {
    /** The numbers of all figures, each once. */
    public List<ComparedNumber> rows() {
        return conclusion.figures().stream()
                .flatMap(figure -> figure.rows().stream())
                .distinct()
                .toList();
    }
}
