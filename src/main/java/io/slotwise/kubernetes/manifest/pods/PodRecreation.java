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
 * When pods that are evicted are gone, and when the controller that made them has made them again.
 *
 * <p>A Job counts each evicted pod as failed and makes no pod before a pause of 10 s from the last failure on, twice as
 * long with each further one since the last pod that succeeded, ten minutes at most. Indexes with a backoff limit of
 * their own ({@code backoffLimitPerIndex}) count for themselves, and their pods say how often. A pod failure policy
 * that ignores disruptions spares the Job's limit, not the pause. Whether a pod counts as failed with its eviction or
 * with its end ({@code podReplacementPolicy}) is not to be seen on it; the later is taken.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/backoff_utils.go; issue 130881 and pull request 119434 of
 * kubernetes/kubernetes.
 */
public final class PodRecreation {
    /** How often the failed pods of an index have counted against its limit; only where an index has one. */
    static final String INDEX_FAILURES = "batch.kubernetes.io/job-index-failure-count";

    /** How often they have not, by the Job's pod failure policy. */
    static final String INDEX_IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");

    private PodRecreation() {}

    /** The most seconds from its eviction until a pod is gone. */
    public static long gone(Pod pod) {
        Long grace = pod.getSpec().getTerminationGracePeriodSeconds();
        return EvictionTiming.gone(grace == null ? EvictionTiming.USUAL_GRACE : grace);
    }

    /**
     * How long the pods of a gang are away if they are evicted. O(pods).
     *
     * @param pods all pods of the gang, made by a controller
     * @param before how often all of them have been evicted before
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

    /** Whether it is made again when it is evicted. */
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

    /** Jobs of Kubernetes; others have Jobs of their own. */
    private static boolean isJob(OwnerReference owner) {
        return "Job".equals(owner.getKind())
                && String.valueOf(owner.getApiVersion()).startsWith("batch/");
    }
}
