package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** Port: the supplier of bought nodes. State comes from memory; the other calls may block. */
public interface NodeSupplier {
    /** A supplier without nodes. */
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

    /** The state of a bought node. */
    enum State {
        /** Bought, but not there yet. */
        COMING,
        /** Ready for pods. */
        READY,
        /** Being given up. */
        LEAVING,
        /** Failed or gone; the rest of the purchase can be given up. */
        GONE
    }

    /**
     * A node that Slotwise has bought.
     *
     * @param name of the purchase, {@link PurchaseOrder#node}
     * @param node its own name; empty if not known yet
     * @param delay seconds from the purchase until pods could run; empty if they cannot yet, or if unknown
     */
    record Supplied(String name, String uid, String node, State state, OptionalLong delay) {
        /** Returns whether no further pods may start there. */
        public boolean isLost() {
            return state == State.LEAVING || state == State.GONE;
        }
    }

    /** Returns whether the purchases are known. */
    boolean isServed();

    /** Returns the offers that cannot be bought because the cluster does not serve them. */
    default List<String> absent() {
        return List.of();
    }

    /** Returns all bought nodes that are not gone, by {@link Supplied#name}. */
    SortedMap<String, Supplied> nodes();

    /** Buys a node for a gang unless that is done already. Returns false if the outcome is not known. */
    boolean buy(PurchaseOrder order, GangId gang);

    /** Gives a node up. Called again until the node is gone. */
    void giveUp(Supplied supplied);

    /** Does the work of purchases between {@link #buy} and {@link State#READY}. Called in every cycle. */
    default void attend() {}

    /** Returns the stored books of purchases. Empty if they cannot be read. */
    Optional<PurchaseBooks> books();

    /** Stores the books in place of {@link #books}. Returns false if the outcome is not known. */
    boolean keep(PurchaseBooks books);
}
