package io.slotwise.core.provision;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;

/** Nodes that might be bought together: so many of each lot. Immutable. */
final class NodeBasket {
    /** The cheapest first, then the one that is ready first; then, so that there is an order, by the numbers. */
    static final Comparator<NodeBasket> ORDER = Comparator.comparingLong((NodeBasket basket) -> basket.bill)
            .thenComparingLong(basket -> basket.ready)
            .thenComparing((one, other) -> Arrays.compare(one.counts, other.counts));

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
    NodeBasket with(int lot, PricedOffer of, PurchaseLimits ceilings, long now, int pods) {
        NodeBasket more = new NodeBasket(counts.clone(), Math.max(ready, of.ready(now)), used.clone(), seats.clone());
        more.counts[lot]++;
        for (int limit = 0; limit < used.length; limit++) {
            more.used[limit] += ceilings.weight(limit, lot);
        }
        more.seats[of.kind()] = (int) Math.min(pods, (long) seats[of.kind()] + of.seats());
        more.nodes = nodes + 1;
        more.bill = bill + of.bill();
        more.risk = risk + of.risk();
        return more;
    }

    boolean isAllowed(PurchaseLimits ceilings) {
        for (int limit = 0; limit < used.length; limit++) {
            if (used[limit] > ceilings.left(limit)) {
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
