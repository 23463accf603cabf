package io.slotwise.core.window.search;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.sweep.UniformSweep;
import io.slotwise.core.window.sweep.UnitSelection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The units that are free at each step of one pass over the slots of a gang, on nodes that may be used together. This
 * is the extended window of AEP, for searches that visit its units one by one.
 *
 * <p>Use: {@link #advance} to the next step, a segment of seconds in which the free units stay the same and every cost
 * is linear in the start, then {@link #stand} on one of its seconds. Any n free units whose window is {@link #complete}
 * are a window of the gang; the caller checks the budget. After the pass, {@link #revisit} returns to any second.
 *
 * <p>Times are seconds since the epoch, costs 1/3600 millionths. The pass takes O(m + U), see {@code SlotSweep}. For N
 * nodes each second takes O(N) in the pass and O(N log m) when revisited, and at most O(N log N) more where prices
 * reorder the nodes.
 *
 * <p>Source: the paper on AEP, section 2.1.
 */
public final class FreeUnits {
    /** The average number of places that a node may move before the order is sorted from scratch. */
    private static final int SHIFTS = 32;

    private record Kind(long duration, StepFunction rate) {}

    private final Gang gang;
    private final SlotList slots;
    private final UniformSweep sweep;
    private final int[] free;
    private final long[] cost;

    /** For each node whose cost moves, the index of its cost class; -1 for the others. */
    private final int[] kind;

    private final List<Offer> kinds = new ArrayList<>();
    private final boolean[] slowest;
    private final int[] cheapestFirst;

    /** The free units in a span of the gang's topology. */
    FreeUnits(Gang gang, SlotList slots, Topology.Span span) {
        this.gang = gang;
        this.slots = slots;
        this.sweep = new UniformSweep(slots, gang.size());
        int nodes = slots.offers().size();
        this.free = new int[nodes];
        this.cost = new long[nodes];
        this.kind = new int[nodes];
        this.slowest = new boolean[nodes];
        Map<Kind, Integer> known = new HashMap<>();
        long latest = slots.latest();
        for (int i = 0; i < nodes; i++) {
            Offer offer = slots.offers().get(i);
            kind[i] = offer.isFlat(slots.earliest(), latest)
                    ? -1
                    : known.computeIfAbsent(new Kind(offer.duration(), offer.rate()), _ -> {
                        kinds.add(offer);
                        return kinds.size() - 1;
                    });
            cost[i] = offer.cost(slots.earliest()).microSecondsPerHour();
            slowest[i] = !gang.lockstep()
                    || span.lasting(gang.request()
                                    .durationOn(offer.timeline().node().performance()))
                            == offer.duration();
        }
        this.cheapestFirst = new int[nodes];
        sort();
    }

    private void sort() {
        int[] sorted = IntStream.range(0, cost.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> cost[i]).thenComparing(Comparator.naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, cheapestFirst, 0, sorted.length);
    }

    /** Returns the number of changes of all nodes, m. */
    public int changes() {
        return slots.size();
    }

    /** Moves to the next step; returns false after the last one. */
    public boolean advance() {
        return sweep.advance();
    }

    /** Returns the first second of the step. */
    public long from() {
        return sweep.from();
    }

    /** Returns the last second of the step. */
    public long to() {
        return sweep.to();
    }

    public boolean enough() {
        return sweep.enough();
    }

    /** Returns whether costs can differ between the seconds of the step. */
    public boolean pricesMove() {
        return sweep.moves();
    }

    /** Returns the cost of the cheapest n units at second {@code t} of the step. Precondition: there are n units. */
    public long leastCost(long t) {
        return sweep.cheapest(t, Long.MAX_VALUE);
    }

    /** Selects second {@code t} of the step. */
    public void stand(long t) {
        for (int i = 0; i < free.length; i++) {
            free[i] = sweep.free(i);
        }
        price(t);
    }

    /** Selects any second {@code t}, regardless of the step. */
    public void revisit(long t) {
        for (int i = 0; i < free.length; i++) {
            free[i] = Math.min(slots.countAt(i, t), gang.size());
        }
        price(t);
    }

    private void price(long t) {
        if (kinds.isEmpty()) {
            return;
        }
        long[] now = kinds.stream()
                .mapToLong(offer -> offer.cost(t).microSecondsPerHour())
                .toArray();
        for (int i = 0; i < cost.length; i++) {
            cost[i] = kind[i] < 0 ? cost[i] : now[kind[i]];
        }
        reorder();
    }

    /** Insertion sort, since the order changes little between seconds; otherwise sorts from scratch. */
    private void reorder() {
        long patience = (long) SHIFTS * cheapestFirst.length;
        for (int i = 1; i < cheapestFirst.length; i++) {
            int moved = cheapestFirst[i];
            int j = i;
            while (j > 0 && isCheaper(moved, cheapestFirst[j - 1])) {
                cheapestFirst[j] = cheapestFirst[j - 1];
                j--;
            }
            cheapestFirst[j] = moved;
            patience -= i - j;
            if (patience < 0) {
                sort();
                return;
            }
        }
    }

    private boolean isCheaper(int node, int other) {
        return cost[node] < cost[other] || (cost[node] == cost[other] && node < other);
    }

    public int nodes() {
        return free.length;
    }

    public Offer offer(int node) {
        return slots.offers().get(node);
    }

    /** Returns the free units of a node at the selected second, at most n. */
    public int free(int node) {
        return free[node];
    }

    /** Returns the cost of a unit of a node at the selected second. */
    public long cost(int node) {
        return cost[node];
    }

    /** Returns the {@code rank}-th cheapest node at the selected second, by cost and then by name. */
    public int cheapest(int rank) {
        return cheapestFirst[rank];
    }

    /**
     * Returns whether the node needs all of the charged time in lockstep; otherwise true. A window must have a unit of
     * such a node to be {@link #complete}.
     */
    public boolean isSlowest(int node) {
        return slowest[node];
    }

    /** Returns whether some pod needs all of the charged time, if the gang is in lockstep. */
    public boolean complete(int[] taken) {
        return IntStream.range(0, taken.length).anyMatch(i -> taken[i] > 0 && slowest[i]);
    }

    /** Returns the window that starts at second {@code start} with these units of each node, n together. */
    public Window window(long start, int[] taken) {
        return WindowAssembly.of(gang, slots, UnitSelection.of(start, taken));
    }
}
