package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.StreamSupport;

/**
 * A TrainJob of Kubeflow Trainer v2: a JobSet of the same name, made from the runtime that it names. Each role is one
 * Job. The role of the trainer has a pod for each node; with MPI the role {@code node} has them, one less if the
 * launcher is a node too.
 *
 * <p>Source: kubeflow/trainer, pkg/runtime/core/trainingruntime.go and pkg/runtime/framework/plugins (jobset, mpi,
 * torch, coscheduling, volcano).
 */
final class TrainJob implements WorkloadKind {
    private static final String ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step";
    private static final String RUNTIME = "ClusterTrainingRuntime";
    private static final String NODE = "node";

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("trainer.kubeflow.org") && kind.equals("TrainJob");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields jobFields = object.spec();
        ObjectFields referenceFields = jobFields.at("runtimeRef");
        String kind = referenceFields.oneOf("kind", RUNTIME, "TrainingRuntime");
        ObjectNode runtime =
                object.named(kind, kind.equals(RUNTIME) ? "" : object.namespace(), referenceFields, "name");
        ObjectFields runtimeFields =
                new ObjectFields(kind + " " + referenceFields.text("name") + ": spec", runtime.path("spec"));
        ObjectFields templateFields = runtimeFields.at("template").at("spec");
        if (!(templateFields.value().deepCopy() instanceof ObjectNode setSpec)) {
            throw new IllegalArgumentException("no %s: expected a JobSet".formatted(templateFields.path()));
        }
        if (jobFields.has("suspend")) {
            setSpec.put("suspend", jobFields.flag("suspend"));
        }
        patch(jobFields, setSpec);
        int pods = 0;
        ObjectFields setFields = new ObjectFields(templateFields.path(), setSpec);
        for (ObjectFields roleFields : setFields.items("replicatedJobs")) {
            pods += resize(jobFields, runtimeFields.at("mlPolicy"), roleFields);
        }
        group(object, expansion, runtimeFields.at("podGroupPolicy"), setFields, pods);
        ObjectNode set = object.mapper().createObjectNode();
        set.put("apiVersion", "jobset.x-k8s.io/v1alpha2").put("kind", "JobSet");
        ObjectNode metadata = set.putObject("metadata");
        merge(metadata, runtimeFields.at("template").at("metadata").value());
        ObjectNode own = object.mapper().createObjectNode();
        jobFields.copy("labels", own, "labels");
        jobFields.copy("annotations", own, "annotations");
        merge(metadata, own);
        jobFields
                .items("runtimePatches")
                .forEach(patchFields -> merge(
                        metadata, templatePatch(patchFields).at("metadata").value()));
        metadata.put("name", object.name());
        set.set("spec", setSpec);
        expansion.create(set, setFields);
    }

    /** Sets the number and the resources of a role's pods. Returns the number. */
    private static int resize(ObjectFields jobFields, ObjectFields policyFields, ObjectFields roleFields) {
        ObjectFields trainerFields = jobFields.at("trainer");
        ObjectFields templateFields = roleFields.at("template").at("spec");
        String step = String.valueOf(
                roleFields.at("template").at("metadata").at("labels").text(ANCESTOR));
        int count = templateFields.count("parallelism", 1);
        if (step.equals("trainer") && policyFields.isThere()) {
            count = policyFields.count("numNodes", 1);
        }
        ObjectFields mpiFields = policyFields.at("mpi");
        boolean ofNodes = mpiFields.isThere() ? NODE.equals(roleFields.text("name")) : step.equals("trainer");
        if (ofNodes && trainerFields.has("numNodes")) {
            int nodes = trainerFields.count("numNodes", 1);
            count = mpiFields.flag("runLauncherAsNode") ? Math.max(nodes - 1, 1) : nodes;
        }
        if (templateFields.value() instanceof ObjectNode template && roleFields.value() instanceof ObjectNode role) {
            template.put("parallelism", count).put("completions", count);
            role.put("replicas", 1);
        }
        JsonNode resources = trainerFields.at("resourcesPerNode").value();
        templateFields.at("template").at("spec").items("containers").stream()
                .filter(containerFields -> !resources.isEmpty() && NODE.equals(containerFields.text("name")))
                .forEach(containerFields -> ((ObjectNode) containerFields.value()).set("resources", resources));
        return count;
    }

    /** Merges what the TrainJob changes of its runtime's pod templates, in the form of this and of earlier versions. */
    private static void patch(ObjectFields jobFields, ObjectNode setSpec) {
        for (ObjectFields patchFields : jobFields.items("runtimePatches")) {
            templatePatch(patchFields)
                    .at("spec")
                    .items("replicatedJobs")
                    .forEach(roleFields -> merge(role(setSpec, roleFields), roleFields.value()));
        }
        for (ObjectFields overrideFields : jobFields.items("podTemplateOverrides")) {
            for (ObjectFields targetFields : overrideFields.items("targetJobs")) {
                if (role(setSpec, targetFields).at("/template/spec/template") instanceof ObjectNode template) {
                    merge(template, overrideFields.value());
                    template.remove("targetJobs");
                }
            }
        }
    }

    private static ObjectFields templatePatch(ObjectFields patchFields) {
        return patchFields.at("trainingRuntimeSpec").at("template");
    }

    /** Returns the role of a JobSet with the name in some fields. An unknown one is a new object, and has no effect. */
    private static ObjectNode role(ObjectNode setSpec, ObjectFields namingFields) {
        for (JsonNode role : setSpec.path("replicatedJobs")) {
            if (role instanceof ObjectNode fields && role.path("name").asText().equals(namingFields.text("name"))) {
                return fields;
            }
        }
        return setSpec.objectNode();
    }

    /** Merges fields as a strategic merge patch does. Items of lists are told apart by their names. */
    private static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(entry -> {
            JsonNode present = target.path(entry.getKey());
            if (present instanceof ObjectNode fields && entry.getValue().isObject()) {
                merge(fields, entry.getValue());
            } else if (present instanceof ArrayNode list && isNamed(list) && isNamed(entry.getValue())) {
                entry.getValue().forEach(item -> mergeItem(list, item));
            } else {
                target.set(entry.getKey(), entry.getValue().deepCopy());
            }
        });
    }

    private static boolean isNamed(JsonNode list) {
        return list.isArray()
                && StreamSupport.stream(list.spliterator(), false).allMatch(item -> item.hasNonNull("name"));
    }

    private static void mergeItem(ArrayNode list, JsonNode item) {
        for (JsonNode present : list) {
            if (present instanceof ObjectNode fields && fields.path("name").equals(item.path("name"))) {
                merge(fields, item);
                return;
            }
        }
        list.add(item.deepCopy());
    }

    /** Adds the PodGroup of a runtime with a policy for pods that start together. */
    private static void group(
            WrittenObject object,
            WorkloadExpansion expansion,
            ObjectFields policyFields,
            ObjectFields setFields,
            int pods) {
        boolean volcano = policyFields.has("volcano");
        if (!volcano && !policyFields.has("coscheduling")) {
            return;
        }
        expansion.group(
                volcano ? "scheduling.volcano.sh/v1beta1" : "scheduling.x-k8s.io/v1alpha1",
                "PodGroup",
                object.name(),
                object.mapper().createObjectNode().put("minMember", pods));
        for (ObjectFields roleFields : setFields.items("replicatedJobs")) {
            ObjectFields templateFields = roleFields.at("template").at("spec").at("template");
            if (templateFields.isThere()) {
                ObjectFields metadataFields = templateFields.child("metadata");
                if (volcano) {
                    metadataFields.child("annotations").fields().put("scheduling.k8s.io/group-name", object.name());
                } else {
                    metadataFields.child("labels").fields().put("scheduling.x-k8s.io/pod-group", object.name());
                }
            }
        }
    }
}
