package io.slotwise.testing;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
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
