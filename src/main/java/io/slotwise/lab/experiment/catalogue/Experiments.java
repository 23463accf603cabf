package io.slotwise.lab.experiment.catalogue;

import io.slotwise.lab.experiment.Experiment;
import io.slotwise.lab.experiment.anticipation.AnticipationExperiment;
import io.slotwise.lab.experiment.cyclic.CombinedExperiment;
import io.slotwise.lab.experiment.cyclic.CyclicVsBackfillExperiment;
import io.slotwise.lab.experiment.cyclic.OwnersExperiment;
import io.slotwise.lab.experiment.cyclic.SubBatchesExperiment;
import io.slotwise.lab.experiment.cyclic.UserCriteriaExperiment;
import io.slotwise.lab.experiment.grid.GridExperiment;
import io.slotwise.lab.experiment.log.PoliciesExperiment;
import io.slotwise.lab.experiment.log.PredictionsExperiment;
import io.slotwise.lab.experiment.selection.CriteriaExperiment;
import io.slotwise.lab.experiment.selection.ScaleExperiment;
import io.slotwise.lab.experiment.topsis.TopsisExperiment;
import io.slotwise.lab.workload.LogFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** All experiments: the papers' in their order, then those for predictions and the default policy. */
public final class Experiments {
    private final List<Experiment> all;

    /** Creates the experiments; {@code clock} returns nanoseconds from an arbitrary origin. */
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

    public List<Experiment> all() {
        return all;
    }

    public Optional<Experiment> named(String name) {
        return all.stream()
                .filter(experiment -> experiment.profile().name().equals(name))
                .findFirst();
    }
}
