package io.slotwise.core.slot;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.StepFunction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pod of one size takes, pays and draws on every node, whatever its runtime, side by side in memory, since every gang
 * of a batch goes through all of it. Immutable. O(nodes) to make.
 */
final class Tariff {
    /** The different performances, and which of them each node has. */
    private final List<Performance> speeds;

    private final int[] speedOf;
    private final StepFunction[] rates;

    /** The least and the largest rate. */
    private final long[] cheapest;

    private final long[] dearest;
    private final long[] powers;
    private final boolean[] fits;

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
}
