package io.slotwise.testing;

import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The narrowest span of a gang in which some nodes lie, found without the planner's code. */
public final class SpanOracle {
    private SpanOracle() {}

    /** Returns the span, or null if the nodes lie in none. */
    public static Topology.@Nullable Span narrowest(Gang gang, Collection<Node> nodes) {
        for (Topology.Span span : gang.topology().spans()) {
            if (holds(span, nodes)) {
                return span;
            }
        }
        return null;
    }

    /** Returns whether each slice is in one domain. The rank of a pod is the number at the end of its name. */
    public static boolean keepsSlices(Gang gang, Window window, Map<String, Node> nodes) {
        List<Node> byRank = window.placements().stream()
                .sorted(Comparator.comparingInt(placement -> Integer.parseInt(
                        placement.pod().substring(placement.pod().lastIndexOf('-') + 1))))
                .map(placement -> nodes.get(placement.node()))
                .toList();
        return gang.topology().slices().stream()
                .allMatch(slice -> byRank.size() % slice.size() == 0
                        && IntStream.range(0, byRank.size() / slice.size())
                                .allMatch(k -> holds(
                                        new Topology.Span(slice.level(), Topology.Span.ONE),
                                        byRank.subList(k * slice.size(), (k + 1) * slice.size()))));
    }

    /** Returns whether pods can be in slices, given their number of each shape on each node. */
    public static boolean hasSlices(Gang gang, Inventory nodes, int[][] counts) {
        for (Topology.Slice slice : gang.topology().slices()) {
            Map<List<String>, Integer> inDomain = new HashMap<>();
            for (int i = 0; i < counts.length; i++) {
                Map<String, String> labels = nodes.get(i).labels();
                int pods = Arrays.stream(counts[i]).sum();
                if (pods > 0 && !labels.keySet().containsAll(slice.level().keys())) {
                    return false;
                }
                inDomain.merge(
                        slice.level().keys().stream()
                                .map(key -> String.valueOf(labels.get(key)))
                                .toList(),
                        pods,
                        Integer::sum);
            }
            if (inDomain.values().stream().anyMatch(pods -> pods % slice.size() != 0)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Topology.Span span, Collection<Node> nodes) {
        List<String> keys = span.level() == null ? List.of() : span.level().keys();
        for (String key : keys) {
            String first = nodes.iterator().next().labels().get(key);
            if (first == null
                    || nodes.stream()
                            .anyMatch(node -> !first.equals(node.labels().get(key)))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the seconds of a pod in a span, rounded up. */
    public static long lasting(Topology.Span span, long seconds) {
        BigInteger[] parts = BigInteger.valueOf(seconds)
                .multiply(BigInteger.valueOf(span.factor()))
                .divideAndRemainder(BigInteger.valueOf(1_000_000));
        return parts[0].longValueExact() + parts[1].signum();
    }
}
