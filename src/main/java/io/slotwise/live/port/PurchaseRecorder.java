package io.slotwise.live.port;

import java.util.Collection;
import java.util.Locale;

/** Port: counts events of bought nodes. The default methods count nothing. */
public interface PurchaseRecorder {
    /** The kinds of failed purchases. */
    enum Failure {
        /** No node was available. */
        REFUSED,
        /** The node was not ready when it was needed. */
        LATE,
        /** The node was taken away. */
        LOST;

        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The number of nodes by state.
     *
     * @param planned promised, but not bought yet
     * @param starting bought, but not there yet
     * @param idle without a gang
     * @param busy with a gang
     */
    record Nodes(int planned, int starting, int idle, int busy) {}

    /** Names the current offers, so that their counters exist before the first event. */
    default void offered(Collection<String> offers) {}

    default void bought(String offer) {}

    /** Records that a bought node exists and has to be paid: its total cost in 1/3600 millionths. */
    default void paid(String offer, long bill) {}

    /** Records the seconds from purchase to readiness. */
    default void ready(String offer, long seconds) {}

    default void failed(String offer, Failure failure) {}

    /** Records the seconds that a node was idle. */
    default void idle(String offer, long seconds) {}

    default void holding(Nodes nodes) {}

    /** Records the cost of the current period's purchases in 1/3600 millionths. */
    default void spent(long bills) {}
}
