package io.slotwise.core.slot;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The speed, the charge and the power draw for pods of one size on every node, regardless of their runtime. The figures
 * are adjacent in memory, since every gang of a batch reads all of them. Computed for each kind of nodes. Immutable.
 * O(kinds) to create.
 */
final class PodTariff {
    /** The average number of nodes of a speed below which their order is not worth computing. */
    private static final int NODES_OF_A_SPEED = 16;

    private final Inventory inventory;

    /** The distinct performances, and the index of each kind's performance. */
    private final List<Performance> speeds;

    private final int[] speedOf;
    private final StepFunction[] rates;

    /** The least and the largest rate of each kind. */
    private final long[] cheapest;

    private final long[] dearest;
    private final long[] powers;

    /** The most pods on an empty node of each kind. */
    private final long[] most;

    private final boolean flat;

    /** See {@link #ofSpeeds}. */
    private final Map<BitSet, int[]> bySpeeds = new HashMap<>();

    /** See {@link #orders}. Null before the first request. */
    private @Nullable List<int[]> byRate;

    private @Nullable List<int[]> byPower;

    private record Rating(Share share, StepFunction price) {}

    PodTariff(Resources request, Inventory inventory, boolean wholeNode) {
        List<Node> kinds = inventory.kinds();
        this.inventory = inventory;
        this.speedOf = new int[kinds.size()];
        this.rates = new StepFunction[kinds.size()];
        this.cheapest = new long[kinds.size()];
        this.dearest = new long[kinds.size()];
        this.powers = new long[kinds.size()];
        this.most = new long[kinds.size()];
        Map<Rating, StepFunction> known = new HashMap<>();
        Map<Performance, Integer> speedIndices = new LinkedHashMap<>();
        for (int k = 0; k < rates.length; k++) {
            Node node = kinds.get(k);
            speedOf[k] = speedIndices.computeIfAbsent(node.performance(), _ -> speedIndices.size());
            most[k] = node.allocatable().times(request);
            // A pod that does not fit has no rate: its share has no bound, and no caller needs it.
            Share share =
                    most[k] <= 0 ? Share.NONE : wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
            rates[k] = known.computeIfAbsent(
                    new Rating(share, node.price()), r -> r.share().of(r.price()));
            cheapest[k] = rates[k].min();
            dearest[k] = rates[k].max(Long.MIN_VALUE, Long.MAX_VALUE);
            powers[k] = node.power() == Node.UNKNOWN ? Node.UNKNOWN : share.of(node.power());
        }
        this.flat = Arrays.equals(cheapest, dearest);
        this.speeds = List.copyOf(speedIndices.keySet());
    }

    long[] durations(PodRequest request) {
        return speeds.stream().mapToLong(request::durationOn).toArray();
    }

    int speed(int i) {
        return speedOf[inventory.kind(i)];
    }

    /** Returns what a pod pays on the i-th node, millionths per hour, over time, and zero where it does not fit. */
    StepFunction rate(int i) {
        return rates[inventory.kind(i)];
    }

    /**
     * Returns the cost of a pod on the i-th node for {@code duration} seconds from {@code start}, 1/3600 millionths.
     */
    long cost(int i, long start, long duration) {
        int kind = inventory.kind(i);
        return cheapest[kind] == dearest[kind]
                ? Math.multiplyExact(cheapest[kind], duration)
                : rates[kind].sum(start, start + duration);
    }

    /** Returns the least rate on the i-th node, millionths per hour. */
    long cheapest(int i) {
        return cheapest[inventory.kind(i)];
    }

    /** Returns the largest rate on the i-th node, millionths per hour. */
    long dearest(int i) {
        return dearest[inventory.kind(i)];
    }

    /** Returns what a pod draws on the i-th node, milliwatts, or {@link Node#UNKNOWN}. */
    long power(int i) {
        return powers[inventory.kind(i)];
    }

    boolean isFlat() {
        return flat;
    }

    /** Returns whether the i-th node would hold a pod if it were empty. */
    boolean fits(int i) {
        return most(i) > 0;
    }

    /** Returns how many pods the i-th node would hold if it were empty. */
    long most(int i) {
        return most[inventory.kind(i)];
    }

    /**
     * Returns the nodes of these speeds, by index; read-only. There are only as many such sets as speeds if the speeds
     * are those on which a pod takes no longer than some time. O(nodes) once for each.
     */
    synchronized int[] ofSpeeds(BitSet some) {
        return bySpeeds.computeIfAbsent(
                some,
                set -> IntStream.range(0, inventory.size())
                        .filter(i -> set.get(speed(i)))
                        .toArray());
    }

    /**
     * Returns the nodes of each speed by what a pod pays, or by what it draws and then pays, and then by index: orders
     * that hold for every runtime. None if prices move, or if most nodes have a speed of their own. O(nodes + kinds log
     * kinds) once.
     */
    synchronized List<int[]> orders(boolean byPowerFirst) {
        List<int[]> known = byPowerFirst ? byPower : byRate;
        if (known == null) {
            known = speeds.size() > inventory.size() / NODES_OF_A_SPEED || !flat ? List.of() : ordered(byPowerFirst);
            if (byPowerFirst) {
                byPower = known;
            } else {
                byRate = known;
            }
        }
        return known;
    }

    /** Sorts the nodes. Nodes whose kinds have the same rank are sorted by index. */
    private List<int[]> ordered(boolean byPowerFirst) {
        Comparator<Integer> order = Comparator.comparingInt((Integer k) -> speedOf[k])
                .thenComparingLong(k -> byPowerFirst ? powers[k] : 0)
                .thenComparingLong(k -> cheapest[k]);
        int[] kinds = IntStream.range(0, rates.length)
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
        int[] place = new int[kinds.length];
        for (int k = 1; k < kinds.length; k++) {
            place[kinds[k]] = place[kinds[k - 1]] + (order.compare(kinds[k - 1], kinds[k]) == 0 ? 0 : 1);
        }
        return bySpeed(dealt(place));
    }

    /** Returns all nodes by the ranks of their kinds, and then by index. */
    private int[] dealt(int[] place) {
        int[] next = new int[place.length + 1];
        for (int i = 0; i < inventory.size(); i++) {
            next[place[inventory.kind(i)] + 1]++;
        }
        Arrays.parallelPrefix(next, Integer::sum);
        int[] dealt = new int[inventory.size()];
        for (int i = 0; i < dealt.length; i++) {
            dealt[next[place[inventory.kind(i)]]++] = i;
        }
        return dealt;
    }

    private List<int[]> bySpeed(int[] dealt) {
        List<int[]> orders = new ArrayList<>();
        int from = 0;
        for (int to = 1; to <= dealt.length; to++) {
            if (to == dealt.length || speed(dealt[to]) != speed(dealt[from])) {
                orders.add(Arrays.copyOfRange(dealt, from, to));
                from = to;
            }
        }
        return orders;
    }
}
