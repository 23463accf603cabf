package io.slotwise.lab.experiment;

import java.util.Optional;

/** A paper's experiment: independent replications, and what follows from them. It keeps nothing between them. */
public interface Experiment {
    ExperimentProfile profile();

    /** What it needs and has not got, in a sentence; empty: nothing. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /** Whether anything in it is drawn; if not, one replication tells everything. */
    default boolean isRandom() {
        return profile().runs() > 1;
    }

    /** One replication. Several may run at once. */
    void run(long seed, Tally tally);

    /** Into how many parts a replication falls that can be run apart from each other. */
    default int parts() {
        return 1;
    }

    /** One part of a replication. Several may run at once; {@code part}: from 0. */
    default void run(int part, long seed, Tally tally) {
        run(seed, tally);
    }

    /** The paper's figures beside ours, and what holds of its findings. */
    Conclusion conclude(Tally tally);
}
