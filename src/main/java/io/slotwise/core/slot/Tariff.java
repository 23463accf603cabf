package io.slotwise.core.slot;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod of one size takes, pays and draws on every node, whatever its runtime, side by side in memory, since every gang
 * of a batch goes through all of it. Immutable. O(nodes) to make.
 */
final class Tariff {
    /** With fewer nodes of each speed than these on average there is no use in their order. */
    private static final int NODES_OF_A_SPEED = 16;

    /** The different performances, and which of them each node has. */
    private final List<Performance> speeds;

    private final int[] speedOf;
    private final StepFunction[] rates;

    /** The least and the largest rate. */
    private final long[] cheapest;

    private final long[] dearest;
    private final long[] powers;
    private final boolean[] fits;

    /** See {@link #orders}; null: not asked for yet. */
    private @Nullable List<int[]> byRate;

    private @Nullable List<int[]> byPower;

    private record Rating(Share share, StepFunction price) {}

    Tariff(Resources request, List<NodeTimeline> nodes, boolean wholeNode) {
        this.speedOf = new int[nodes.size()];
        this.rates = new StepFunction[nodes.size()];
        this.cheapest = new long[nodes.size()];
        this.dearest = new long[nodes.size()];
        this.powers = new long[nodes.size()];
        this.fits = new boolean[nodes.size()];
        Map<Rating, StepFunction> known = new HashMap<>();
        Map<Performance, Integer> speedIndices = new LinkedHashMap<>();
        for (int i = 0; i < rates.length; i++) {
            Node node = nodes.get(i).node();
            Share share = wholeNode ? Share.ALL : request.dominantShareOf(node.allocatable());
            speedOf[i] = speedIndices.computeIfAbsent(node.performance(), _ -> speedIndices.size());
            rates[i] = known.computeIfAbsent(
                    new Rating(share, node.price()), r -> r.share().of(r.price()));
            cheapest[i] = rates[i].min();
            dearest[i] = rates[i].max(Long.MIN_VALUE, Long.MAX_VALUE);
            powers[i] = node.power() == Node.UNKNOWN ? Node.UNKNOWN : share.of(node.power());
            fits[i] = node.allocatable().times(request) > 0;
        }
        this.speeds = List.copyOf(speedIndices.keySet());
    }

    /** Seconds that a pod takes on nodes of each speed. */
    long[] durations(PodRequest request) {
        return speeds.stream().mapToLong(request::durationOn).toArray();
    }

    /** The speed of the i-th node. */
    int speed(int i) {
        return speedOf[i];
    }

    /** What a pod pays on the i-th node, millionths per hour, over time. */
    StepFunction rate(int i) {
        return rates[i];
    }

    /** What a pod costs on the i-th node from second {@code start} on for so many seconds, 1/3600 millionths. */
    long cost(int i, long start, long duration) {
        return cheapest[i] == dearest[i]
                ? Math.multiplyExact(cheapest[i], duration)
                : rates[i].sum(start, start + duration);
    }

    /** The least rate on the i-th node, millionths per hour. */
    long cheapest(int i) {
        return cheapest[i];
    }

    /** The largest rate on the i-th node, millionths per hour. */
    long dearest(int i) {
        return dearest[i];
    }

    /** What a pod draws on the i-th node, milliwatts; {@link Node#UNKNOWN}: the node does not say. */
    long power(int i) {
        return powers[i];
    }

    /** Whether the i-th node would hold a pod if it were empty. */
    boolean fits(int i) {
        return fits[i];
    }

    /**
     * The nodes of each speed by what a pod pays, or by what it draws and then pays, and then by index: orders that hold for
     * every runtime. None if prices move, or if most nodes have a speed of their own.
     */
    synchronized List<int[]> orders(boolean byPowerFirst) {
        List<int[]> known = byPowerFirst ? byPower : byRate;
        if (known == null) {
            known = speeds.size() > rates.length / NODES_OF_A_SPEED || !Arrays.equals(cheapest, dearest)
                    ? List.of()
                    : ordered(byPowerFirst);
            if (byPowerFirst) {
                byPower = known;
            } else {
                byRate = known;
            }
        }
        return known;
    }

    private List<int[]> ordered(boolean byPowerFirst) {
        Comparator<Integer> order = Comparator.comparingLong((Integer i) -> byPowerFirst ? powers[i] : 0)
                .thenComparingLong(i -> cheapest[i])
                .thenComparing(i -> i);
        Map<Integer, List<Integer>> nodes =
                IntStream.range(0, rates.length).boxed().collect(Collectors.groupingBy(this::speed));
        return nodes.values().stream()
                .map(those ->
                        those.stream().sorted(order).mapToInt(Integer::intValue).toArray())
                .toList();
    }
}
