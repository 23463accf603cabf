package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A kind of object whose controller creates other objects from the templates in it. {@link #KINDS} is the table of
 * these kinds. What becomes of a created object is the matter of its own kind.
 *
 * <p>Sources: Kubernetes 1.37, pkg/controller/cronjob; ray-project/kuberay, rayservice_controller.go and
 * raycronjob_controller.go; volcano-sh/volcano, pkg/controllers/cronjob; kubeflow/spark-operator,
 * internal/controller/scheduledsparkapplication; project-codeflare/appwrapper, resource_management.go;
 * kubernetes-sigs/lws, pkg/controllers/disaggregatedset; argoproj/argo-workflows, workflow/cron.
 */
record CreatedObjects(String apiGroup, String kind, List<Part> parts, List<String> remarks) implements WorkloadKind {
    private static final String SCHEDULED = "it makes one at each time of its schedule, and the plan has one";
    private static final String RANDOM = "in a cluster the name of its %s, and so the gang's, has an end of its own";

    static final List<WorkloadKind> KINDS = List.of(
            scheduled("batch", "CronJob", new Part("jobTemplate", "batch/v1 Job")),
            scheduled("batch.volcano.sh", "CronJob", new Part("jobTemplate", "batch.volcano.sh/v1alpha1 Job")),
            scheduled("ray.io", "RayCronJob", new Part("jobTemplate", "ray.io/v1 RayJob")),
            scheduled(
                    "sparkoperator.k8s.io",
                    "ScheduledSparkApplication",
                    new Part("template", "sparkoperator.k8s.io/v1beta2 SparkApplication")),
            scheduled("argoproj.io", "CronWorkflow", new Part("workflowSpec", "argoproj.io/v1alpha1 Workflow")),
            new CreatedObjects(
                    "ray.io",
                    "RayService",
                    List.of(new Part("rayClusterConfig", "ray.io/v1 RayCluster")),
                    List.of(RANDOM.formatted("RayCluster"))),
            new CreatedObjects(
                    "disaggregatedset.x-k8s.io",
                    "DisaggregatedSet",
                    List.of(new Part("roles[]", "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet")),
                    List.of("in a cluster the names of its LeaderWorkerSets, and so the gangs', also have a revision")),
            new CreatedObjects(
                    "workload.codeflare.dev", "AppWrapper", List.of(new Part("components[].template", "")), List.of()));

    /**
     * The place of a template in the specification, and what is created from it.
     *
     * @param path names of fields; a name with brackets is a list, each of whose items is a template
     * @param creates the API and the kind, or an empty text if the template states them
     */
    record Part(String path, String creates) {}

    private static CreatedObjects scheduled(String apiGroup, String kind, Part part) {
        String created = part.creates.substring(part.creates.indexOf(' ') + 1);
        return new CreatedObjects(apiGroup, kind, List.of(part), List.of(SCHEDULED, RANDOM.formatted(created)));
    }

    @Override
    public boolean is(String group, String name) {
        return group.equals(apiGroup) && name.equals(kind);
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        expansion.suspended(object.spec().flag("suspend"));
        remarks.forEach(expansion::remark);
        for (Part part : parts) {
            for (ObjectFields templateFields : templates(object.spec(), part.path)) {
                create(object, expansion, part, templateFields, false);
            }
        }
    }

    private static List<ObjectFields> templates(ObjectFields specFields, String path) {
        int bracket = path.indexOf("[]");
        if (bracket < 0) {
            return List.of(template(specFields, path));
        }
        String rest = path.substring(bracket + 2);
        List<ObjectFields> items = specFields.items(path.substring(0, bracket));
        return rest.isEmpty()
                ? items
                : items.stream().map(item -> item.at(rest.substring(1))).toList();
    }

    static ObjectFields template(ObjectFields specFields, String field) {
        ObjectFields templateFields = specFields.at(field);
        if (!templateFields.isThere()) {
            throw new IllegalArgumentException("no %s: expected a template".formatted(templateFields.path()));
        }
        return templateFields;
    }

    /**
     * Creates an object. A template is its specification, or has its metadata and specification.
     *
     * @param handsOn whether the created object has the labels and annotations of the creating one
     */
    static void create(
            WrittenObject object,
            WorkloadExpansion expansion,
            Part part,
            ObjectFields templateFields,
            boolean handsOn) {
        ObjectNode child = object.mapper().createObjectNode();
        ObjectNode metadata = child.putObject("metadata");
        if (templateFields.at("metadata").value() instanceof ObjectNode given) {
            metadata.setAll(given);
        }
        if (part.creates.isEmpty()) {
            child.put("apiVersion", templateFields.required("apiVersion", "the API of the object to create"));
            child.put("kind", templateFields.required("kind", "the kind of the object to create"));
        } else {
            int space = part.creates.indexOf(' ');
            child.put("apiVersion", part.creates.substring(0, space));
            child.put("kind", part.creates.substring(space + 1));
            String item = part.path.endsWith("[]") ? "-" + templateFields.required("name", "the name of the role") : "";
            metadata.put("name", object.name() + item);
        }
        if (handsOn) {
            ObjectFields metadataFields =
                    new ObjectFields(templateFields.at("metadata").path(), metadata);
            object.labels().forEach(metadataFields.child("labels").fields()::put);
            object.annotations().forEach(metadataFields.child("annotations").fields()::put);
        }
        ObjectFields specFields = templateFields.has("spec") ? templateFields.at("spec") : templateFields;
        child.set("spec", specFields.value());
        expansion.create(child, specFields);
    }
}
