package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.text.SafeText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gangs of Kubernetes: {@code spec.schedulingGroup.podGroupName} of the pod, {@code
 * spec.schedulingPolicy.gang.minCount} of the PodGroup. A PodGroup of the policy {@code basic} is no gang. The Job
 * controller creates a PodGroup for every Job. It has no effect unless the Job asks for a policy in {@code
 * spec.scheduling}.
 *
 * <p>Source: Kubernetes 1.37, staging/src/k8s.io/api/scheduling/v1beta1/types.go.
 */
final class NativePodGroup implements Convention {
    private static final String FIELD = "spec.schedulingGroup.podGroupName";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        var group = pod.getSpec().getSchedulingGroup();
        String name = group == null ? null : group.getPodGroupName();
        return name == null || name.isBlank() ? null : GangMembership.group(this, FIELD, name, GroupKind.POD_GROUP);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.POD_GROUP, membership.group());
        }
        Object parent = ObjectPart.spec(group).get("parentCompositePodGroupName");
        if (parent != null) {
            throw new IllegalArgumentException(("%s is part of the CompositePodGroup %s, which Slotwise does not read: "
                            + "expected a PodGroup by itself")
                    .formatted(AnnotationParsing.name(group), SafeText.value(String.valueOf(parent))));
        }
        ObjectPart policyPart = ObjectPart.spec(group).at("schedulingPolicy");
        return policyPart.fields().containsKey("basic")
                ? new GangSize.Apart()
                : new GangSize.Together(AnnotationParsing.size(group, "spec", "schedulingPolicy", "gang", "minCount"));
    }

    /**
     * Returns whether a pod's PodGroup has the name that the Job controller gives it, {@code JOB-HASH-JOB-pgt-0-HASH}.
     * Reads the pod alone. O(1).
     */
    static boolean isMadeForJob(Pod pod, String group) {
        OwnerReference job = IndexedJob.job(pod);
        return job != null && group.startsWith(job.getName() + "-") && group.contains("-" + job.getName() + "-pgt-0-");
    }

    /**
     * Returns whether the Job controller created a PodGroup for a Job without a policy. Its {@code workloadRef} and its
     * controller, the Job, distinguish it from a user's; one that was never in a cluster has no controller. A missing
     * Job counts as one without a policy.
     *
     * @param group the PodGroup, or null
     */
    static boolean saysNothing(Pod pod, @Nullable GenericKubernetesResource group, GroupObjects objects) {
        GroupKey key = Owners.of(pod);
        if (group == null
                || key == null
                || key.kind() != GroupKind.JOB
                || group.get("spec", "schedulingPolicy", "basic") == null
                || group.get("spec", "workloadRef") == null
                || !(key.equals(Owners.of(group)) || isOfAFile(group))) {
            return false;
        }
        GenericKubernetesResource job = objects.find(key);
        return job == null || job.get("spec", "scheduling", "schedulingPolicy") == null;
    }

    private static boolean isOfAFile(GenericKubernetesResource group) {
        return group.getMetadata().getUid() == null && Owners.controller(group) == null;
    }
}
