package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Steps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern IN_BRACES = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");
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
        Run run = new Run(object, expansion, flowFields, definingFields);
        String entry = flowFields.has("entrypoint")
                ? flowFields.text("entrypoint")
                : definingFields.required("entrypoint", "the name of the first template");
        run.begin(run.called(definingFields, String.valueOf(entry), object.name()), 1);
        run.create();
    }

    private static ObjectNode template(WrittenObject object, ObjectFields referenceFields) {
        return referenceFields.flag("clusterScope")
                ? object.named(CLUSTER_TEMPLATE, "", referenceFields, "name")
                : object.named(TEMPLATE, object.namespace(), referenceFields, "name");
    }

    /**
     * A template that is called.
     *
     * @param scopeFields the specification in which the templates that it calls are
     * @param name the name of its pod, and the start of the names of its steps' pods
     */
    private record Called(ObjectFields scopeFields, ObjectFields templateFields, String name) {}

    /** The beginning of a workflow. Lives for one expansion. */
    private static final class Run {
        private final WrittenObject object;
        private final WorkloadExpansion expansion;
        /** The specification of the workflow. */
        private final ObjectFields flowFields;
        /** The specification with its templates: its own, or that of a WorkflowTemplate. */
        private final ObjectFields definingFields;
        /** The templates of the pods with which it begins. */
        private final List<Called> first = new ArrayList<>();
        /** The pod templates, by the templates that stand for them. */
        private final IdentityHashMap<JsonNode, PodTemplateSpec> podTemplates = new IdentityHashMap<>();

        private int calls;

        Run(WrittenObject object, WorkloadExpansion expansion, ObjectFields flowFields, ObjectFields definingFields) {
            this.object = object;
            this.expansion = expansion;
            this.flowFields = flowFields;
            this.definingFields = definingFields;
        }

        Called called(ObjectFields scopeFields, String template, String name) {
            return scopeFields.items("templates").stream()
                    .filter(templateFields -> template.equals(templateFields.text("name")))
                    .findFirst()
                    .map(templateFields -> new Called(scopeFields, templateFields, name))
                    .orElseThrow(() -> new IllegalArgumentException("%s.templates has no template %s: expected it there"
                            .formatted(scopeFields.path(), SafeText.value(template))));
        }

        /** Adds the pods with which a template begins. O(calls of templates), which are limited. */
        void begin(Called called, int depth) {
            ObjectFields templateFields = called.templateFields;
            if (depth > DEEPEST) {
                throw new IllegalArgumentException(
                        "%s begins with itself: expected at most %d templates within each other"
                                .formatted(templateFields.path(), DEEPEST));
            }
            boolean hasSteps = templateFields.value().path("steps").isArray();
            if (hasSteps || templateFields.has("dag")) {
                List<Called> all = hasSteps ? steps(called) : dag(called);
                int most = templateFields.count("parallelism", ObjectFields.MOST);
                if (all.size() > most) {
                    postpone("a template's parallelism", most, "steps", all.size() - most);
                }
                all.stream().limit(most).forEach(step -> begin(step, depth + 1));
            } else if (WITHOUT_PODS.stream().noneMatch(templateFields.value()::has)) {
                first.add(called);
                if (templateFields.has("resource")) {
                    expansion.remark("the objects that its resource templates create are not read");
                }
            }
        }

        private void postpone(String limit, int most, String things, int others) {
            expansion.remark("with %s %d the other %d of its first %s come when these have ended"
                    .formatted(limit, most, others, things));
        }

        private List<Called> steps(Called called) {
            JsonNode groups = called.templateFields.value().path("steps");
            if (groups.isEmpty()) {
                return List.of();
            }
            if (groups.size() > 1) {
                later();
            }
            // A group may stand in a list of its own or be one step.
            JsonNode group = groups.path(0).isArray()
                    ? groups.path(0)
                    : object.mapper().createArrayNode().add(groups.path(0));
            ObjectNode firstGroup = object.mapper().createObjectNode().set("steps[0]", group);
            List<Called> all = new ArrayList<>();
            new ObjectFields(called.templateFields.path(), firstGroup)
                    .items("steps[0]")
                    .forEach(stepFields -> step(stepFields, called, all));
            return all;
        }

        private List<Called> dag(Called called) {
            List<Called> all = new ArrayList<>();
            for (ObjectFields taskFields : called.templateFields.at("dag").items("tasks")) {
                if (taskFields.value().path("dependencies").isEmpty() && !taskFields.has("depends")) {
                    step(taskFields, called, all);
                } else {
                    later();
                }
            }
            return all;
        }

        private void later() {
            expansion.remark("the pods of its later steps come when those before them have ended");
        }

        /** Adds what a step calls. */
        private void step(ObjectFields stepFields, Called called, List<Called> all) {
            String inner = called.name + "-" + stepFields.required("name", "the name of the step");
            if (stepFields.has("when")) {
                expansion.remark("steps with a condition are read as if it held");
            }
            int times = times(stepFields);
            calls += times;
            if (calls > ObjectFields.MOST) {
                throw new IllegalArgumentException(
                        "more than %d steps begin at once: expected at most so many".formatted(ObjectFields.MOST));
            }
            Steps.add(Steps.Kind.EXPANSION, times);
            Called stepCalled = called(stepFields, called, inner);
            for (int i = 0; i < times; i++) {
                String podName = times == 1 ? inner : inner + "-" + i;
                all.add(new Called(stepCalled.scopeFields, stepCalled.templateFields, podName));
            }
        }

        private Called called(ObjectFields stepFields, Called called, String name) {
            ObjectFields referenceFields = stepFields.at("templateRef");
            if (referenceFields.isThere()) {
                JsonNode spec = ArgoWorkflow.template(object, referenceFields).path("spec");
                return called(
                        new ObjectFields(TEMPLATE + " " + referenceFields.text("name") + ": spec", spec),
                        referenceFields.required("template", "the name of a template"),
                        name);
            }
            return stepFields.has("inline")
                    ? new Called(called.scopeFields, stepFields.at("inline"), name)
                    : called(called.scopeFields, stepFields.required("template", "the name of a template"), name);
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
                        .formatted(SafeText.value(String.valueOf(stepFields.text("name")))));
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
                postpone("parallelism", most, "pods", first.size() - most);
            }
            if (flowFields.has("onExit") || definingFields.has("onExit")) {
                later();
            }
            if (flowFields.has("podSpecPatch") || definingFields.has("podSpecPatch")) {
                expansion.remark("its podSpecPatch is not read");
            }
            Map<String, String> labels =
                    Map.of("workflows.argoproj.io/workflow", object.name(), "workflows.argoproj.io/completed", "false");
            Map<String, String> parameters = parameters();
            first.stream()
                    .limit(most)
                    .forEach(called -> expansion.pod(
                            called.name,
                            podTemplates.computeIfAbsent(
                                    called.templateFields.value(),
                                    _ -> object.template(new ObjectFields(
                                            called.templateFields.path(), pod(called.templateFields, parameters)))),
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
                fields.copy("podPriorityClassName", pod, "priorityClassName");
            }
            for (ObjectFields fields : withDefaults(templateFields)) {
                add(fields, fields.at("metadata"), template);
                fields.copy("priorityClassName", pod, "priorityClassName");
                fields.copy("activeDeadlineSeconds", pod, "activeDeadlineSeconds");
            }
            containers(templateFields, pod);
            volumes(templateFields).forEach(volume -> pod.withArray("volumes").add(volume));
            return replaced(template.deepCopy(), parameters);
        }

        /** Returns what holds for all templates, and then a template. */
        private List<ObjectFields> withDefaults(ObjectFields templateFields) {
            return List.of(definingFields.at("templateDefaults"), flowFields.at("templateDefaults"), templateFields);
        }

        private static void add(ObjectFields fields, ObjectFields metadataFields, ObjectNode template) {
            for (String texts : List.of("labels", "annotations")) {
                if (metadataFields.at(texts).value() instanceof ObjectNode given) {
                    template.withObject("/metadata/" + texts).setAll(given);
                }
            }
            ObjectNode pod = template.withObject("/spec");
            OF_PODS.forEach(field -> fields.copy(field, pod, field));
        }

        /** Returns the volumes of a pod. The innermost of the same name counts. */
        private Collection<JsonNode> volumes(ObjectFields templateFields) {
            Map<String, JsonNode> volumes = new LinkedHashMap<>();
            List<ObjectFields> places = new ArrayList<>(List.of(definingFields, flowFields));
            places.addAll(withDefaults(templateFields));
            for (ObjectFields fields : places) {
                for (ObjectFields volumeFields : fields.items("volumes")) {
                    volumes.put(volumeFields.required("name", "the name of the volume"), volumeFields.value());
                }
                for (ObjectFields claimFields : fields.items("volumeClaimTemplates")) {
                    String name = claimFields.at("metadata").required("name", "the name of the volume");
                    ObjectNode volume = object.mapper().createObjectNode().put("name", name);
                    volume.withObject("/ephemeral").set("volumeClaimTemplate", claimFields.value());
                    volumes.put(name, volume);
                }
            }
            return volumes.values();
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
            Map<String, String> parameters = new HashMap<>();
            parameters.put("workflow.name", object.name());
            parameters.put("workflow.namespace", object.namespace());
            for (ObjectFields fields : List.of(definingFields, flowFields)) {
                for (ObjectFields parameterFields : fields.at("arguments").items("parameters")) {
                    String value = parameterFields.text("value");
                    if (value != null) {
                        parameters.put("workflow.parameters." + parameterFields.text("name"), value);
                    }
                }
            }
            return parameters;
        }

        private static JsonNode replaced(JsonNode node, Map<String, String> parameters) {
            if (node.isTextual() && node.asText().contains("{{")) {
                return TextNode.valueOf(IN_BRACES
                        .matcher(node.asText())
                        .replaceAll(found ->
                                Matcher.quoteReplacement(parameters.getOrDefault(found.group(1), found.group()))));
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
