package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a Job without indexes. They form no gang, because such a Job may be a list of tasks. If another
 * convention names their gang without a size, the size is the Job's number of parallel pods.
 */
final class PlainJob implements Convention {
    @Override
    public @Nullable GangMembership membership(Pod pod) {
        OwnerReference owner = IndexedJob.job(pod);
        return owner == null || IndexedJob.hasIndex(pod)
                ? null
                : GangMembership.owner(this, "ownerReferences", owner.getName(), GroupKind.JOB);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        return group == null
                ? new GangSize.Missing(GroupKind.JOB, membership.group())
                : AnnotationParsing.together(group, IndexedJob.atOnce(ObjectPart.spec(group)));
    }
}
