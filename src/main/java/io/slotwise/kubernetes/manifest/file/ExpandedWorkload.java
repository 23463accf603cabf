package io.slotwise.kubernetes.manifest.file;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.gangs.GangRecognition;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.workload.Expansion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A workload as written, with the pods that its controller would create.
 *
 * @param place where it was read, for messages
 */
record ExpandedWorkload(GenericKubernetesResource object, Expansion expansion, String place) {
    private static final int SHOWN = 3;

    /** Returns the workloads whose pods are not among these. O(workloads + pods). */
    static List<ExpandedWorkload> withoutPods(List<ExpandedWorkload> all, List<Pod> pods, GroupObjects groups) {
        if (all.isEmpty()) {
            return all;
        }
        Set<GroupKey> named = new HashSet<>();
        pods.forEach(pod -> named.addAll(Conventions.groups(pod, groups)));
        return all.stream()
                .filter(expanded -> !named.contains(GroupKey.of(expanded.object)))
                .toList();
    }

    /** Returns whether an object is a Deployment or the like. Files of applications often contain such objects. */
    static boolean isOfApplications(GenericKubernetesResource object) {
        return object.getApiVersion().startsWith("apps/");
    }

    /** Returns whether the workload is about gangs. Applications are only if their pods say so. */
    boolean concernsUs() {
        return !isOfApplications(object)
                || expansion.pods().stream()
                        .anyMatch(pod -> PodFilter.FILES.isOurs(pod.getSpec().getSchedulerName())
                                || !Conventions.gangOf(pod).equals(Conventions.ownGang(pod)));
    }

    /**
     * Returns a note for each workload. O(pods).
     *
     * @param all the pods of the input, with those of the workloads
     */
    static List<IntakeWarning> notes(List<ExpandedWorkload> made, GroupObjects groups, List<Pod> all) {
        Map<GangId, Long> counts = made.isEmpty()
                ? Map.of()
                : all.stream().collect(Collectors.groupingBy(Pods::gangOf, Collectors.counting()));
        return made.stream().map(expanded -> expanded.note(groups, counts)).toList();
    }

    private IntakeWarning note(GroupObjects groups, Map<GangId, Long> counts) {
        List<Pod> pods = expansion.pods();
        StringBuilder text = new StringBuilder("%s %s/%s"
                .formatted(
                        object.getKind(),
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName()));
        text.append(expansion.suspended() ? " is suspended; resumed it makes " : " makes ");
        text.append(pods.isEmpty() ? "no pods" : pods.size() == 1 ? "1 pod" : pods.size() + " pods");
        if (!pods.isEmpty()) {
            text.append(gangs(groups));
        }
        pods.stream()
                .collect(Collectors.groupingBy(Pods::gangOf, TreeMap::new, Collectors.toList()))
                .forEach((gang, members) -> text.append(shortage(gang, members, groups, counts)));
        expansion.remarks().forEach(remark -> text.append("; ").append(remark));
        return new IntakeWarning(IntakeWarning.Reason.EXPANDED, Subject.of(object), text.toString());
    }

    /** Returns that a gang needs more pods than there are, or an empty text. */
    private static String shortage(GangId gang, List<Pod> members, GroupObjects groups, Map<GangId, Long> counts) {
        long count = counts.getOrDefault(gang, 0L);
        try {
            return GangRecognition.of(members, groups).size() instanceof GangSize.Together together
                            && together.size() > count
                    ? "; the gang %s needs %d pods and cannot start with %d"
                            .formatted(gang.name(), together.size(), count)
                    : "";
        } catch (IllegalArgumentException e) {
            // The gang is refused with this message.
            return "";
        }
    }

    private String gangs(GroupObjects groups) {
        Map<String, List<Pod>> gangs = new LinkedHashMap<>();
        for (Pod pod : expansion.pods()) {
            gangs.computeIfAbsent(Conventions.gangOf(pod), _ -> new ArrayList<>())
                    .add(pod);
        }
        List<String> names = gangs.entrySet().stream()
                .filter(entry -> startsTogether(entry.getValue(), groups))
                .map(Map.Entry::getKey)
                .toList();
        if (names.isEmpty()) {
            return expansion.pods().size() == 1
                    ? ", which starts by itself"
                    : ", each of which starts by itself" + advice();
        }
        if (names.size() == 1) {
            return " of the gang " + names.getFirst();
        }
        String more = names.size() > SHOWN ? " and %d more".formatted(names.size() - SHOWN) : "";
        return " of %d gangs: %s%s"
                .formatted(names.size(), String.join(", ", names.subList(0, Math.min(SHOWN, names.size()))), more);
    }

    private String advice() {
        boolean isNamed = expansion.pods().stream().anyMatch(pod -> Pods.label(pod, AnnotationKeys.GANG) != null);
        return !isNamed && GroupKind.of(object) == GroupKind.JOB
                ? " (the label `%s` in its pod template would make them a gang)".formatted(AnnotationKeys.GANG)
                : "";
    }

    private static boolean startsTogether(List<Pod> pods, GroupObjects groups) {
        if (Conventions.gangOf(pods.getFirst()).equals(Conventions.ownGang(pods.getFirst()))) {
            return false;
        }
        try {
            return !(GangRecognition.of(pods, groups).size() instanceof GangSize.Apart);
        } catch (IllegalArgumentException e) {
            // The gang is refused with this message.
            return true;
        }
    }
}
