package io.slotwise.core.migration;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Mobility.Reach;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.List;

/**
 * A gang that runs is to stop and to start again elsewhere, or later.
 *
 * @param gang what is left of it: runtime with overhead, and budget
 * @param work the part of its runtime that is work, seconds on the reference node
 * @param back the first second in which its pods are there again for certain
 * @param from the window in which it runs
 * @param to the window that is reserved for what is left of it
 * @param reach whether it stays in its resource domains
 * @param purpose what it is good for
 */
public record Move(Gang gang, long work, long back, Window from, Window to, Reach reach, Purpose purpose) {
    /** The names of all purposes. */
    public static final List<String> REASONS = List.of("start", "interruption", "saving");

    /** What a move is good for. */
    public sealed interface Purpose {
        /** The name in metrics. */
        String key();

        /** The same in words that follow "moved". */
        String words();
    }

    /**
     * A gang that waits starts sooner.
     *
     * @param gang which
     * @param gained pod-seconds by which it starts sooner; one without any window counts from the end of the horizon
     * @param lost pod-seconds by which the moved gang ends later, at least its overhead
     */
    public record Start(GangId gang, long gained, long lost) implements Purpose {
        @Override
        public String key() {
            return "start";
        }

        @Override
        public String words() {
            return "to make room for %s, which gains %d pod-seconds for %d lost".formatted(gang, gained, lost);
        }
    }

    /**
     * A gang of higher priority starts sooner, whatever it costs the moved one.
     *
     * @param gang which
     * @param gained as in {@link Start}
     * @param lost as in {@link Start}
     */
    public record Interruption(GangId gang, long gained, long lost) implements Purpose {
        @Override
        public String key() {
            return "interruption";
        }

        @Override
        public String words() {
            return "to make room for %s, which has a higher priority and gains %d pod-seconds for %d lost"
                    .formatted(gang, gained, lost);
        }
    }

    /**
     * What is left of the gang costs less elsewhere.
     *
     * @param saved the difference, positive
     */
    public record Saving(Cost saved) implements Purpose {
        @Override
        public String key() {
            return "saving";
        }

        @Override
        public String words() {
            return "to save %s".formatted(saved.roundedDown().brief());
        }
    }
}
