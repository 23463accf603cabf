package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.neighbours.SelfExclusion;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodFlaw;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what pods request of a node. Used for one intake. */
record PodReader(IntakeInput input, PodNeeds needs) {
    /** The most kinds of pods in one gang, such as a launcher and its workers. */
    private static final int MOST_SHAPES = 8;

    /**
     * The request of one pod of a gang to its node.
     *
     * @param alone whether a node takes at most one of these pods
     * @param activeDeadline the pod's own limit, seconds; null if it has none
     */
    record Shape(
            Resources resources,
            NodeConstraint constraint,
            boolean alone,
            @Nullable Long activeDeadline,
            List<PodRule> rules) {
        /** Returns what differs from another shape although it must not within a gang, or null. */
        @Nullable
        String difference(Shape other) {
            if (alone != other.alone) {
                return "pod anti-affinity";
            }
            return Objects.equals(activeDeadline, other.activeDeadline) ? null : "activeDeadlineSeconds";
        }
    }

    record Alike(Shape shape, List<Pod> pods) {}

    sealed interface Reading {
        record Clear(List<Alike> shapes) implements Reading {}

        record Unclear(String problem) implements Reading {}
    }

    /**
     * @param pods at least one
     * @param avoided the nodes that refused the gang
     * @param placements the placements to whose nodes Slotwise may have pinned the pods, by pod name
     * @param closed the nodes that are closed to a pod by anti-affinity, with the end of the closure
     */
    Reading shapes(
            List<Pod> pods,
            Set<String> avoided,
            Map<String, Placement> placements,
            Function<Pod, Map<String, Long>> closed) {
        Map<Shape, List<Pod>> alike = new LinkedHashMap<>();
        String disagreement = disagreement(pods);
        if (disagreement != null) {
            return new Reading.Unclear(disagreement);
        }
        for (Pod pod : pods) {
            Shape shape;
            try {
                Placement placement = placements.get(pod.getMetadata().getName());
                shape = new Shape(
                        resources(pod),
                        constraint(pod, placement, avoided)
                                .closing(closed.apply(pod))
                                .reaching(
                                        isOnItsWay(pod, placement)
                                                ? List.of()
                                                : needs.volumes().reach(pod))
                                .pinned(
                                        isOnItsWay(pod, placement)
                                                ? List.of()
                                                : needs.devices().reach(pod)),
                        SelfExclusion.of(pod),
                        pod.getSpec().getActiveDeadlineSeconds(),
                        needs.rules(pod, isOnItsWay(pod, placement)));
            } catch (IllegalArgumentException e) {
                return new Reading.Unclear("pod %s: %s".formatted(Pods.name(pod), e.getMessage()));
            }
            alike.computeIfAbsent(shape, _ -> new ArrayList<>()).add(pod);
            String difference = alike.keySet().iterator().next().difference(shape);
            if (difference != null) {
                return new Reading.Unclear("pods of one gang must not differ in their %s, and pods %s and %s do"
                        .formatted(difference, Pods.name(pods.getFirst()), Pods.name(pod)));
            }
        }
        if (alike.size() > MOST_SHAPES) {
            return new Reading.Unclear(
                    "its pods ask for %d different things: expected at most %d".formatted(alike.size(), MOST_SHAPES));
        }
        return new Reading.Clear(alike.entrySet().stream()
                .map(entry -> new Alike(entry.getKey(), entry.getValue()))
                .toList());
    }

    private NodeConstraint constraint(Pod pod, @Nullable Placement placement, Set<String> avoided) {
        return placement == null && avoided.isEmpty()
                ? input.cache().constraint(pod)
                : PodConstraints.of(pod.getSpec(), placement == null ? null : placement.node(), avoided);
    }

    /** Returns whether kube-scheduler is binding a pod's volumes on the node of its placement. */
    private static boolean isOnItsWay(Pod pod, @Nullable Placement placement) {
        return placement != null && Pods.node(pod) == null;
    }

    /**
     * Returns why the pods cannot form a gang: one cannot be used, or they differ in priority, though a gang displaces
     * and is displaced as a whole. Null if they can.
     */
    private static @Nullable String disagreement(List<Pod> pods) {
        for (Pod pod : pods) {
            String flaw = PodFlaw.of(pod);
            if (flaw != null) {
                return "pod %s: %s".formatted(Pods.name(pod), flaw);
            }
        }
        Pod first = pods.getFirst();
        for (Pod pod : pods) {
            if (Pods.priority(pod) != Pods.priority(first)) {
                return ("the priority (spec.priority) differs: %d of pod %s, %d of pod %s: expected one priority "
                                + "for the gang")
                        .formatted(Pods.priority(first), Pods.name(first), Pods.priority(pod), Pods.name(pod));
            }
            if (Pods.preempts(List.of(pod)) != Pods.preempts(List.of(first))) {
                return "spec.preemptionPolicy differs: %s of pod %s, %s of pod %s: expected one for the gang"
                        .formatted(
                                first.getSpec().getPreemptionPolicy(),
                                Pods.name(first),
                                pod.getSpec().getPreemptionPolicy(),
                                Pods.name(pod));
            }
        }
        return null;
    }

    Resources resources(Pod pod) {
        return marked(unmarked(pod), pod);
    }

    /** Returns the effective request of one pod, which does not depend on other pods. */
    Resources unmarked(Pod pod) {
        return needs.devices().withoutServed(pod, input.cache().amounts().requested(pod, input.amounts()));
    }

    Resources marked(Resources resources, Pod pod) {
        return needs.marked(resources, pod);
    }
}
