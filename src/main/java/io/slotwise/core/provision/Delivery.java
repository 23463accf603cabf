package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;

/**
 * Nodes of one offer that are bought in the same second, any number of them.
 *
 * @param number equal for the same offer and second, and for no others
 * @param offer what is bought
 * @param bought the second of the purchase, since the epoch
 * @param price that holds then, of a whole node, millionths an hour
 */
record Delivery(int number, NodeOffer offer, long bought, long price) {
    /** The first second in which pods can be on its nodes. */
    long ready() {
        return bought + offer.billing().delay();
    }

    /** What a node costs whose last pod ends before this second. */
    Cost bill(long end) {
        return offer.bill(price, end - ready());
    }

    /** Whether it is the same one. */
    boolean is(Delivery other) {
        return number == other.number;
    }
}
