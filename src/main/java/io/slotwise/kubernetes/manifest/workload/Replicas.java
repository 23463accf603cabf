package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Map;

/**
 * A ReplicaSet, a Deployment or a StatefulSet: pods NAME-0 and so on. A StatefulSet with ordered start creates only the
 * first pod at once.
 *
 * <p>Source: Kubernetes 1.37, pkg/controller/replicaset and statefulset.
 */
final class Replicas implements WorkloadKind {
    static final String API_GROUP = "apps";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals(API_GROUP)
                && (kind.equals("ReplicaSet") || kind.equals("Deployment") || kind.equals("StatefulSet"));
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields specFields = object.spec();
        PodTemplateSpec template = object.template(specFields, "template");
        int replicas = specFields.count("replicas", 1);
        boolean oneByOne =
                object.kind().equals("StatefulSet") && !"Parallel".equals(specFields.text("podManagementPolicy"));
        if (oneByOne && replicas > 1) {
            expansion.remark(
                    "without podManagementPolicy Parallel each pod comes only when the one before it is ready");
            replicas = 1;
        }
        OwnerReference owner = object.kind().equals("Deployment")
                ? WorkloadExpansion.controller("apps/v1", "ReplicaSet", object.name())
                : expansion.owner();
        // Volcano names the gangs of pods that state only a size by this UID.
        owner.setUid("of-" + object.name());
        ObjectFields annotationFields = specFields.at("template").at("metadata").at("annotations");
        if (annotationFields.has("scheduling.volcano.sh/group-min-member")) {
            expansion.remark("in a cluster the gang's name ends with the UID of the pods' controller");
        }
        for (int i = 0; i < replicas; i++) {
            expansion.pod(object.name() + "-" + i, template, owner, Map.of(), Map.of());
        }
    }
}
