package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of pods by Kubernetes and other projects. A limit is the same on every node, because it ends the pods
 * wherever they run. Within an object Slurm's key precedes Kueue's, and that precedes {@code activeDeadlineSeconds}.
 *
 * <p>Source: SlinkyProject/slurm-bridge, internal/wellknown/annotations.go; kubernetes-sigs/kueue,
 * pkg/controller/constants.
 */
public final class TimeLimit {
    /** Annotation of pods or their owners: time limit, minutes. */
    public static final String SLURM = "slurmjob.slinky.slurm.net/timelimit";
    /** Label of pods or their owners: time limit, seconds. */
    public static final String KUEUE = "kueue.x-k8s.io/max-exec-time-seconds";

    private static final long LONGEST = 10L * 365 * 24 * 3600;
    /** The longest limit that Kubernetes accepts on a pod, seconds. */
    private static final long MOST_OF_POD = Integer.MAX_VALUE;

    private static final int SECONDS_PER_MINUTE = 60;

    private TimeLimit() {}

    /**
     * Returns a gang's time limit. A limit that a pod states for the gang comes first. Then comes the longest limit of
     * its pods, on the pod or its nearest owner with one, and then the limit of objects that name the gang. Null
     * without any. O(pods).
     *
     * @param named the objects that name the gang, in order of precedence
     */
    static @Nullable Long of(List<Pod> pods, List<GenericKubernetesResource> named, GroupObjects objects) {
        OptionalLong minutes = AnnotationParsing.annotated(pods, SLURM, LONGEST / SECONDS_PER_MINUTE);
        if (minutes.isPresent()) {
            return minutes.getAsLong() * SECONDS_PER_MINUTE;
        }
        OptionalLong seconds = AnnotationParsing.labelled(pods, KUEUE, LONGEST);
        if (seconds.isPresent()) {
            return seconds.getAsLong();
        }
        Map<GroupKey, Optional<Long>> ofOwners = new HashMap<>();
        Optional<Long> longest = pods.stream()
                .flatMap(pod -> of(pod, objects, ofOwners).stream())
                .max(Long::compare);
        return longest.or(() -> first(named.stream())).orElse(null);
    }

    /** Returns the limit on a pod, or on its nearest owner with one. */
    private static Optional<Long> of(Pod pod, GroupObjects objects, Map<GroupKey, Optional<Long>> ofOwners) {
        Long stated = pod.getSpec().getActiveDeadlineSeconds();
        GroupKey key = Owners.of(pod);
        return stated != null || key == null
                ? Optional.ofNullable(stated).map(TimeLimit::ofPod)
                : ofOwners.computeIfAbsent(key, _ -> first(Owners.found(Owners.above(pod, objects), objects)));
    }

    private static Optional<Long> first(Stream<GenericKubernetesResource> objects) {
        return objects.flatMap(object -> Stream.ofNullable(of(object))).findFirst();
    }

    /** Returns a limit reduced to the most that a pod may state, seconds. */
    public static long ofPod(long limit) {
        return Math.clamp(limit, 1L, MOST_OF_POD);
    }

    private static @Nullable Long of(GenericKubernetesResource object) {
        String minutes = AnnotationParsing.annotation(object, SLURM);
        if (minutes != null) {
            return AnnotationParsing.figure(SLURM, minutes, object, LONGEST / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
        }
        String seconds = AnnotationParsing.label(object, KUEUE);
        if (seconds != null) {
            return AnnotationParsing.figure(KUEUE, seconds, object, LONGEST);
        }
        ObjectPart specPart = ObjectPart.spec(object);
        Object stated = specPart.get("activeDeadlineSeconds");
        Object value = stated == null ? specPart.at("runPolicy").get("activeDeadlineSeconds") : stated;
        return value == null ? null : AnnotationParsing.figure("activeDeadlineSeconds", value, object, LONGEST);
    }
}
