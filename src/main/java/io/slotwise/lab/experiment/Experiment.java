package io.slotwise.lab.experiment;

import java.util.Optional;

/** An experiment of a paper: independent replications and their conclusion. Without state between replications. */
public interface Experiment {
    ExperimentProfile profile();

    /** Returns which input is missing, in a sentence. Empty if none is. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /** Returns whether anything is drawn; if not, one replication suffices. */
    default boolean isRandom() {
        return profile().runs() > 1;
    }

    /** Runs one replication. Several may run at once. */
    void run(long seed, Tally tally);

    /** Returns the number of parts of a replication that can run separately. */
    default int parts() {
        return 1;
    }

    /** Runs one part of a replication, from 0. Several may run at once. */
    default void run(int part, long seed, Tally tally) {
        run(seed, tally);
    }

    /** Returns the figures next to the paper's, and the verdicts on its findings. */
    Conclusion conclude(Tally tally);
}
