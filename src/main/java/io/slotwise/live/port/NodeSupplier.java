package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Port: who makes nodes that are bought. What is seen comes from memory; the other calls may take their time. */
public interface NodeSupplier {
    /** Nothing can be bought. */
    NodeSupplier NONE = new NodeSupplier() {
        @Override
        public boolean isServed() {
            return false;
        }

        @Override
        public SortedMap<String, Supplied> nodes() {
            return Collections.emptySortedMap();
        }

        @Override
        public boolean buy(PurchaseOrder order, GangId gang) {
            return false;
        }

        @Override
        public void giveUp(Supplied supplied) {}

        @Override
        public Optional<PurchaseBooks> books() {
            return Optional.empty();
        }

        @Override
        public boolean keep(PurchaseBooks books) {
            return false;
        }
    };

    /** How far a node has come. */
    enum State {
        /** It is bought, and not there yet. */
        COMING,
        /** Pods can be on it. */
        READY,
        /** It is given up. */
        LEAVING,
        /** It came to nothing, or is there no more; what is left of the purchase can be given up. */
        GONE
    }

    /**
     * A node that Slotwise has bought.
     *
     * @param name of the purchase, {@link PurchaseOrder#node}
     * @param uid of the purchase
     * @param node its own name; empty: not known yet
     * @param state how far it has come
     * @param delay how many seconds after the purchase pods could be on it; empty: they cannot yet, or it is not known
     */
    record Supplied(String name, String uid, String node, State state, OptionalLong delay) {
        /** Whether pods are not to begin there any more. */
        public boolean isLost() {
            return state == State.LEAVING || state == State.GONE;
        }
    }

    /** Whether it is known what was bought. */
    boolean isServed();

    /** What is offered and cannot be bought, since the cluster does not serve this. */
    default List<String> absent() {
        return List.of();
    }

    /** All that Slotwise has bought and that is not gone, by {@link Supplied#name}. */
    SortedMap<String, Supplied> nodes();

    /** Buys a node for a gang, unless that is done already; false: it is not known to be done. */
    boolean buy(PurchaseOrder order, GangId gang);

    /** Gives a node up. Asked again until it is gone. */
    void giveUp(Supplied supplied);

    /** Does what purchases need between {@link #buy} and {@link State#READY}. Asked in every cycle. */
    default void attend() {}

    /** What is known of purchases, as it was kept last; empty: that cannot be read. */
    Optional<PurchaseBooks> books();

    /** Keeps that in the place of what {@link #books} has told; false: it is not known to be kept. */
    boolean keep(PurchaseBooks books);
}
