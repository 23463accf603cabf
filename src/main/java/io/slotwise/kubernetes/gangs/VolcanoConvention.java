package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Volcano: an annotation names a PodGroup. Its {@code spec.minMember} is the size, unless the pods state it themselves,
 * with {@code minTaskMember} pods of each task. Tasks that depend on others have no pods before those run, so the gang
 * starts without them.
 *
 * <p>Pods that state only the size belong to one controller, for which Volcano creates a PodGroup {@code podgroup-UID}.
 *
 * <p>Source: volcano-sh/apis, pkg/apis/scheduling/v1beta1/labels.go; volcano-sh/volcano, pkg/controllers/podgroup.
 */
final class VolcanoConvention implements Convention {
    private static final String GROUP = "scheduling.k8s.io/group-name";
    private static final String GROUP_TOO = "scheduling.volcano.sh/group-name";
    static final String TASK = "volcano.sh/task-spec";
    private static final String SIZE = "scheduling.volcano.sh/group-min-member";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        for (String key : List.of(GROUP, GROUP_TOO)) {
            String group = AnnotationParsing.annotation(pod, key);
            if (group != null) {
                return GangMembership.group(this, key, group, GroupKind.VOLCANO);
            }
        }
        String size = AnnotationParsing.annotation(pod, SIZE);
        return size == null ? null : ofController(pod, size);
    }

    private GangMembership ofController(Pod pod, String size) {
        OwnerReference controller = Owners.controller(pod);
        return controller == null || controller.getUid() == null
                ? GangMembership.unclear(
                        this,
                        pod,
                        "`%s` (%s) of %s needs the annotation `%s`: expected the gang's name"
                                .formatted(SIZE, SafeText.value(size), AnnotationParsing.name(pod), GROUP))
                : GangMembership.group(this, SIZE, "podgroup-" + controller.getUid(), GroupKind.VOLCANO);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        OptionalLong size = AnnotationParsing.annotated(pods, SIZE, GangSize.LARGEST);
        if (size.isPresent()) {
            return new GangSize.Together((int) size.getAsLong());
        }
        return group == null ? new GangSize.Missing(GroupKind.VOLCANO, membership.group()) : together(group, Set.of());
    }

    @Override
    public GangSize size(
            GangMembership membership,
            List<Pod> pods,
            @Nullable GenericKubernetesResource group,
            GroupObjects objects) {
        GangSize size = size(membership, pods, group);
        GroupKey key = Owners.of(pods.getFirst());
        GenericKubernetesResource job = key == null || key.kind() != GroupKind.VOLCANO_JOB ? null : objects.find(key);
        return group == null || job == null || !(size instanceof GangSize.Together)
                ? size
                : together(group, late(pods, job));
    }

    /**
     * Returns the size with the minimum of each task, without late tasks. As in Volcano's own plugin, tasks count only
     * if the gang has as many pods as their minima in total.
     */
    private static GangSize.Together together(GenericKubernetesResource group, Set<String> late) {
        int size = AnnotationParsing.size(group, "spec", "minMember");
        Map<?, ?> tasks = ObjectPart.spec(group).at("minTaskMember").fields();
        Map<String, Integer> least = new HashMap<>();
        long sum = 0;
        long without = 0;
        for (Object name : tasks.keySet()) {
            long count = AnnotationParsing.figure(
                    "minTaskMember", String.valueOf(tasks.get(name)), group, 0, GangSize.LARGEST);
            sum += count;
            if (late.contains(String.valueOf(name))) {
                without += count;
            } else {
                least.put(String.valueOf(name), (int) count);
            }
        }
        return sum > size
                ? new GangSize.Together(size)
                : new GangSize.Together(
                        (int) Math.max(1, size - without),
                        EndedPods.NONE,
                        new RoleMinima(least, VolcanoConvention::task));
    }

    /** Returns the tasks whose pods are created only when those of others run, while none of them exists. */
    private static Set<String> late(List<Pod> pods, GenericKubernetesResource job) {
        Set<String> late = new HashSet<>();
        List<ObjectPart> tasks = ObjectPart.spec(job).items("tasks");
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).get("dependsOn") != null) {
                Object name = tasks.get(i).get("name");
                late.add(name == null ? "default" + i : String.valueOf(name));
            }
        }
        pods.forEach(pod -> late.remove(String.valueOf(task(pod))));
        return late;
    }

    private static @Nullable String task(Pod pod) {
        return AnnotationParsing.annotation(pod, TASK);
    }
}
