package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.window.Window;

/**
 * A promise that could not be kept. The gang itself is in the plan too, with a new window or as pending.
 *
 * @param gang whose
 * @param window what was promised
 * @param cause why
 * @param message the reason in one sentence, naming the node or pod at fault
 */
public record BrokenPromise(GangId gang, Window window, Cause cause, String message) {
    /** Why a promise moves. */
    public enum Cause {
        NODE_LOST("node-lost"),
        OVERRUN("overrun"),
        OUTAGE("outage"),
        ROOM_TAKEN("room-taken"),
        REFUSED("refused"),
        EDITED("edited"),
        OWNER("owner"),
        DISPLACED("displaced"),
        MIGRATION("migration"),
        POLICY("policy");

        private final String key;

        Cause(String key) {
            this.key = key;
        }

        /** The name in events and metrics. */
        public String key() {
            return key;
        }
    }
}
