package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Workflow of Argo: the pods with which it begins, at most {@code parallelism}. Every pod is created when the steps
 * before it have ended, and is planned then. Pods that are created at once are a gang if their template names one.
 *
 * <p>Source: argoproj/argo-workflows, workflow/controller (operator.go, steps.go, dag.go, workflowpod.go).
 */
final class ArgoWorkflow implements WorkloadKind {
    private static final String TEMPLATE = "WorkflowTemplate";
    private static final String CLUSTER_TEMPLATE = "ClusterWorkflowTemplate";
    private static final Set<String> WITHOUT_PODS = Set.of("suspend", "http", "plugin");
    /** The fields of a workflow and of its templates that are fields of its pods, too. */
    private static final List<String> OF_PODS = List.of("schedulerName", "nodeSelector", "affinity", "tolerations");
    /** The most templates within each other. */
    private static final int DEEPEST = 32;

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("argoproj.io") && kind.equals("Workflow");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields flowFields = object.spec();
        expansion.suspended(flowFields.flag("suspend"));
        ObjectFields referenceFields = flowFields.at("workflowTemplateRef");
        ObjectFields definingFields = referenceFields.isThere()
                ? new ObjectFields(
                        TEMPLATE + " " + referenceFields.text("name") + ": spec",
                        template(object, referenceFields).path("spec"))
                : flowFields;
        Run run = new Run(object, expansion, flowFields, definingFields, new ArrayList<>());
        String entry = flowFields.has("entrypoint")
                ? flowFields.text("entrypoint")
                : definingFields.required("entrypoint", "the name of the first template");
        run.begin(run.template(definingFields, String.valueOf(entry)), object.name(), 1);
        run.create();
    }

    private static ObjectNode template(WrittenObject object, ObjectFields referenceFields) {
        return referenceFields.flag("clusterScope")
                ? object.named(CLUSTER_TEMPLATE, "", referenceFields, "name")
                : object.named(TEMPLATE, object.namespace(), referenceFields, "name");
    }

    /**
     * The beginning of a workflow.
     *
     * @param flowFields the specification of the workflow
     * @param definingFields the specification with its templates: its own, or that of a WorkflowTemplate
     * @param first the pods with which it begins
     */
    private record Run(
            WrittenObject object,
            WorkloadExpansion expansion,
            ObjectFields flowFields,
            ObjectFields definingFields,
            List<First> first) {
        private record First(String name, ObjectFields templateFields) {}

        ObjectFields template(ObjectFields fields, String name) {
            return fields.items("templates").stream()
                    .filter(templateFields -> name.equals(templateFields.text("name")))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "%s.templates has no template %s: expected it there".formatted(fields.path(), name)));
        }

        /** Adds the pods with which a template begins. O(pods). */
        void begin(ObjectFields templateFields, String name, int depth) {
            if (depth > DEEPEST) {
                throw new IllegalArgumentException(
                        "%s begins with itself: expected at most %d templates within each other"
                                .formatted(templateFields.path(), DEEPEST));
            }
            if (templateFields.value().path("steps").isArray()) {
                steps(templateFields, name, depth);
            } else if (templateFields.has("dag")) {
                dag(templateFields, name, depth);
            } else if (WITHOUT_PODS.stream().noneMatch(templateFields.value()::has)) {
                first.add(new First(name, templateFields));
                if (templateFields.has("resource")) {
                    expansion.remark("the objects that its resource templates create are not read");
                }
            }
        }

        private void steps(ObjectFields templateFields, String name, int depth) {
            JsonNode groups = templateFields.value().path("steps");
            for (int i = 0; i < groups.size(); i++) {
                // A group may stand in a list of its own or be one step.
                ObjectNode group = object.mapper().createObjectNode();
                String field = "steps[%d]".formatted(i);
                group.set(
                        field,
                        groups.path(i).isArray()
                                ? groups.path(i)
                                : object.mapper().createArrayNode().add(groups.path(i)));
                if (i == 0) {
                    new ObjectFields(templateFields.path(), group)
                            .items(field)
                            .forEach(stepFields -> step(stepFields, name, depth));
                } else {
                    later();
                }
            }
        }

        private void dag(ObjectFields templateFields, String name, int depth) {
            for (ObjectFields taskFields : templateFields.at("dag").items("tasks")) {
                if (taskFields.value().path("dependencies").isEmpty() && !taskFields.has("depends")) {
                    step(taskFields, name, depth);
                } else {
                    later();
                }
            }
        }

        private void later() {
            expansion.remark("the pods of its later steps come when those before them have ended");
        }

        private void step(ObjectFields stepFields, String name, int depth) {
            String inner = name + "-" + stepFields.required("name", "the name of the step");
            if (stepFields.has("when")) {
                expansion.remark("steps with a condition are read as if it held");
            }
            int times = times(stepFields);
            ObjectFields calledFields = called(stepFields);
            for (int i = 0; i < times; i++) {
                begin(calledFields, times == 1 ? inner : inner + "-" + i, depth + 1);
            }
        }

        private ObjectFields called(ObjectFields stepFields) {
            ObjectFields referenceFields = stepFields.at("templateRef");
            if (referenceFields.isThere()) {
                JsonNode spec = ArgoWorkflow.template(object, referenceFields).path("spec");
                return template(
                        new ObjectFields(TEMPLATE + " " + referenceFields.text("name") + ": spec", spec),
                        referenceFields.required("template", "the name of a template"));
            }
            return stepFields.has("inline")
                    ? stepFields.at("inline")
                    : template(definingFields, stepFields.required("template", "the name of a template"));
        }

        /** Returns how often a step runs at once; none if that is known only when it runs. */
        private int times(ObjectFields stepFields) {
            JsonNode items = stepFields.value().path("withItems");
            ObjectFields sequenceFields = stepFields.at("withSequence");
            if (items.isArray()) {
                return items.size();
            }
            if (!stepFields.has("withParam") && !sequenceFields.isThere() && !stepFields.has("withItems")) {
                return 1;
            }
            Integer count = sequenceFields.isThere() ? count(sequenceFields) : null;
            if (count == null) {
                expansion.remark("the items of step %s are known only when it runs, and none is planned"
                        .formatted(stepFields.text("name")));
            }
            return count == null ? 0 : count;
        }

        private static @Nullable Integer count(ObjectFields sequenceFields) {
            for (String field : List.of("count", "start", "end")) {
                if (String.valueOf(sequenceFields.text(field)).contains("{{")) {
                    return null;
                }
            }
            return sequenceFields.has("count")
                    ? (Integer) number(sequenceFields, "count")
                    : (Integer) (Math.abs(number(sequenceFields, "end") - number(sequenceFields, "start")) + 1);
        }

        /** Returns a count that may be written as a text. */
        private static int number(ObjectFields sequenceFields, String field) {
            String text = sequenceFields.text(field);
            try {
                int number = text == null ? 0 : Integer.parseInt(text);
                if (number >= 0 && number <= ObjectFields.MOST) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // It is reported below.
            }
            throw sequenceFields.invalid(
                    field, sequenceFields.value().path(field), "a whole number between 0 and " + ObjectFields.MOST);
        }

        void create() {
            int most = flowFields.count("parallelism", definingFields.count("parallelism", ObjectFields.MOST));
            if (first.size() > most) {
                expansion.remark("with parallelism %d the other %d of its first pods come when these have ended"
                        .formatted(most, first.size() - most));
            }
            if (flowFields.has("podSpecPatch") || definingFields.has("podSpecPatch")) {
                expansion.remark("its podSpecPatch is not read");
            }
            Map<String, String> labels =
                    Map.of("workflows.argoproj.io/workflow", object.name(), "workflows.argoproj.io/completed", "false");
            Map<String, String> parameters = parameters();
            first.stream()
                    .limit(most)
                    .forEach(pod -> expansion.pod(
                            pod.name(),
                            object.template(new ObjectFields(
                                    pod.templateFields().path(), pod(pod.templateFields(), parameters))),
                            expansion.owner(),
                            labels,
                            Map.of()));
        }

        /** Returns the pod template that a template stands for. */
        private JsonNode pod(ObjectFields templateFields, Map<String, String> parameters) {
            ObjectNode template = object.mapper().createObjectNode();
            ObjectNode pod = template.withObject("/spec");
            for (ObjectFields fields : List.of(definingFields, flowFields)) {
                add(fields, fields.at("podMetadata"), template);
                set(fields, "podPriorityClassName", pod, "priorityClassName");
            }
            add(templateFields, templateFields.at("metadata"), template);
            set(templateFields, "priorityClassName", pod, "priorityClassName");
            set(templateFields, "activeDeadlineSeconds", pod, "activeDeadlineSeconds");
            containers(templateFields, pod);
            return replaced(template.deepCopy(), parameters);
        }

        private static void add(ObjectFields fields, ObjectFields metadataFields, ObjectNode template) {
            for (String texts : List.of("labels", "annotations")) {
                if (metadataFields.at(texts).value() instanceof ObjectNode given) {
                    template.withObject("/metadata/" + texts).setAll(given);
                }
            }
            ObjectNode pod = template.withObject("/spec");
            OF_PODS.forEach(field -> set(fields, field, pod, field));
            fields.items("volumes").forEach(volume -> pod.withArray("volumes").add(volume.value()));
        }

        private static void set(ObjectFields fields, String field, ObjectNode pod, String name) {
            if (fields.has(field)) {
                pod.set(name, fields.value().path(field));
            }
        }

        private static void containers(ObjectFields templateFields, ObjectNode pod) {
            for (String field : List.of("container", "script")) {
                if (templateFields.at(field).value() instanceof ObjectNode given) {
                    ObjectNode container = given.deepCopy();
                    container.remove("source");
                    pod.withArray("containers").add(container.put("name", "main"));
                }
            }
            templateFields
                    .at("containerSet")
                    .items("containers")
                    .forEach(container -> pod.withArray("containers")
                            .add(((ObjectNode) container.value().deepCopy()).without("dependencies")));
            if (pod.withArray("containers").isEmpty()) {
                pod.withArray("containers").addObject().put("name", "main");
            }
            templateFields
                    .items("sidecars")
                    .forEach(sidecar -> pod.withArray("containers").add(sidecar.value()));
            templateFields
                    .items("initContainers")
                    .forEach(container -> pod.withArray("initContainers").add(container.value()));
        }

        /** Returns the values that stand for words in braces throughout the workflow. */
        private Map<String, String> parameters() {
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("{{workflow.name}}", object.name());
            parameters.put("{{workflow.namespace}}", object.namespace());
            Map<String, String> values = new HashMap<>();
            for (ObjectFields fields : List.of(definingFields, flowFields)) {
                for (ObjectFields parameterFields : fields.at("arguments").items("parameters")) {
                    String value = parameterFields.text("value");
                    if (value != null) {
                        values.put("{{workflow.parameters.%s}}".formatted(parameterFields.text("name")), value);
                    }
                }
            }
            parameters.putAll(values);
            return parameters;
        }

        private static JsonNode replaced(JsonNode node, Map<String, String> parameters) {
            if (node.isTextual() && node.asText().contains("{{")) {
                String text = node.asText();
                for (Map.Entry<String, String> entry : parameters.entrySet()) {
                    text = text.replace(entry.getKey(), entry.getValue());
                }
                return TextNode.valueOf(text);
            }
            if (node instanceof ObjectNode fields) {
                fields.properties().forEach(entry -> entry.setValue(replaced(entry.getValue(), parameters)));
            }
            for (int i = 0; node.isArray() && i < node.size(); i++) {
                ((ArrayNode) node).set(i, replaced(node.get(i), parameters));
            }
            return node;
        }
    }
}
