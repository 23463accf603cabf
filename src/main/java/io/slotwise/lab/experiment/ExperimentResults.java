package io.slotwise.lab.experiment;

import java.util.List;

/** An experiment that was run; {@code seed}: that the seeds of the replications follow from. */
public record ExperimentResults(ExperimentProfile profile, int runs, long seed, Conclusion conclusion) {
    public List<ComparedNumber> rows() {
        return conclusion.figures().stream()
                .flatMap(figure -> figure.rows().stream())
                .distinct()
                .toList();
    }
}
