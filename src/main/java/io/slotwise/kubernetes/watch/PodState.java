package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.extender.ExtenderReason;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.Member;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How far a pod is, in the loop's words. */
public final class PodState {
    private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");

    /** Why kube-scheduler did not place a pod that it tried. */
    private static final Set<String> KUBE_SCHEDULERS = Set.of("Unschedulable", "SchedulerError");

    /** A pod that had no container running before its {@code activeDeadlineSeconds} were over was not refused. */
    private static final String OUT_OF_TIME = "DeadlineExceeded";

    private PodState() {}

    static Member member(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return new Member(
                pod.getMetadata().getName(),
                pod.getMetadata().getUid(),
                state(pod),
                Pods.isGated(pod),
                node == null ? "" : node,
                refusal(pod),
                nominated(pod),
                endedAt(pod),
                hasSucceeded(pod),
                false);
    }

    /** When the last container had finished; of a pod that is being deleted while it runs, the end of its grace. */
    private static OptionalLong endedAt(Pod pod) {
        String deletion = pod.getMetadata().getDeletionTimestamp();
        if (hasEnded(pod)) {
            return Pods.endedAt(pod);
        }
        return deletion == null ? OptionalLong.empty() : Pods.second(deletion);
    }

    /** Whether a pod has given its room back; one that is being deleted has not yet. */
    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && TERMINAL.contains(String.valueOf(pod.getStatus().getPhase()));
    }

    private static boolean hasSucceeded(Pod pod) {
        return pod.getStatus() != null && "Succeeded".equals(pod.getStatus().getPhase());
    }

    /** Whether a pod has ended or is about to. */
    public static boolean isOver(Pod pod) {
        return hasEnded(pod) || pod.getMetadata().getDeletionTimestamp() != null;
    }

    /** Whether it waits, has a node, or is over. */
    static Member.State state(Pod pod) {
        if (isOver(pod)) {
            return Member.State.ENDED;
        }
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? Member.State.WAITING : Member.State.BOUND;
    }

    private static boolean nominated(Pod pod) {
        return pod.getStatus() != null && pod.getStatus().getNominatedNodeName() != null;
    }

    /** Not a gate's, and not what Slotwise has a pod say that waits. */
    private static boolean isByKubeScheduler(@Nullable String reason) {
        return reason == null || reason.isEmpty() || KUBE_SCHEDULERS.contains(reason);
    }

    /**
     * What kube-scheduler says of a pod that it tried since its release and could not place. A gate is no refusal, and
     * neither is what our own filter says of a pod that waits without one. Of a pod that has failed, what its kubelet
     * said as it did not take it in.
     */
    static String refusal(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
            return "";
        }
        if ("Failed".equals(pod.getStatus().getPhase())) {
            return kubeletsRefusal(pod.getStatus());
        }
        for (PodCondition condition : pod.getStatus().getConditions()) {
            if ("PodScheduled".equals(condition.getType())
                    && "False".equals(condition.getStatus())
                    && isByKubeScheduler(condition.getReason())) {
                String message = condition.getMessage() == null ? "" : condition.getMessage();
                boolean own = ExtenderReason.WAITING.isIn(message) || ExtenderReason.PROMISED.isAloneIn(message);
                return own ? "" : message;
            }
        }
        return "";
    }

    /**
     * Why a kubelet did not take a pod in, as {@code OutOfcpu: Node didn't have enough resource}; empty: one of its
     * containers has run.
     */
    private static String kubeletsRefusal(PodStatus status) {
        boolean ran = Stream.concat(status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                .anyMatch(container ->
                        container.getState() != null && container.getState().getWaiting() == null);
        if (ran || status.getReason() == null || status.getReason().equals(OUT_OF_TIME)) {
            return "";
        }
        return status.getMessage() == null ? status.getReason() : status.getReason() + ": " + status.getMessage();
    }

    /** The gang that a pod names, or is; empty: it cannot be told. */
    static String gangOf(Pod pod) {
        return Isolated.get(() -> Pods.gangOf(pod).toString(), _ -> "");
    }

    /** The node of a pod that has not ended; null: it has none. */
    static @Nullable String nodeOf(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() || hasEnded(pod) ? null : node;
    }
}
