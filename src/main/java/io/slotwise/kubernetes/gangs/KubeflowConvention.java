package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of Kubeflow's training operator and of its MPI operator: all replicas, or {@code
 * schedulingPolicy.minAvailable} of them. A launcher that is created only when the workers are ready counts once it is
 * known.
 *
 * <p>Source: kubeflow/trainer (v1), pkg/apis/kubeflow.org/v1; kubeflow/mpi-operator, pkg/apis/kubeflow/v2beta1.
 */
final class KubeflowConvention implements Convention {
    private static final String NAME = "training.kubeflow.org/job-name";
    static final String ROLE = "training.kubeflow.org/job-role";
    private static final String OPERATOR = "training.kubeflow.org/operator-name";
    private static final Map<String, GroupKind> KINDS = Map.of(
            "pytorchjob-controller", GroupKind.PYTORCH_JOB,
            "tfjob-controller", GroupKind.TF_JOB,
            "mpijob-controller", GroupKind.MPI_JOB,
            "mpi-operator", GroupKind.MPI_JOB,
            "xgboostjob-controller", GroupKind.XGBOOST_JOB,
            "paddlejob-controller", GroupKind.PADDLE_JOB,
            "jaxjob-controller", GroupKind.JAX_JOB);
    private static final String LAUNCHER = "Launcher";

    /** The fields that have the list of roles, in the different kinds. */
    private static final List<String> ROLES = List.of(
            "pytorchReplicaSpecs",
            "tfReplicaSpecs",
            "mpiReplicaSpecs",
            "xgbReplicaSpecs",
            "paddleReplicaSpecs",
            "jaxReplicaSpecs");

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String name = AnnotationParsing.label(pod, NAME);
        String operator = AnnotationParsing.label(pod, OPERATOR);
        GroupKind kind = operator == null ? null : KINDS.get(operator);
        return name == null || kind == null ? null : GangMembership.owner(this, NAME, name, kind);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return membership.kind() == null
                    ? new GangSize.Unstated(membership.words())
                    : new GangSize.Missing(membership.kind(), membership.group());
        }
        ObjectPart specPart = ObjectPart.spec(group);
        ObjectPart schedulingPart = specPart.at("runPolicy").at("schedulingPolicy");
        boolean waits = "WaitForWorkersReady".equals(specPart.get("launcherCreationPolicy"))
                && pods.stream().noneMatch(pod -> "launcher".equals(AnnotationParsing.label(pod, ROLE)));
        long replicas = 0;
        for (String list : ROLES) {
            ObjectPart rolesPart = specPart.at(list);
            for (Object role : rolesPart.fields().keySet()) {
                if (!waits || !role.equals(LAUNCHER)) {
                    replicas += rolesPart.at(String.valueOf(role)).count("replicas", 1);
                }
            }
        }
        long least = schedulingPart.count("minAvailable", replicas);
        return AnnotationParsing.together(group, waits ? Math.min(least, replicas) : least);
    }

    @Override
    public boolean isLeader(Pod pod) {
        return "master".equals(AnnotationParsing.label(pod, ROLE));
    }
}
