package io.slotwise.kubernetes.manifest.inquiry;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.text.Suggestion;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels and annotations of pods that other schedulers read and Slotwise does not, or that resemble its own. */
public final class ForeignKeys {
    /** The schedulers by the prefix of their keys. */
    private static final Map<String, String> SCHEDULERS = Map.of(
            "kueue.x-k8s.io/", "Kueue",
            "scheduling.volcano.sh/", "Volcano",
            "volcano.sh/", "Volcano",
            "yunikorn.apache.org/", "YuniKorn",
            "gang.scheduling.koordinator.sh/", "Koordinator",
            "scheduling.koordinator.sh/", "Koordinator",
            "kai.scheduler/", "KAI",
            "scheduling.x-k8s.io/", "coscheduling");

    /** The keys of these that are read, of which notes exist already, or that controllers write. */
    private static final Set<String> KNOWN = Set.of(
            "kueue.x-k8s.io/queue-name",
            "kueue.x-k8s.io/pod-group-name",
            "kueue.x-k8s.io/pod-group-total-count",
            "kueue.x-k8s.io/max-exec-time-seconds",
            "kueue.x-k8s.io/podset-required-topology",
            "kueue.x-k8s.io/podset-preferred-topology",
            "kueue.x-k8s.io/podset-unconstrained-topology",
            "kueue.x-k8s.io/podset-slice-required-topology",
            "kueue.x-k8s.io/podset-slice-size",
            "kueue.x-k8s.io/podset-group-name",
            "kueue.x-k8s.io/managed",
            "scheduling.volcano.sh/group-name",
            "scheduling.volcano.sh/group-min-member",
            "volcano.sh/task-spec",
            "volcano.sh/task-index",
            "volcano.sh/job-name",
            "volcano.sh/job-namespace",
            "volcano.sh/job-version",
            "yunikorn.apache.org/app-id",
            "yunikorn.apache.org/task-groups",
            "yunikorn.apache.org/task-group-name",
            "gang.scheduling.koordinator.sh/name",
            "gang.scheduling.koordinator.sh/min-available",
            "gang.scheduling.koordinator.sh/groups",
            "kai.scheduler/topology-required-placement",
            "kai.scheduler/topology-preferred-placement",
            "kai.scheduler/topology",
            "scheduling.x-k8s.io/pod-group");

    private ForeignKeys() {}

    /** Returns a warning for each key and value with all its pods. O(keys of pods). */
    public static List<IntakeWarning> warnings(IntakeResult result) {
        PodFindings findings = new PodFindings();
        result.members().values().stream().flatMap(Collection::stream).forEach(pod -> {
            look(pod, pod.getMetadata().getLabels(), findings);
            look(pod, pod.getMetadata().getAnnotations(), findings);
        });
        return findings.warnings(_ -> true);
    }

    private static void look(Pod pod, @Nullable Map<String, String> texts, PodFindings findings) {
        if (texts == null) {
            return;
        }
        new TreeMap<>(texts).forEach((key, value) -> {
            int slash = key.indexOf('/');
            String prefix = key.substring(0, slash + 1);
            String scheduler = SCHEDULERS.get(prefix);
            if (scheduler != null && !KNOWN.contains(key)) {
                findings.add(
                        new Finding(
                                IntakeWarning.Reason.NOT_SUPPORTED,
                                "Pod",
                                "",
                                key,
                                "what %s reads (%s) is not read".formatted(scheduler, SafeText.value(value)),
                                "it does not count"),
                        pod);
            } else if (slash > 0
                    && !prefix.equals(AnnotationKeys.PREFIX)
                    && Suggestion.nearest(prefix, List.of(AnnotationKeys.PREFIX))
                            .isPresent()) {
                findings.add(
                        new Finding(
                                IntakeWarning.Reason.IGNORED,
                                "Pod",
                                "",
                                SafeText.value(key),
                                "the key is not Slotwise's, maybe it is `%s`"
                                        .formatted(AnnotationKeys.PREFIX + SafeText.value(key.substring(slash + 1))),
                                "it does not count"),
                        pod);
            }
        });
    }
}
