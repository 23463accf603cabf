package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object whose controller creates other objects from the templates in it. {@link #KINDS} is the table of
 * these kinds. What becomes of a created object is the matter of its own kind; pods are created at once.
 *
 * <p>Sources: Kubernetes 1.37, pkg/controller/cronjob; ray-project/kuberay, rayservice_controller.go and
 * raycronjob_controller.go; volcano-sh/volcano, pkg/controllers/cronjob; kubeflow/spark-operator,
 * internal/controller/scheduledsparkapplication; project-codeflare/appwrapper, resource_management.go;
 * kubernetes-sigs/lws, pkg/controllers/disaggregatedset; dask/dask-kubernetes, operator/controller;
 * argoproj/argo-workflows, workflow/cron.
 */
record CreatedObjects(String apiGroup, String kind, List<Part> parts, List<String> remarks) implements WorkloadKind {
    private static final String DASK = "kubernetes.dask.org";
    private static final String POD = "v1 Pod";
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
                    "workload.codeflare.dev", "AppWrapper", List.of(new Part("components[].template")), List.of()),
            new CreatedObjects(
                    DASK,
                    "DaskJob",
                    List.of(
                            new Part("cluster", DASK + "/v1 DaskCluster", "", null, Map.of()),
                            new Part("job", POD, "-runner", null, Map.of("dask.org/component", "job-runner"))),
                    List.of()),
            new CreatedObjects(
                    DASK,
                    "DaskCluster",
                    List.of(
                            new Part("scheduler", POD, "-scheduler", null, Map.of("dask.org/component", "scheduler")),
                            new Part(
                                    "worker",
                                    POD,
                                    "-default-worker",
                                    "replicas",
                                    Map.of("dask.org/component", "worker"))),
                    List.of()),
            new CreatedObjects(
                    DASK,
                    "DaskWorkerGroup",
                    List.of(new Part("worker", POD, "-worker", "replicas", Map.of("dask.org/component", "worker"))),
                    List.of()));

    /**
     * The place of a template in the specification, and what is created from it.
     *
     * @param path names of fields; a name with brackets is a list, each of whose items is a template
     * @param creates the API and the kind, or an empty text if the template states them
     * @param suffix the end of the created object's name
     * @param count the field of the template with the number of pods, which have the labels and annotations of the
     *     object; null for one
     * @param labels labels of the pods
     */
    record Part(
            String path,
            String creates,
            String suffix,
            @Nullable String count,
            Map<String, String> labels) {
        Part(String path, String creates) {
            this(path, creates, "", null, Map.of());
        }

        Part(String path) {
            this(path, "");
        }
    }

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
                if (part.creates.equals(POD)) {
                    pods(object, expansion, part, templateFields);
                } else {
                    create(object, expansion, part, templateFields);
                }
            }
        }
    }

    private static List<ObjectFields> templates(ObjectFields specFields, String path) {
        int bracket = path.indexOf("[]");
        if (bracket < 0) {
            ObjectFields templateFields = specFields.at(path);
            if (!templateFields.isThere()) {
                throw new IllegalArgumentException("no %s: expected a template".formatted(templateFields.path()));
            }
            return List.of(templateFields);
        }
        String rest = path.substring(bracket + 2);
        List<ObjectFields> items = specFields.items(path.substring(0, bracket));
        return rest.isEmpty()
                ? items
                : items.stream().map(item -> item.at(rest.substring(1))).toList();
    }

    /** Creates an object. A template is its specification, or has its metadata and specification. */
    private void create(WrittenObject object, WorkloadExpansion expansion, Part part, ObjectFields templateFields) {
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
            metadata.put("name", object.name() + item + part.suffix);
        }
        if (apiGroup.equals(DASK)) {
            // Dask's operator hands the labels and annotations of each object on.
            templateFields.at("metadata").at("labels");
            templateFields.at("metadata").at("annotations");
            object.labels().forEach(metadata.withObject("/labels")::put);
            object.annotations().forEach(metadata.withObject("/annotations")::put);
        }
        ObjectFields specFields = templateFields.has("spec") ? templateFields.at("spec") : templateFields;
        child.set("spec", specFields.value());
        expansion.create(child, specFields);
    }

    private static void pods(
            WrittenObject object, WorkloadExpansion expansion, Part part, ObjectFields templateFields) {
        PodTemplateSpec template = object.template(templateFields);
        ObjectMeta given = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        given.setLabels(both(object.labels(), given.getLabels()));
        given.setAnnotations(both(object.annotations(), given.getAnnotations()));
        template.setMetadata(given);
        Map<String, String> labels = both(part.labels, Map.of("dask.org/cluster-name", object.name()));
        String name = object.name() + part.suffix;
        int count = part.count == null ? 1 : templateFields.count(part.count, 1);
        for (int i = 0; i < count; i++) {
            expansion.pod(part.count == null ? name : name + "-" + i, template, expansion.owner(), labels, Map.of());
        }
    }

    private static Map<String, String> both(Map<String, String> first, @Nullable Map<String, String> second) {
        Map<String, String> all = new HashMap<>(first);
        if (second != null) {
            all.putAll(second);
        }
        return all;
    }
}
