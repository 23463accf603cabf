package io.slotwise.experiment.catalogue;

import io.slotwise.experiment.Experiment;
import io.slotwise.experiment.anticipation.AnticipationExperiment;
import io.slotwise.experiment.cyclic.CombinedExperiment;
import io.slotwise.experiment.cyclic.CyclicVsBackfillExperiment;
import io.slotwise.experiment.cyclic.OwnersExperiment;
import io.slotwise.experiment.cyclic.SubBatchesExperiment;
import io.slotwise.experiment.cyclic.UserCriteriaExperiment;
import io.slotwise.experiment.grid.GridExperiment;
import io.slotwise.experiment.log.PoliciesExperiment;
import io.slotwise.experiment.log.PredictionsExperiment;
import io.slotwise.experiment.selection.CriteriaExperiment;
import io.slotwise.experiment.selection.ScaleExperiment;
import io.slotwise.experiment.topsis.TopsisExperiment;
import io.slotwise.workload.LogFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * All experiments: those of the papers in their order, then those by which runtimes are predicted and the default
 * policy is chosen.
 */
public final class Experiments {
    private final List<Experiment> all;

    /**
     * The experiments of the papers.
     *
     * @param clock nanoseconds from some moment, for those that measure time
     * @param logs for those that replay one
     */
    public Experiments(LongSupplier clock, LogFolder logs) {
        this.all = List.of(
                CriteriaExperiment.both(),
                ScaleExperiment.nodes(clock),
                ScaleExperiment.interval(clock),
                UserCriteriaExperiment.both(),
                SubBatchesExperiment.both(),
                OwnersExperiment.both(),
                new CombinedExperiment(),
                CyclicVsBackfillExperiment.both(),
                AnticipationExperiment.both(),
                TopsisExperiment.both(),
                GridExperiment.gangs(logs),
                GridExperiment.migration(logs),
                new PredictionsExperiment(logs),
                new PoliciesExperiment(logs));
    }

    /** All of them. */
    public List<Experiment> all() {
        return all;
    }

    /** The one of this name. */
    public Optional<Experiment> named(String name) {
        return all.stream()
                .filter(experiment -> experiment.profile().name().equals(name))
                .findFirst();
    }
}
