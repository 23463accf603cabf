package io.slotwise.lab.experiment;

import java.util.List;

/** The results of an experiment; the seeds of the replications derive from {@code seed}. */
public record ExperimentResults(ExperimentProfile profile, int runs, long seed, Conclusion conclusion) {
    public List<ComparedNumber> rows() {
        return conclusion.figures().stream()
                .flatMap(figure -> figure.rows().stream())
                .distinct()
                .toList();
    }
}
