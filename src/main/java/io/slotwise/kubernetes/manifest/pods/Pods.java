package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.Owners;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.live.record.StartedMembers;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Properties of a pod that follow from its object. */
public final class Pods {
    public static final Comparator<Pod> BY_NAME =
            Comparator.comparing(pod -> pod.getMetadata().getName());

    /** First come, first served; a pod without a creation time comes last. */
    public static final Comparator<Pod> BY_ARRIVAL = Comparator.comparing(
                    (Pod pod) -> pod.getMetadata().getCreationTimestamp(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(BY_NAME);

    private Pods() {}

    /** Returns the gang of a pod by the first convention that names one, else its individual gang {@code pod-NAME}. */
    public static GangId gangOf(Pod pod) {
        return new GangId(pod.getMetadata().getNamespace(), Conventions.gangOf(pod));
    }

    /**
     * Returns the individual gang of a pod: for pods without a gang, beyond its size, or that are late replacements.
     */
    public static GangId ownGang(Pod pod) {
        return new GangId(pod.getMetadata().getNamespace(), Conventions.ownGang(pod));
    }

    /** Returns whether its controller has not created it yet. It is planned as it will be created. */
    public static boolean isComing(Pod pod) {
        return "".equals(pod.getMetadata().getUid());
    }

    public static List<Pod> there(List<Pod> pods) {
        return pods.stream().filter(pod -> !isComing(pod)).toList();
    }

    public static boolean isGated(Pod pod) {
        return pod.getSpec().getSchedulingGates() != null
                && pod.getSpec().getSchedulingGates().stream()
                        .anyMatch(gate -> AnnotationKeys.WINDOW_GATE.equals(gate.getName()));
    }

    /** Returns {@code namespace/name}. */
    public static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    /** Returns the node that it is bound to, or null. */
    public static @Nullable String node(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : node;
    }

    /** Returns whether it has ended and holds no resources. */
    public static boolean isTerminal(Pod pod) {
        return hasSucceeded(pod)
                || (pod.getStatus() != null && "Failed".equals(pod.getStatus().getPhase()));
    }

    /** Returns when the last container finished, seconds since the epoch; empty if none states it. */
    public static OptionalLong endedAt(Pod pod) {
        return pod.getStatus() == null
                ? OptionalLong.empty()
                : Stream.concat(
                                pod.getStatus().getInitContainerStatuses().stream(),
                                pod.getStatus().getContainerStatuses().stream())
                        .map(status -> status.getState() == null
                                ? null
                                : status.getState().getTerminated())
                        .filter(ended -> ended != null && ended.getFinishedAt() != null)
                        .map(ended -> second(ended.getFinishedAt()))
                        .flatMapToLong(OptionalLong::stream)
                        .max();
    }

    /** Returns an object's instant in seconds; empty if it is not an instant. */
    public static OptionalLong second(String instant) {
        try {
            return OptionalLong.of(OffsetDateTime.parse(instant).toEpochSecond());
        } catch (DateTimeException e) {
            return OptionalLong.empty();
        }
    }

    public static boolean hasSucceeded(Pod pod) {
        return pod.getStatus() != null && "Succeeded".equals(pod.getStatus().getPhase());
    }

    public static boolean isTerminating(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    public static @Nullable String label(Pod pod, String key) {
        return Labels.find(pod, key);
    }

    public static @Nullable String foreignGate(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .map(gate -> gate.getName())
                .filter(name -> !AnnotationKeys.WINDOW_GATE.equals(name))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns whether it replaces a member of a started gang: it was created after the start, or it still has the gate.
     * A gang starts without gates, so the gate counts even if clocks differ.
     */
    public static boolean isReplacement(Pod pod, StartedMembers started) {
        if (started.areKnown()) {
            return !started.has(pod.getMetadata().getName(), pod.getMetadata().getUid());
        }
        OptionalLong startedAt = started.startedAt();
        return startedAt.isPresent() && (isGated(pod) || isCreatedFrom(pod, startedAt.getAsLong()));
    }

    /**
     * Returns whether it was created in this second or later. Members exist before their second is promised, so a pod
     * that was created within the second of its gang's start came after it.
     */
    public static boolean isCreatedFrom(Pod pod, long second) {
        String created = pod.getMetadata().getCreationTimestamp();
        return created != null && Intervals.parseDown(created) >= second;
    }

    /** Returns the earliest creation, seconds since the epoch; {@code now} if no pod states one. */
    public static long arrival(List<Pod> pods, long now) {
        return pods.stream()
                .map(pod -> pod.getMetadata().getCreationTimestamp())
                .filter(Objects::nonNull)
                .mapToLong(Intervals::parseDown)
                .min()
                .orElse(now);
    }

    public static boolean preempts(List<Pod> pods) {
        return pods.stream().noneMatch(pod -> "Never".equals(pod.getSpec().getPreemptionPolicy()));
    }

    public static int priority(Pod pod) {
        Integer priority = pod.getSpec().getPriority();
        return priority == null ? 0 : priority;
    }

    public static int priority(List<Pod> pods) {
        return pods.stream().mapToInt(Pods::priority).max().orElse(0);
    }

    /**
     * Returns when a bound pod began to hold its room: its start, else its binding, else {@code now}. Never later than
     * {@code now}.
     */
    public static long start(Pod pod, long now) {
        return Math.min(begun(pod, now), now);
    }

    /** Returns the beginning by the clock of the component that states it, which may be ahead of this one. */
    public static long begun(Pod pod, long now) {
        String text = pod.getStatus() == null ? null : pod.getStatus().getStartTime();
        if (text == null && pod.getStatus() != null) {
            text = pod.getStatus().getConditions().stream()
                    .filter(condition ->
                            "PodScheduled".equals(condition.getType()) && "True".equals(condition.getStatus()))
                    .map(PodCondition::getLastTransitionTime)
                    .findFirst()
                    .orElse(null);
        }
        return text == null ? now : Intervals.parseDown(text);
    }

    /** Returns the only node for an unbound pod of a DaemonSet; null for other pods. */
    public static @Nullable String nodeOfDaemon(Pod pod) {
        OwnerReference controller = Owners.controller(pod);
        boolean isDaemon = controller != null && "DaemonSet".equals(controller.getKind());
        NodeSelector required = isDaemon ? requiredNodes(pod.getSpec()) : null;
        List<NodeSelectorTerm> terms = required == null ? List.of() : required.getNodeSelectorTerms();
        List<String> nodes = terms.stream()
                .flatMap(term -> term.getMatchFields().stream())
                .filter(field -> "metadata.name".equals(field.getKey()) && "In".equals(field.getOperator()))
                .flatMap(field -> field.getValues().stream())
                .distinct()
                .toList();
        return nodes.size() == 1
                        && terms.stream()
                                .noneMatch(term -> term.getMatchFields().isEmpty())
                ? nodes.getFirst()
                : null;
    }

    public static @Nullable NodeSelector requiredNodes(PodSpec spec) {
        return spec.getAffinity() == null || spec.getAffinity().getNodeAffinity() == null
                ? null
                : spec.getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
    }
}
