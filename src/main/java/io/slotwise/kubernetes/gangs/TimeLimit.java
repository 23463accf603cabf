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
 * How long pods may run, as Kubernetes and other projects write it: the same on every node, since such a limit ends the
 * pods wherever they run. Within an object Slurm's key goes before Kueue's, and that before
 * {@code activeDeadlineSeconds}.
 *
 * <p>Source: SlinkyProject/slurm-bridge, internal/wellknown/annotations.go; kubernetes-sigs/kueue,
 * pkg/controller/constants.
 */
public final class TimeLimit {
    /** Annotation of pods, or of what makes them: minutes. */
    public static final String SLURM = "slurmjob.slinky.slurm.net/timelimit";
    /** Label of pods, or of what makes them: seconds. */
    public static final String KUEUE = "kueue.x-k8s.io/max-exec-time-seconds";

    private static final long LONGEST = 10L * 365 * 24 * 3600;
    /** The longest that Kubernetes lets a pod say. */
    private static final long MOST_OF_POD = Integer.MAX_VALUE;

    private static final int SECONDS_PER_MINUTE = 60;

    private TimeLimit() {}

    /**
     * How long a gang may run: what one of its pods says of the gang; else the longest time that any of its pods may
     * run, which the pod says or the nearest of its owners that says anything; else what the objects say that name the
     * gang. Null: none of them says it. O(pods).
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

    /** What a pod says, or the nearest of its owners that says anything. */
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

    /** As much of a limit as a pod may state, seconds. */
    public static long ofPod(long limit) {
        return Math.clamp(limit, 1L, MOST_OF_POD);
    }

    /** What an object says of the pods that come of it; null: nothing. */
    private static @Nullable Long of(GenericKubernetesResource object) {
        String minutes = AnnotationParsing.annotation(object, SLURM);
        if (minutes != null) {
            return AnnotationParsing.figure(SLURM, minutes, object, LONGEST / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
        }
        String seconds = AnnotationParsing.label(object, KUEUE);
        if (seconds != null) {
            return AnnotationParsing.figure(KUEUE, seconds, object, LONGEST);
        }
        Map<?, ?> spec = AnnotationParsing.spec(object);
        Object stated = spec.get("activeDeadlineSeconds");
        Object value = stated == null
                ? AnnotationParsing.fields(object, spec, "runPolicy").get("activeDeadlineSeconds")
                : stated;
        return value == null ? null : AnnotationParsing.figure("activeDeadlineSeconds", value, object, LONGEST);
    }
}
