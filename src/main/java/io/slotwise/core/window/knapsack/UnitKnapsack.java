package io.slotwise.core.window.knapsack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The knapsack of one second: n of the free units with the least sum of values under a limit on the sum of costs, and
 * of these choices the cheapest.
 *
 * <p>First a Lagrangian relaxation: with multipliers a, b the n units of the least {@code a x value + b x cost} give a
 * lower bound on every choice. The multipliers are moved between a choice that is too expensive and one that is not,
 * until the bound stops rising. Units that are too far from the n-th to be part of a choice below the best known value
 * are left out. Few units remain. A dynamic program over them keeps, for every number of units taken, the pairs (value,
 * cost) that no other pair beats in both. It drops pairs that cannot be completed within the limit and below the best
 * known value.
 *
 * <p>Exact as long as no list of the program has more than {@link #MOST_STATES} entries. Beyond that, lists are
 * thinned, and {@link #missed} bounds what the result may have missed. O(N log N) for N nodes with free units, and
 * O(remaining units x n x list) for the program. All arithmetic is on integers. The multipliers are scaled so that no
 * sum overflows, which can only weaken the bound, never the result.
 *
 * <p>This is the problem of the paper on AEP, section 2.1, at one step of AEP; the paper takes a random window for it.
 * The reduction follows S. Martello, P. Toth, "Knapsack Problems" (1990), section 2.
 */
public final class UnitKnapsack {
    /** The number of entries beyond which a list is thinned. */
    static final int MOST_STATES = 20_000;

    private static final long LARGEST_SUM = Long.MAX_VALUE / 4;
    private static final int MOST_ROUNDS = 40;

    private final long[] values;
    private final int n;
    private final long limit;
    private final long largestCost;
    private final long largestValue;

    /** The nodes with free units, their units and their costs at this second. */
    private final int[] nodes;

    private final int[] units;
    private final long[] costs;
    private int size;

    private final LowestNodes lowest;
    private final long[] keys;
    private long a = 1;
    private long b;
    private long missed;

    /** The values are those of a unit on each node, not negative. The cost bounds a unit at any second. */
    public UnitKnapsack(long[] values, int n, long limit, long largestCost) {
        this.values = values;
        this.n = n;
        this.limit = limit;
        this.largestCost = Math.max(largestCost, 1);
        this.largestValue = Math.max(Arrays.stream(values).max().orElse(1), 1);
        this.nodes = new int[values.length];
        this.units = new int[values.length];
        this.costs = new long[values.length];
        this.keys = new long[values.length];
        this.lowest = new LowestNodes();
    }

    public record Choice(long value, long cost, List<Taken> taken) {}

    /** A number of units of a node. */
    public record Taken(int node, int units) {}

    /** Forgets the units of the previous second. */
    public void clear() {
        size = 0;
    }

    public void offer(int node, int free, long cost) {
        nodes[size] = node;
        units[size] = Math.min(free, n);
        costs[size++] = cost;
    }

    /** The multiplier of the value in the last bound. */
    public long valueFactor() {
        return a;
    }

    /** The multiplier of the cost in the last bound. */
    public long costFactor() {
        return b;
    }

    /** Returns a value below which the last result missed no choice; {@link Long#MAX_VALUE} if it is exact. */
    public long missed() {
        return missed;
    }

    /** Returns the best choice with a value less than {@code bound}, or null if there is none. */
    @Nullable
    public Choice below(long bound) {
        missed = Long.MAX_VALUE;
        if (!lowest.find(0, 1) || lowest.cost > limit) {
            return null;
        }
        Choice belowChoice = lowest.choice();
        lowest.find(1, 0);
        if (lowest.value >= bound) {
            return null;
        }
        Choice aboveChoice = lowest.choice();
        if (aboveChoice.cost() <= limit) {
            return aboveChoice;
        }
        Choice knownChoice = relax(belowChoice, aboveChoice);
        return core(knownChoice, Math.min(bound, knownChoice.value() + 1));
    }

    /** Moves the multipliers to the highest bound. Returns the best choice within the limit on the way. */
    private Choice relax(Choice affordableChoice, Choice expensiveChoice) {
        Choice belowChoice = affordableChoice;
        Choice aboveChoice = expensiveChoice;
        Choice knownChoice = belowChoice;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            scale(aboveChoice.cost() - belowChoice.cost(), belowChoice.value() - aboveChoice.value());
            lowest.find(a, b);
            if (lowest.sum >= Math.min(sum(belowChoice), sum(aboveChoice))) {
                break;
            }
            Choice choice = lowest.choice();
            if (choice.cost() <= limit) {
                belowChoice = choice;
                knownChoice = choice.value() < knownChoice.value() ? choice : knownChoice;
            } else {
                aboveChoice = choice;
            }
        }
        return knownChoice;
    }

    private long sum(Choice choice) {
        return a * choice.value() + b * choice.cost();
    }

    /** Sets the multipliers, scaled so that the keys of n units, and the limit, sum up within a long. */
    private void scale(long forValue, long forCost) {
        a = forValue;
        b = forCost;
        while (a > LARGEST_SUM / largestValue / n || b > LARGEST_SUM / largestCost / n) {
            a = Math.ceilDiv(a, 2);
            b /= 2;
        }
    }

    /** Solves the program over the units that the last bound leaves open. */
    private @Nullable Choice core(Choice knownChoice, long below) {
        long floor = lowest.sum - b * limit;
        long slack = a * (below - 1) - floor;
        if (slack < 0) {
            return null;
        }
        KnapsackCore core = new KnapsackCore(n, limit, new KnapsackCore.Bound(a, b, below));
        for (int i = 0; i < size; i++) {
            if (keys[i] <= lowest.last + slack) {
                core.offer(nodes[i], units[i], values[nodes[i]], costs[i]);
            }
        }
        Choice choice = core.solve(lowest.next - slack);
        if (core.thinned()) {
            missed = Math.ceilDiv(floor, a);
        }
        return choice != null || !core.thinned() || knownChoice.value() >= below ? choice : knownChoice;
    }

    /** The n units of the least {@code forValue x value + forCost x cost}; ties go to value, cost and node. */
    private final class LowestNodes {
        /** A binary heap of positions, the worst on top. */
        private int[] heap = new int[16];

        private int filled;
        private long held;

        private long value;
        private long cost;
        private long sum;

        /** The key of the n-th unit, and of the one after it; {@link Long#MAX_VALUE} if there is none. */
        private long last;

        private long next;

        /** Finds the units; returns false if there are fewer than n. O(N log n), mostly O(N). */
        boolean find(long forValue, long forCost) {
            filled = 0;
            held = 0;
            next = Long.MAX_VALUE;
            for (int i = 0; i < size; i++) {
                keys[i] = forValue * values[nodes[i]] + forCost * costs[i];
                if (held < n || before(i, heap[0])) {
                    push(i);
                    while (held - units[heap[0]] >= n) {
                        next = Math.min(next, keys[heap[0]]);
                        pop();
                    }
                } else {
                    next = Math.min(next, keys[i]);
                }
            }
            if (held < n) {
                return false;
            }
            last = keys[heap[0]];
            next = held > n ? last : next;
            total();
            return true;
        }

        private void total() {
            long surplus = held - n;
            value = -surplus * values[nodes[heap[0]]];
            cost = -surplus * costs[heap[0]];
            sum = -surplus * keys[heap[0]];
            for (int h = 0; h < filled; h++) {
                int i = heap[h];
                value += units[i] * values[nodes[i]];
                cost += units[i] * costs[i];
                sum += units[i] * keys[i];
            }
        }

        Choice choice() {
            List<Taken> taken = new ArrayList<>();
            for (int h = 0; h < filled; h++) {
                taken.add(new Taken(nodes[heap[h]], units[heap[h]] - (h == 0 ? (int) (held - n) : 0)));
            }
            return new Choice(value, cost, taken);
        }

        private boolean before(int x, int y) {
            if (keys[x] != keys[y]) {
                return keys[x] < keys[y];
            }
            if (values[nodes[x]] != values[nodes[y]]) {
                return values[nodes[x]] < values[nodes[y]];
            }
            return costs[x] != costs[y] ? costs[x] < costs[y] : nodes[x] < nodes[y];
        }

        private void push(int i) {
            if (filled == heap.length) {
                heap = Arrays.copyOf(heap, filled * 2);
            }
            held += units[i];
            int at = filled++;
            while (at > 0 && before(heap[(at - 1) / 2], i)) {
                heap[at] = heap[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            heap[at] = i;
        }

        private void pop() {
            held -= units[heap[0]];
            int moved = heap[--filled];
            int at = 0;
            while (true) {
                int child = 2 * at + 1;
                if (child >= filled) {
                    break;
                }
                if (child + 1 < filled && before(heap[child], heap[child + 1])) {
                    child++;
                }
                if (!before(moved, heap[child])) {
                    break;
                }
                heap[at] = heap[child];
                at = child;
            }
            heap[at] = moved;
        }
    }
}
