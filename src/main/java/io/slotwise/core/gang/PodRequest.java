package io.slotwise.core.gang;

import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pod of a gang asks for.
 *
 * @param resources requested amounts, one {@link Resources#PODS} included
 * @param nodeIndependent false: {@code runtime} holds on the reference node and is divided by a node's performance;
 *     true: it is the same on every node
 * @param rules what it asks of other pods; all must hold
 */
public record PodRequest(
        Resources resources, NodeConstraint constraint, long runtime, boolean nodeIndependent, List<PodRule> rules) {
    /** A pod that asks nothing of others. */
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

    /** Seconds that the pod takes on a node of this performance. */
    public long durationOn(Performance performance) {
        return nodeIndependent ? runtime : performance.duration(runtime);
    }
}
