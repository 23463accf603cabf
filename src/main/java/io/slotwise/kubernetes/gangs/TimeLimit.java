package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How long pods may run, as other projects write it: the same on every node, since such a limit ends the pods wherever
 * they run.
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
     * Slurm's, else Kueue's, else {@code activeDeadlineSeconds}; of each the pods' before the object's. Null: none of
     * them.
     */
    static @Nullable Long of(List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong minutes = AnnotationParsing.annotated(pods, SLURM, LONGEST / SECONDS_PER_MINUTE);
        if (minutes.isPresent()) {
            return minutes.getAsLong() * SECONDS_PER_MINUTE;
        }
        String ofGroup = group == null ? null : AnnotationParsing.annotation(group, SLURM);
        if (group != null && ofGroup != null) {
            return AnnotationParsing.figure(SLURM, ofGroup, group, LONGEST / SECONDS_PER_MINUTE) * SECONDS_PER_MINUTE;
        }
        OptionalLong seconds = AnnotationParsing.labelled(pods, KUEUE, LONGEST);
        if (seconds.isPresent()) {
            return seconds.getAsLong();
        }
        String labelled = group == null ? null : AnnotationParsing.label(group, KUEUE);
        if (group != null && labelled != null) {
            return AnnotationParsing.figure(KUEUE, labelled, group, LONGEST);
        }
        return pods.stream()
                .map(pod -> pod.getSpec().getActiveDeadlineSeconds())
                .filter(Objects::nonNull)
                .findFirst()
                .map(TimeLimit::ofPod)
                .orElseGet(() -> group == null ? null : deadline(group));
    }

    /** As much of a limit as a pod may state, seconds. */
    public static long ofPod(long limit) {
        return Math.clamp(limit, 1L, MOST_OF_POD);
    }

    private static @Nullable Long deadline(GenericKubernetesResource group) {
        Map<?, ?> spec = AnnotationParsing.spec(group);
        Object stated = spec.get("activeDeadlineSeconds");
        Object value = stated == null
                ? AnnotationParsing.fields(group, spec, "runPolicy").get("activeDeadlineSeconds")
                : stated;
        return value == null ? null : AnnotationParsing.figure("activeDeadlineSeconds", value, group, LONGEST);
    }
}
