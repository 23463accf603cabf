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

/** The state of a pod in the loop's terms. */
public final class PodState {
    private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");

    /** The reasons of kube-scheduler for a pod that it tried and did not place. */
    private static final Set<String> KUBE_SCHEDULERS = Set.of("Unschedulable", "SchedulerError");

    /** The reason of a pod that ran out of {@code activeDeadlineSeconds} before a container ran. It was not refused. */
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

    /**
     * Returns when the last container finished; for a running pod that is being deleted, the end of its grace period.
     */
    private static OptionalLong endedAt(Pod pod) {
        String deletion = pod.getMetadata().getDeletionTimestamp();
        if (hasEnded(pod)) {
            return Pods.endedAt(pod);
        }
        return deletion == null ? OptionalLong.empty() : Pods.second(deletion);
    }

    /** Returns whether a pod has freed its room. A pod that is being deleted has not yet. */
    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && TERMINAL.contains(String.valueOf(pod.getStatus().getPhase()));
    }

    private static boolean hasSucceeded(Pod pod) {
        return pod.getStatus() != null && "Succeeded".equals(pod.getStatus().getPhase());
    }

    /** Returns whether a pod has ended or is being deleted. */
    public static boolean isOver(Pod pod) {
        return hasEnded(pod) || pod.getMetadata().getDeletionTimestamp() != null;
    }

    static Member.State state(Pod pod) {
        boolean over = isOver(pod);
        if (nodeOf(pod) == null) {
            return over ? Member.State.ENDED : Member.State.WAITING;
        }
        return over ? Member.State.TERMINATING : Member.State.BOUND;
    }

    private static boolean nominated(Pod pod) {
        return pod.getStatus() != null && pod.getStatus().getNominatedNodeName() != null;
    }

    /** Returns whether a reason is kube-scheduler's: neither a gate's nor one that Slotwise writes on waiting pods. */
    private static boolean isByKubeScheduler(@Nullable String reason) {
        return reason == null || reason.isEmpty() || KUBE_SCHEDULERS.contains(reason);
    }

    /**
     * Returns why kube-scheduler could not place a released pod, or, for a failed pod, why its kubelet rejected it.
     * Gates and the results of Slotwise's own filter for pods without a placement do not count.
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
     * Returns why a kubelet rejected a pod, such as {@code OutOfcpu: Node didn't have enough resource}. Empty if one of
     * its containers has run.
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

    /** Returns the gang that a pod names, or its individual one. Empty if this cannot be told. */
    static String gangOf(Pod pod) {
        return Isolated.get(() -> Pods.gangOf(pod).toString(), _ -> "");
    }

    /** Returns the node of a pod that has not ended, or null. */
    static @Nullable String nodeOf(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() || hasEnded(pod) ? null : node;
    }
}
