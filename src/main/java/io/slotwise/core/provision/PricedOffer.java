package io.slotwise.core.provision;

import java.util.List;

/**
 * An offer on the terms of some starts, in which its price is the same whenever the gang begins.
 *
 * @param price that holds at the purchase, millionths an hour
 * @param kind equal for offers whose seats are worth the same to the gang
 */
record PricedOffer(NodeOffer offer, List<String> names, long price, long use, int seats, int kind) {
    /** The first second in which pods can be on a node that is bought at {@code now}. */
    long ready(long now) {
        return now + offer.billing().delay();
    }

    /** What a node adds to the probability that the run loses one, millionths an hour times seconds. */
    long risk() {
        return offer.hazard() * use;
    }

    /** The bill of one node, 1/3600 millionths. */
    long bill() {
        return offer.bill(price, use).microSecondsPerHour();
    }
}
