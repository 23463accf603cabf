package io.slotwise.core.window.search;

import io.slotwise.core.gang.Gang;
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
 * The units that are free at each step of one pass over the slots of a gang, on nodes that may be used together: the
 * extended window of AEP, for searches that look at its units one by one.
 *
 * <p>Use: {@link #advance} to the next step, a segment of seconds in which the free units stay the same and every cost
 * is linear in the start, then {@link #stand} on one of its seconds. Any n free units whose window is {@link #complete}
 * are a window of the gang; its budget is the caller's to look at. After the pass, {@link #revisit} goes back to any
 * second.
 *
 * <p>Times are seconds since the epoch, costs 1/3600 millionths. O(m + U) for the pass, see {@code SlotSweep}, and O(N)
 * for each second that is stood on, for N nodes, O(N log m) for each one that is revisited, and at most O(N log N) more
 * where prices reorder the nodes.
 *
 * <p>Source: the paper on AEP, section 2.1.
 */
public final class FreeUnits {
    /** So many places a node may move on average before the order is sorted anew. */
    private static final int SHIFTS = 32;

    private record Kind(long duration, StepFunction rate) {}

    private final Gang gang;
    private final SlotList slots;
    private final UniformSweep sweep;
    private final int[] free;
    private final long[] cost;

    /** For each node whose cost moves the index of its kind of cost, for the others -1. */
    private final int[] kind;

    private final List<Offer> kinds = new ArrayList<>();
    private final boolean[] slowest;
    private final int[] cheapestFirst;

    FreeUnits(Gang gang, SlotList slots) {
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
                    || gang.request().durationOn(offer.timeline().node().performance()) == offer.duration();
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

    /** The number of changes of all nodes, m. */
    public int changes() {
        return slots.size();
    }

    /** Moves on to the next step; false behind the last one. */
    public boolean advance() {
        return sweep.advance();
    }

    /** First second of the step. */
    public long from() {
        return sweep.from();
    }

    /** Last second of the step. */
    public long to() {
        return sweep.to();
    }

    public boolean enough() {
        return sweep.enough();
    }

    /** Whether costs can differ between the seconds of the step. */
    public boolean pricesMove() {
        return sweep.moves();
    }

    /** What the cheapest n units cost at second {@code t} of the step; there must be n. */
    public long leastCost(long t) {
        return sweep.cheapest(t, Long.MAX_VALUE);
    }

    /** Looks at second {@code t} of the step. */
    public void stand(long t) {
        for (int i = 0; i < free.length; i++) {
            free[i] = sweep.free(i);
        }
        price(t);
    }

    /** Looks at any second {@code t}, whatever the step. */
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

    /** Insertion sort, since the order changes little from one second to the next; else it is sorted anew. */
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

    /** The number of nodes; their indices go by name. */
    public int nodes() {
        return free.length;
    }

    /** What a node means for the gang. */
    public Offer offer(int node) {
        return slots.offers().get(node);
    }

    /** How many units of a node are free at the second that is looked at, at most n. */
    public int free(int node) {
        return free[node];
    }

    /** What a unit of a node costs at the second that is looked at. */
    public long cost(int node) {
        return cost[node];
    }

    /** The {@code rank}-th cheapest node at the second that is looked at, by cost and then by name. */
    public int cheapest(int rank) {
        return cheapestFirst[rank];
    }

    /**
     * Whether a window must have one of the units of this node or of another such node to be {@link #complete}: in
     * lockstep, a node that needs all of the time that is charged; otherwise every node.
     */
    public boolean isSlowest(int node) {
        return slowest[node];
    }

    /** Whether a gang in lockstep has a pod that needs all of the time that it is charged for. */
    public boolean complete(int[] taken) {
        return IntStream.range(0, taken.length).anyMatch(i -> taken[i] > 0 && slowest[i]);
    }

    /** The window that starts at second {@code start} with so many units of each node, n together. */
    public Window window(long start, int[] taken) {
        return WindowAssembly.of(gang, slots, UnitSelection.of(start, taken));
    }
}
