package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pods of an Indexed Job that runs all its indexes at once. A Job with fewer parallel pods than indexes is a list
 * of tasks and no gang. So is a Job without indexes.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/job/indexed_job_utils.go.
 */
final class IndexedJob implements Convention {
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        OwnerReference owner = job(pod);
        return owner == null || !hasIndex(pod)
                ? null
                : GangMembership.owner(this, "ownerReferences", owner.getName(), GroupKind.JOB);
    }

    static boolean hasIndex(Pod pod) {
        return index(pod) != null;
    }

    static @Nullable String index(Pod pod) {
        String label = AnnotationParsing.label(pod, INDEX);
        return label == null ? AnnotationParsing.annotation(pod, INDEX) : label;
    }

    static @Nullable OwnerReference job(Pod pod) {
        OwnerReference owner = Owners.controller(pod);
        return owner != null && GroupKind.of(String.valueOf(owner.getApiVersion()), owner.getKind()) == GroupKind.JOB
                ? owner
                : null;
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.JOB, membership.group());
        }
        ObjectPart specPart = ObjectPart.spec(group);
        long atOnce = atOnce(specPart);
        return atOnce < Math.max(1, specPart.count("completions", atOnce))
                ? new GangSize.Apart()
                : AnnotationParsing.together(group, atOnce);
    }

    static long atOnce(ObjectPart jobPart) {
        long parallelism = jobPart.count("parallelism", 1);
        return Math.min(parallelism, jobPart.count("completions", parallelism));
    }
}
