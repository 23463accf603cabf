package io.slotwise.live.port;

import java.util.function.BooleanSupplier;

/**
 * Port: tells whether this replica plans. If two replicas both believe so, the older one's writes carry an outdated
 * epoch and are refused.
 */
@FunctionalInterface
public interface Leadership extends BooleanSupplier {
    /** Returns the number of changes of the leader when this replica began to lead, or the last number that it saw. */
    default long epoch() {
        return 0;
    }

    /**
     * Reports that a write was refused for its outdated epoch. Another replica leads, so this one has to check its own
     * leadership.
     */
    default void outdated() {}

    /** Returns the current right to plan. */
    default Reign reign() {
        return new Reign(this, epoch());
    }

    /**
     * The right to plan since one moment. It ends with the first change of leaders: a plan is void once this replica
     * has lost the Lease, even if it wins the Lease back.
     */
    record Reign(Leadership leadership, long epoch) implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return leadership.getAsBoolean() && leadership.epoch() == epoch;
        }
    }
}
