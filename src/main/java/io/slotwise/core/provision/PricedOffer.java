package io.slotwise.core.provision;

import java.util.List;

/**
 * An offer on the terms of a range of starts, in which its price is constant.
 *
 * @param price at the purchase, millionths an hour
 * @param kind equal for offers on whose nodes a pod's place is worth the same to the gang
 */
record PricedOffer(NodeOffer offer, List<String> names, long price, long use, int podCount, int kind) {
    /** Returns the first second in which pods can be on a node that is bought at {@code now}. */
    long ready(long now) {
        return now + offer.billing().delay();
    }

    /** Returns what a node adds to the risk that the run loses one, millionths an hour times seconds. */
    long risk() {
        return offer.hazard() * use;
    }

    /** Returns the bill of one node, 1/3600 millionths. */
    long bill() {
        return offer.bill(price, use).microSecondsPerHour();
    }
}
