package io.slotwise.live.port;

import java.util.Collection;
import java.util.Locale;

/** Port: counts what becomes of purchases of nodes; what is not overridden is not counted. */
public interface PurchaseRecorder {
    /** Why a node that was bought is of no use. */
    enum Failure {
        /** There was none. */
        REFUSED,
        /** It was not ready when it was needed. */
        LATE,
        /** It was taken away. */
        LOST;

        /** The word for it. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How many nodes there are.
     *
     * @param planned are promised and not bought yet
     * @param starting are bought and not there yet
     * @param idle are there, and no gang is on them
     * @param busy are there, with a gang
     */
    record Nodes(int planned, int starting, int idle, int busy) {}

    /** These can be bought, by name: what is counted by offer is seen as zero before it happens. */
    default void offered(Collection<String> offers) {}

    /** A node was bought. */
    default void bought(String offer) {}

    /** A node that was bought exists, so that it is paid: 1/3600 millionths in all. */
    default void paid(String offer, long bill) {}

    /** A node was ready so many seconds after its purchase. */
    default void ready(String offer, long seconds) {}

    /** A purchase came to nothing. */
    default void failed(String offer, Failure failure) {}

    /** A node was there for so many seconds and no gang on it. */
    default void idle(String offer, long seconds) {}

    /** How many nodes there are now. */
    default void holding(Nodes nodes) {}

    /** What the purchases of the current period cost, 1/3600 millionths. */
    default void spent(long bills) {}
}
