package io.slotwise.core.provision;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;

/** Nodes that might be bought together: so many of each lot. Immutable. */
final class NodeBasket {
    /** The cheapest first, then the one that is ready first; then, so that there is an order, by the numbers. */
    static final Comparator<NodeBasket> ORDER = Comparator.comparingLong((NodeBasket basket) -> basket.bill)
            .thenComparingLong(basket -> basket.ready)
            .thenComparing((basket, other) -> Arrays.compare(basket.counts, other.counts));

    private final int[] counts;
    private int nodes;
    private final long ready;
    /** 1/3600 millionths. */
    private long bill;
    /** That the run loses a node, millionths an hour times seconds. */
    private long risk;

    private final long[] used;
    /** By kind, no more than the gang has pods. */
    private final int[] seats;

    private NodeBasket(int[] counts, long ready, long[] used, int[] seats) {
        this.counts = counts;
        this.ready = ready;
        this.used = used;
        this.seats = seats;
    }

    static NodeBasket empty(int lots, int kinds, int limits, long now) {
        return new NodeBasket(new int[lots], now, new long[limits], new int[kinds]);
    }

    /** One more node of a lot, for a gang of so many pods. */
    NodeBasket with(int lot, PricedOffer offer, PurchaseLimits limits, long now, int pods) {
        NodeBasket basket =
                new NodeBasket(counts.clone(), Math.max(ready, offer.ready(now)), used.clone(), seats.clone());
        basket.counts[lot]++;
        for (int limit = 0; limit < used.length; limit++) {
            basket.used[limit] += limits.weight(limit, lot);
        }
        basket.seats[offer.kind()] = (int) Math.min(pods, (long) seats[offer.kind()] + offer.seats());
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

    /** Whether a buyer that has this basket has no use for the other one, whatever is added to both. */
    boolean replaces(NodeBasket other) {
        if (ready > other.ready || bill > other.bill || risk > other.risk) {
            return false;
        }
        for (int limit = 0; limit < used.length; limit++) {
            if (used[limit] > other.used[limit]) {
                return false;
            }
        }
        for (int kind = 0; kind < seats.length; kind++) {
            if (seats[kind] < other.seats[kind]) {
                return false;
            }
        }
        return true;
    }

    int count(int lot) {
        return counts[lot];
    }

    int nodes() {
        return nodes;
    }

    /** Seats of a kind, no more than the gang has pods. */
    int seats(int kind) {
        return seats[kind];
    }

    /** The first second in which pods can be on all of them. */
    long ready() {
        return ready;
    }

    /** What is to be expected of the bill, with the runs that follow one that lost a node. */
    BigInteger expected() {
        return expected(bill, risk);
    }

    /**
     * A bill B with a probability R of losing the run, which is paid anew then: B / (1 - R), rounded up.
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
