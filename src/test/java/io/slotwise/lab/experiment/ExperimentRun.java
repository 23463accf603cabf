package io.slotwise.lab.experiment;

import io.slotwise.lab.experiment.Finding.Verdict;
import io.slotwise.lab.experiment.Replications.Extent;
import io.slotwise.lab.experiment.Replications.Progress;
import io.slotwise.lab.simulation.ReplicationShard;
import java.util.Objects;

/** A small run of an experiment, with its results. */
public record ExperimentRun(ExperimentResults results) {
    private static final long SEED = 1;

    public static ExperimentRun of(Experiment experiment, int runs) {
        return of(experiment, runs, SEED);
    }

    public static ExperimentRun of(Experiment experiment, int runs, long seed) {
        Tally tally = Replications.run(experiment, new Extent(runs, seed, ReplicationShard.WHOLE), 2, Progress.NONE);
        return new ExperimentRun(Replications.conclude(experiment, runs, seed, tally));
    }

    public ComparedNumber row(String series, String x, String metric) {
        Point point = new Point(series, x, metric);
        return results.rows().stream()
                .filter(row -> row.point().equals(point))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no row of %s.".formatted(point)));
    }

    public double value(String series, String x, String metric) {
        return Objects.requireNonNull(row(series, x, metric).value());
    }

    /** The verdict of the first finding whose statement begins like this. */
    public Verdict verdict(String statement) {
        return results.conclusion().findings().stream()
                .filter(finding -> finding.statement().startsWith(statement))
                .map(Finding::verdict)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no finding '%s'.".formatted(statement)));
    }
}
