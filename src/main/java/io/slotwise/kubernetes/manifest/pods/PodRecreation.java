package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.kubernetes.gangs.Owners;
import io.slotwise.kubernetes.manifest.field.Annotations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The times at which evicted pods are gone, and at which their controller has recreated them.
 *
 * <p>A Job counts each evicted pod as failed. It creates no pod until a pause of 10 s after the last failure, doubled
 * with each further failure since the last success, at most ten minutes. Indexes with a backoff limit of their own
 * ({@code backoffLimitPerIndex}) count separately, and their pods state the count. A pod failure policy that ignores
 * disruptions spares the Job's limit, not the pause. A pod does not show whether it counts as failed at its eviction or
 * at its end ({@code podReplacementPolicy}), so the later time is used.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/backoff_utils.go; issue 130881 and pull request 119434 of
 * kubernetes/kubernetes.
 */
public final class PodRecreation {
    /** The number of failed pods of an index that counted against its limit; only for an index with a limit. */
    static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";

    /** The number of failed pods of an index that the Job's pod failure policy ignored. */
    static final String INDEX_IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

    private PodRecreation() {}

    /** Returns the most seconds from a pod's eviction until it is gone. */
    public static long gone(Pod pod) {
        Long grace = pod.getSpec().getTerminationGracePeriodSeconds();
        return EvictionTiming.gone(grace == null ? EvictionTiming.USUAL_GRACE : grace);
    }

    /**
     * Returns how long the pods of a gang are away after an eviction. O(pods).
     *
     * @param pods all pods of the gang, made by a controller
     * @param before the number of earlier evictions of all of them
     */
    public static EvictionTiming stop(List<Pod> pods, int before) {
        long gone = pods.stream().mapToLong(PodRecreation::gone).max().orElse(0);
        Map<String, Long> fellows =
                pods.stream().collect(Collectors.groupingBy(PodRecreation::controllerUid, Collectors.counting()));
        long pause = pods.stream()
                .mapToLong(pod -> pause(pod, fellows.getOrDefault(controllerUid(pod), 1L) * (before + 1)))
                .max()
                .orElse(0);
        return new EvictionTiming(gone, gone + pause);
    }

    private static String controllerUid(Pod pod) {
        return Optional.ofNullable(Owners.controller(pod))
                .map(OwnerReference::getUid)
                .orElse("");
    }

    public static boolean isControlled(Pod pod) {
        return Owners.controller(pod) != null;
    }

    private static long pause(Pod pod, long failures) {
        OwnerReference controller = Owners.controller(pod);
        if (controller == null || !isJob(controller)) {
            return EvictionTiming.FIRST_PAUSE;
        }
        String ofIndex = Annotations.find(pod, INDEX_FAILURES);
        return EvictionTiming.pause(
                ofIndex == null ? failures : count(ofIndex) + count(Annotations.find(pod, INDEX_IGNORED)) + 1);
    }

    private static long count(@Nullable String text) {
        return text != null && COUNT.matcher(text).matches() ? Long.parseLong(text) : 0;
    }

    /** Returns whether the owner is a Kubernetes Job. Other projects have Jobs of their own. */
    private static boolean isJob(OwnerReference owner) {
        return "Job".equals(owner.getKind())
                && String.valueOf(owner.getApiVersion()).startsWith("batch/");
    }
}
