package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what pods ask of a node: scratch of one run. */
final class PodReader {
    private final Amounts amounts;

    PodReader(Amounts amounts) {
        this.amounts = amounts;
    }

    /**
     * What each pod of a gang asks of its node.
     *
     * @param resources the effective request
     * @param constraint where it may run
     * @param alone whether a node takes one of them at most
     * @param activeDeadline the pod's own limit, seconds; null: none
     */
    record Shape(
            Resources resources,
            NodeConstraint constraint,
            boolean alone,
            @Nullable Long activeDeadline) {
        /** What differs from another shape, in words; null: nothing. */
        @Nullable
        String difference(Shape other) {
            if (!resources.equals(other.resources)) {
                return "resources (%s and %s)".formatted(resources, other.resources);
            }
            if (!constraint.equals(other.constraint)) {
                return "node selector, node affinity or tolerations";
            }
            if (alone != other.alone) {
                return "pod anti-affinity or host ports";
            }
            return Objects.equals(activeDeadline, other.activeDeadline) ? null : "activeDeadlineSeconds";
        }
    }

    /** The shape that all pods of a gang have in common, or why there is none. */
    sealed interface Reading {
        /** All ask for the same. */
        record Clear(Shape shape) implements Reading {}

        /** They do not, or it cannot be read. */
        record Unclear(String problem) implements Reading {}
    }

    /**
     * The common shape of a gang's pods.
     *
     * @param pods at least one
     * @param avoided nodes that refused the gang
     * @param seats by pod name, the placements to whose nodes Slotwise may have pinned the pods; empty: it has pinned none
     */
    Reading shape(List<Pod> pods, Set<String> avoided, Map<String, Placement> seats) {
        Shape first = null;
        for (Pod pod : pods) {
            Shape shape;
            try {
                shape = shape(pod, avoided, seats.get(pod.getMetadata().getName()));
            } catch (IllegalArgumentException e) {
                return new Reading.Unclear("pod %s: %s".formatted(Pods.name(pod), e.getMessage()));
            }
            if (first == null) {
                first = shape;
                continue;
            }
            String difference = first.difference(shape);
            if (difference != null) {
                return new Reading.Unclear("pods of one gang must ask for the same: pods %s and %s differ in their %s"
                        .formatted(Pods.name(pods.getFirst()), Pods.name(pod), difference));
            }
        }
        return new Reading.Clear(Objects.requireNonNull(first, "a gang has a pod"));
    }

    /** The effective request of one pod. */
    Resources resources(Pod pod) {
        return PodResources.of(pod.getSpec(), amounts);
    }

    private Shape shape(Pod pod, Set<String> avoided, @Nullable Placement seat) {
        return new Shape(
                resources(pod),
                Constraints.of(pod.getSpec(), seat == null ? null : seat.node(), avoided),
                SelfExclusion.of(pod),
                pod.getSpec().getActiveDeadlineSeconds());
    }
}
