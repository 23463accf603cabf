package io.slotwise.core.gang;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of one pod of a gang.
 *
 * @param resources requested amounts, including one {@link Resources#PODS}
 * @param nodeIndependent true if {@code runtime} is the same on every node; false if it holds on the reference node and
 *     is divided by a node's performance
 * @param rules about other pods, which must all hold
 */
public record PodRequest(
        Resources resources, NodeConstraint constraint, long runtime, boolean nodeIndependent, List<PodRule> rules) {
    /** A pod without rules about others. */
    public PodRequest(Resources resources, NodeConstraint constraint, long runtime, boolean nodeIndependent) {
        this(resources, constraint, runtime, nodeIndependent, List.of());
    }

    public PodRequest {
        rules = List.copyOf(rules);
        if (runtime <= 0) {
            throw new IllegalArgumentException("The runtime (%d s) must be positive.".formatted(runtime));
        }
    }

    public PodRequest lasting(long seconds) {
        return new PodRequest(resources, constraint, seconds, nodeIndependent, rules);
    }

    PodRequest staying(@Nullable Home home) {
        return new PodRequest(resources, constraint.withHome(home), runtime, nodeIndependent, rules);
    }

    PodRequest without(PodRule rule) {
        return new PodRequest(
                resources,
                constraint,
                runtime,
                nodeIndependent,
                rules.stream().filter(other -> !other.equals(rule)).toList());
    }

    public boolean bears(String mark) {
        return resources.get(mark) > 0;
    }

    /** Returns the seconds that the pod takes on a node of this performance. */
    public long durationOn(Performance performance) {
        return nodeIndependent ? runtime : performance.duration(runtime);
    }
}
