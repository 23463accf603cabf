package io.slotwise.live.port;

import java.util.function.BooleanSupplier;

/**
 * Port: whether this replica plans. Of two replicas that both believe it one is the older: its writes carry an older
 * epoch than the cluster has seen, and are refused.
 */
@FunctionalInterface
public interface Leadership extends BooleanSupplier {
    /**
     * How often the leader had changed when this replica began to lead; on one that does not lead, as it saw it last.
     */
    default long epoch() {
        return 0;
    }

    /**
     * A write was refused because its epoch is old: another replica leads, and this one is to look whether it knows
     * that.
     */
    default void outdated() {}

    /** The right to plan as it is now. */
    default Reign reign() {
        return new Reign(this, epoch());
    }

    /**
     * The right to plan as it was at one moment. It ends with the first change of leaders: what was planned under it
     * counts for nothing once this replica has lost the Lease and won it back.
     *
     * @param leadership whose
     * @param epoch when it began
     */
    record Reign(Leadership leadership, long epoch) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return leadership.getAsBoolean() && leadership.epoch() == epoch;
        }
    }
}
