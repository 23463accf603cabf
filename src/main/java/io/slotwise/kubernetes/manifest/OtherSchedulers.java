package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The waiting pods of files whose {@code schedulerName} is none of Slotwise's, and the warnings about them. Used for
 * one intake.
 */
final class OtherSchedulers {
    private static final int SHOWN = 3;
    /** Stands for a missing name. The API server then writes the name of the default scheduler. */
    private static final String NONE = "";

    /**
     * The pods that are planned nevertheless, because they state a gang or a runtime, or because the user asks for
     * their scheduler. By scheduler, the number of pods of each gang.
     */
    private final Map<String, SortedMap<GangId, Integer>> planned = new TreeMap<>();

    private final Map<String, SortedMap<GangId, Integer>> unplanned = new TreeMap<>();
    private int single;

    void addPlanned(Pod pod) {
        add(planned, pod);
    }

    void addUnplanned(Pod pod) {
        if (Pods.gangOf(pod).equals(Pods.ownGang(pod))) {
            single++;
        } else {
            add(unplanned, pod);
        }
    }

    private static void add(Map<String, SortedMap<GangId, Integer>> gangs, Pod pod) {
        String scheduler = Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), NONE);
        gangs.computeIfAbsent(scheduler, _ -> new TreeMap<>(Comparator.naturalOrder()))
                .merge(Pods.gangOf(pod), 1, Integer::sum);
    }

    List<IntakeWarning> warnings(String ours) {
        List<IntakeWarning> warnings = new ArrayList<>();
        unplanned.forEach((scheduler, gangs) -> warnings.add(warning(
                IntakeWarning.Reason.OTHER_SCHEDULER,
                "%s not planned: %s; expected schedulerName %s. Maybe plan with --scheduler-name %s"
                        .formatted(
                                are(gangs),
                                name(gangs, scheduler),
                                ours,
                                scheduler.equals(NONE) ? PodFilter.KUBERNETES_DEFAULT : SafeText.value(scheduler)))));
        planned.forEach((scheduler, gangs) -> warnings.add(warning(
                IntakeWarning.Reason.TRIED,
                "%s planned here, but %s: in a cluster Slotwise starts pods with schedulerName %s only"
                        .formatted(are(gangs), name(gangs, scheduler), ours))));
        if (single > 0) {
            warnings.add(warning(
                    IntakeWarning.Reason.OTHER_SCHEDULER,
                    ("%s without a node and without a gang ignored: expected schedulerName %s, the label `%s` "
                                    + "or the annotation `%s`")
                            .formatted(pods(single), ours, AnnotationKeys.GANG, AnnotationKeys.RUNTIME)));
        }
        return warnings;
    }

    private static String are(SortedMap<GangId, Integer> gangs) {
        String first = gangs.entrySet().stream()
                .limit(SHOWN)
                .map(entry -> gangs.size() == 1
                        ? "%s (%s)".formatted(entry.getKey(), pods(entry.getValue()))
                        : entry.getKey().toString())
                .collect(Collectors.joining(", "));
        if (gangs.size() == 1) {
            return "gang %s is".formatted(first);
        }
        String more = gangs.size() > SHOWN ? " and %d more".formatted(gangs.size() - SHOWN) : "";
        return "%d gangs (%s%s) are".formatted(gangs.size(), first, more);
    }

    private static String name(SortedMap<GangId, Integer> gangs, String scheduler) {
        String their = gangs.size() == 1 ? "its" : "their";
        return scheduler.equals(NONE)
                ? their + " pods name no scheduler, which means the default one"
                : their + " pods name the scheduler " + SafeText.value(scheduler);
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }

    private static IntakeWarning warning(IntakeWarning.Reason reason, String message) {
        return new IntakeWarning(reason, Subject.of("Pod", ""), message);
    }
}
