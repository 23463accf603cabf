package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods of all Jobs of a JobSet: the sum of replicas times parallelism. A JobSet that makes some of its Jobs only
 * when others run or have ended can have no such gang.
 *
 * <p>Source: kubernetes-sigs/jobset, api/jobset/v1alpha2.
 */
final class JobSetConvention implements Convention {
    private static final String NAME = "jobset.sigs.k8s.io/jobset-name";

    @Override
    public @Nullable GangMembership claim(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        return name == null ? null : GangMembership.owner(this, NAME, name, GroupKind.JOB_SET);
    }

    @Override
    public GangSize extent(GangMembership claim, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.JOB_SET, claim.group());
        }
        Map<?, ?> spec = AnnotationParsing.spec(group);
        boolean inOrder = "InOrder"
                .equals(AnnotationParsing.fields(group, spec, "startupPolicy").get("startupPolicyOrder"));
        long sum = 0;
        for (Map<?, ?> jobs : AnnotationParsing.items(group, spec, "replicatedJobs")) {
            inOrder |= jobs.containsKey("dependsOn");
            Map<?, ?> job = AnnotationParsing.fields(group, AnnotationParsing.fields(group, jobs, "template"), "spec");
            sum = AnnotationParsing.plus(
                    sum, AnnotationParsing.count(group, jobs, "replicas", 1), IndexedJob.atOnce(group, job));
        }
        if (inOrder) {
            throw new IllegalArgumentException(
                    ("%s makes its Jobs one after the other: expected all pods at once. Maybe give the pods "
                                    + "of each Job the label `%s`.")
                            .formatted(AnnotationParsing.name(group), Conventions.OWN_LABEL));
        }
        return AnnotationParsing.together(group, sum);
    }
}
