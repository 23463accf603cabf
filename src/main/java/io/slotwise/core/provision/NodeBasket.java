package io.slotwise.core.provision;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;

/** Nodes that might be bought together: a number of each lot. Immutable. */
final class NodeBasket {
    /** The cheapest first, then the first to be ready, then by the numbers as a tie-break. */
    static final Comparator<NodeBasket> ORDER = Comparator.comparingLong((NodeBasket basket) -> basket.bill)
            .thenComparingLong(basket -> basket.ready)
            .thenComparing((basket, other) -> Arrays.compare(basket.counts, other.counts));

    private final int[] counts;
    private int nodes;
    private final long ready;
    /** The sum of the bills, in 1/3600 millionths of the currency unit. */
    private long bill;
    /** The risk that the run loses a node, millionths an hour times seconds. */
    private long risk;

    private final long[] used;
    /** The pods that fit on nodes of each kind, at most the pods of the gang. */
    private final int[] podCounts;

    private NodeBasket(int[] counts, long ready, long[] used, int[] podCounts) {
        this.counts = counts;
        this.ready = ready;
        this.used = used;
        this.podCounts = podCounts;
    }

    static NodeBasket empty(int offers, int kinds, int limits, long now) {
        return new NodeBasket(new int[offers], now, new long[limits], new int[kinds]);
    }

    NodeBasket with(int index, PricedOffer offer, PurchaseLimits limits, long now, int pods) {
        NodeBasket basket =
                new NodeBasket(counts.clone(), Math.max(ready, offer.ready(now)), used.clone(), podCounts.clone());
        basket.counts[index]++;
        for (int limit = 0; limit < used.length; limit++) {
            basket.used[limit] += limits.weight(limit, index);
        }
        basket.podCounts[offer.kind()] = (int) Math.min(pods, (long) podCounts[offer.kind()] + offer.podCount());
        basket.nodes = nodes + 1;
        basket.bill = bill + offer.bill();
        basket.risk = risk + offer.risk();
        return basket;
    }

    boolean isAllowed(PurchaseLimits limits) {
        for (int limit = 0; limit < used.length; limit++) {
            if (used[limit] > limits.left(limit)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether this basket makes the other one useless, whatever is added to both. */
    boolean replaces(NodeBasket other) {
        if (ready > other.ready || bill > other.bill || risk > other.risk) {
            return false;
        }
        for (int limit = 0; limit < used.length; limit++) {
            if (used[limit] > other.used[limit]) {
                return false;
            }
        }
        for (int kind = 0; kind < podCounts.length; kind++) {
            if (podCounts[kind] < other.podCounts[kind]) {
                return false;
            }
        }
        return true;
    }

    int count(int index) {
        return counts[index];
    }

    int nodes() {
        return nodes;
    }

    /** Returns the pods that fit on nodes of a kind, at most the pods of the gang. */
    int podCount(int kind) {
        return podCounts[kind];
    }

    /** Returns the first second in which pods can be on all of the nodes, since the epoch. */
    long ready() {
        return ready;
    }

    /** Returns the expected bill, including repeated runs after the loss of a node. */
    BigInteger expected() {
        return expected(bill, risk);
    }

    /**
     * Returns the expected total of a bill B that is paid again if the run is lost, with probability R: B / (1 - R),
     * rounded up.
     *
     * @param bill 1/3600 millionths
     * @param risk millionths an hour times seconds, less than certain
     */
    static BigInteger expected(long bill, long risk) {
        BigInteger[] more = BigInteger.valueOf(bill)
                .multiply(BigInteger.valueOf(risk))
                .divideAndRemainder(BigInteger.valueOf(NodeOffer.ALL * 3600 - risk));
        return BigInteger.valueOf(bill).add(more[0]).add(BigInteger.valueOf(more[1].signum()));
    }
}
