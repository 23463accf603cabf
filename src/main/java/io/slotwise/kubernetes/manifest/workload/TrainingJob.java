package io.slotwise.kubernetes.manifest.workload;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The jobs of Kubeflow's training operator (Trainer v1): pods NAME-ROLE-0 and so on of each role.
 *
 * <p>Source: kubeflow/trainer (v1), pkg/controller.v1/common/pod.go, and {@code IsMasterRole} of each controller.
 */
final class TrainingJob implements WorkloadKind {
    private static final String PREFIX = "training.kubeflow.org/";
    /** The fields that have the list of roles, in the different kinds. */
    private static final Map<String, String> ROLES = Map.of(
            "PyTorchJob", "pytorchReplicaSpecs",
            "TFJob", "tfReplicaSpecs",
            "XGBoostJob", "xgbReplicaSpecs",
            "PaddleJob", "paddleReplicaSpecs",
            "JAXJob", "jaxReplicaSpecs");

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("kubeflow.org") && ROLES.containsKey(kind);
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        pods(object, expansion, Objects.requireNonNull(ROLES.get(object.kind())));
    }

    static void pods(WrittenObject object, WorkloadExpansion expansion, String list) {
        ObjectFields jobFields = object.spec();
        expansion.suspended(jobFields.at("runPolicy").flag("suspend"));
        ObjectFields roleFields = jobFields.at(list);
        if (!roleFields.isThere()) {
            throw new IllegalArgumentException("no %s: expected the roles of the job".formatted(roleFields.path()));
        }
        String operator = object.kind().toLowerCase(Locale.ROOT) + "-controller";
        for (String role : roleFields.names()) {
            ObjectFields replicaFields = roleFields.at(role);
            PodTemplateSpec template = object.template(replicaFields, "template");
            int count = replicaFields.count("replicas", 1);
            String type = role.toLowerCase(Locale.ROOT);
            for (int i = 0; i < count; i++) {
                Map<String, String> labels = labels(object.name(), operator, type, i);
                if (isMaster(object.kind(), roleFields.names(), role, i)) {
                    labels.put(PREFIX + "job-role", "master");
                }
                expansion.pod(
                        "%s-%s-%d".formatted(object.name(), type, i), template, expansion.owner(), labels, Map.of());
            }
        }
    }

    static Map<String, String> labels(String job, String operator, String role, int index) {
        Map<String, String> labels = new HashMap<>();
        labels.put(PREFIX + "job-name", job);
        labels.put(PREFIX + "operator-name", operator);
        labels.put(PREFIX + "replica-type", role);
        labels.put(PREFIX + "replica-index", String.valueOf(index));
        return labels;
    }

    private static boolean isMaster(String kind, List<String> roles, String role, int index) {
        return switch (kind) {
            case "JAXJob" -> index == 0;
            case "MPIJob" -> role.equals("Launcher");
            case "TFJob" -> {
                boolean named = roles.contains("Chief") || roles.contains("Master");
                boolean chief = role.equals("Chief") || role.equals("Master");
                yield named ? chief : (role.equals("Worker") && index == 0);
            }
            default -> role.equals("Master");
        };
    }
}
