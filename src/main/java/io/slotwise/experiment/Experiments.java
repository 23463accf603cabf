package io.slotwise.experiment;

import java.util.List;
import java.util.Optional;

/** All experiments, in the order of the papers. */
public final class Experiments {
    private final List<Experiment> all;

    /** The experiments of the papers. */
    public Experiments() {
        this.all = List.of(new CriteriaExperiment(), new AnticipationExperiment());
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
