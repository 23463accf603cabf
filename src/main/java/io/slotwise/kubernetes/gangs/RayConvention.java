package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * KubeRay's clusters, including those of RayJobs and RayServices: the head and all workers. With an autoscaler only the
 * minimum number of workers counts, because the others come and go.
 *
 * <p>Source: ray-project/kuberay, ray-operator/controllers/ray/utils (CalculateDesiredReplicas, CalculateMinReplicas)
 * and batchscheduler/volcano.
 */
final class RayConvention implements Convention {
    private static final String CLUSTER = "ray.io/cluster";
    private static final String GROUP = "ray.io/group";
    private static final String HEAD = "headgroup";
    private static final String NODE_TYPE = "ray.io/node-type";

    @Override
    public @Nullable GangMembership membership(Pod pod) {
        String name = AnnotationParsing.label(pod, CLUSTER);
        return name == null || AnnotationParsing.label(pod, NODE_TYPE) == null
                ? null
                : GangMembership.owner(this, CLUSTER, name, GroupKind.RAY_CLUSTER);
    }

    @Override
    public GangSize size(GangMembership membership, List<Pod> pods, @Nullable GenericKubernetesResource group) {
        if (group == null) {
            return new GangSize.Missing(GroupKind.RAY_CLUSTER, membership.group());
        }
        ObjectPart specPart = ObjectPart.spec(group);
        boolean scales = Boolean.TRUE.equals(specPart.get("enableInTreeAutoscaling"));
        long sum = 1;
        Map<String, Integer> roles = new HashMap<>(Map.of(HEAD, 1));
        for (ObjectPart workersPart : specPart.items("workerGroupSpecs")) {
            long least = workersPart.count("minReplicas", 0);
            long most = workersPart.count("maxReplicas", Integer.MAX_VALUE);
            long stated = workersPart.count("replicas", 0);
            long replicas = scales ? least : Math.min(Math.max(least, stated), most);
            boolean suspended = Boolean.TRUE.equals(workersPart.get("suspend"));
            long together = AnnotationParsing.plus(0, suspended ? 0 : replicas, workersPart.count("numOfHosts", 1));
            roles.merge(
                    String.valueOf(workersPart.get("groupName")),
                    (int) Math.min(together, GangSize.LARGEST),
                    Integer::sum);
            sum = AnnotationParsing.plus(sum, 1, together);
        }
        GangSize.Together together = AnnotationParsing.together(group, sum);
        return new GangSize.Together(together.size(), EndedPods.NONE, new RoleMinima(roles, this::role));
    }

    private @Nullable String role(Pod pod) {
        return isLeader(pod) ? HEAD : AnnotationParsing.label(pod, GROUP);
    }

    @Override
    public boolean isLeader(Pod pod) {
        return "head".equals(AnnotationParsing.label(pod, NODE_TYPE));
    }
}
