package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A SparkApplication: the driver NAME-driver and, once it runs, the executors NAME-exec-1 and so on that it creates.
 * Executors can be a gang; a gang of the driver and its executors could not start.
 *
 * <p>Sources: kubeflow/spark-operator, api/v1beta2/sparkapplication_types.go and internal/webhook; apache/spark,
 * BasicDriverFeatureStep.scala and BasicExecutorFeatureStep.scala (requests).
 */
final class SparkApplication implements WorkloadKind {
    private static final String PREFIX = "sparkoperator.k8s.io/";
    private static final String DRIVER = "driver";
    private static final String EXECUTOR = "executor";
    /** The fields of a role that are fields of its pods, too. */
    private static final List<String> OF_PODS =
            List.of("schedulerName", "affinity", "tolerations", "nodeSelector", "priorityClassName", "initContainers");

    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,15})([kmgtp]?)b?", Pattern.CASE_INSENSITIVE);
    /** The least memory beyond that of the JVM, MiB. */
    private static final long LEAST_OVERHEAD = 384;

    @Override
    public boolean is(String apiGroup, String kind) {
        return apiGroup.equals("sparkoperator.k8s.io") && kind.equals("SparkApplication");
    }

    @Override
    public void make(WrittenObject object, WorkloadExpansion expansion) {
        ObjectFields jobFields = object.spec();
        expansion.suspended(jobFields.flag("suspend"));
        ObjectFields executorFields = jobFields.at(EXECUTOR);
        String gang = executorFields.at("labels").text(AnnotationKeys.GANG);
        if (gang != null && gang.equals(jobFields.at(DRIVER).at("labels").text(AnnotationKeys.GANG))) {
            throw executorFields
                    .at("labels")
                    .invalid(
                            AnnotationKeys.GANG,
                            executorFields.at("labels").value().path(AnnotationKeys.GANG),
                            "another gang than the driver's, since executors come only when the driver runs");
        }
        if (jobFields.has("batchScheduler")) {
            expansion.remark("the PodGroup that its operator makes for the batchScheduler is not read");
        }
        expansion.pod(
                object.name() + "-driver",
                template(object, DRIVER),
                expansion.owner(),
                labels(object.name(), DRIVER),
                Map.of());
        PodTemplateSpec executor = template(object, EXECUTOR);
        for (int i = 1; i <= instances(jobFields, executorFields); i++) {
            expansion.pod(
                    object.name() + "-exec-" + i,
                    executor,
                    WorkloadExpansion.controller("v1", "Pod", object.name() + "-driver"),
                    labels(object.name(), EXECUTOR),
                    Map.of());
        }
        expansion.remark("its executors come only when the driver runs");
    }

    private static int instances(ObjectFields jobFields, ObjectFields executorFields) {
        int instances = executorFields.count("instances", 1);
        ObjectFields dynamicFields = jobFields.at("dynamicAllocation");
        return dynamicFields.flag("enabled")
                ? Math.max(
                        executorFields.count("instances", 0),
                        Math.max(dynamicFields.count("initialExecutors", 0), dynamicFields.count("minExecutors", 0)))
                : instances;
    }

    private static PodTemplateSpec template(WrittenObject object, String role) {
        ObjectFields jobFields = object.spec();
        ObjectFields roleFields = jobFields.at(role);
        if (!roleFields.isThere()) {
            throw new IllegalArgumentException("no %s: expected what its pods are like".formatted(roleFields.path()));
        }
        checkTypes(roleFields.at("template"));
        ObjectNode template = object.mapper().createObjectNode();
        if (roleFields.at("template").value() instanceof ObjectNode given) {
            template.setAll(given.deepCopy());
        }
        for (String texts : List.of("labels", "annotations")) {
            if (roleFields.at(texts).value() instanceof ObjectNode given) {
                template.withObject("/metadata/" + texts).setAll(given);
            }
        }
        ObjectNode pod = template.withObject("/spec");
        OF_PODS.stream()
                .filter(roleFields::has)
                .forEach(field -> pod.set(field, roleFields.value().path(field)));
        for (String field : List.of("nodeSelector", "volumes")) {
            if (jobFields.has(field) && !pod.has(field)) {
                pod.set(field, jobFields.value().path(field));
            }
        }
        if (jobFields.has("batchScheduler") && !pod.has("schedulerName")) {
            pod.put("schedulerName", jobFields.text("batchScheduler"));
        }
        JsonNode main = pod.path("containers").path(0);
        ObjectNode container = main instanceof ObjectNode given
                ? given
                : pod.withArray("containers").addObject();
        if (!container.has("name")) {
            container.put("name", "spark-kubernetes-" + role);
        }
        resources(jobFields, roleFields, container);
        roleFields
                .items("sidecars")
                .forEach(sidecar -> pod.withArray("containers").add(sidecar.value()));
        return object.template(new ObjectFields(roleFields.path(), template));
    }

    /** Checks the parts of a template to which something is added. */
    private static void checkTypes(ObjectFields templateFields) {
        templateFields.at("metadata").at("labels");
        templateFields.at("metadata").at("annotations");
        for (ObjectFields containerFields : templateFields.at("spec").items("containers")) {
            containerFields.at("resources").at("requests");
            containerFields.at("resources").at("limits");
        }
    }

    private static void resources(ObjectFields jobFields, ObjectFields roleFields, ObjectNode container) {
        ObjectNode requests = container.withObject("/resources/requests");
        ObjectNode limits = container.withObject("/resources/limits");
        requests.put(
                "cpu",
                Objects.requireNonNullElseGet(
                        roleFields.text("coreRequest"), () -> String.valueOf(roleFields.count("cores", 1))));
        if (roleFields.has("coreLimit")) {
            limits.put("cpu", roleFields.text("coreLimit"));
        }
        long memory = mebibytes(roleFields, "memory", 1024L);
        String memoryText = memory + overhead(jobFields, roleFields, memory) + "Mi";
        requests.put("memory", memoryText);
        limits.put("memory", memoryText);
        ObjectFields gpuFields = roleFields.at("gpu");
        if (gpuFields.isThere()) {
            String device = gpuFields.required("name", "the name of the resource");
            requests.put(device, String.valueOf(gpuFields.count("quantity", 0)));
            limits.put(device, String.valueOf(gpuFields.count("quantity", 0)));
        }
    }

    /** Returns the memory beyond that of the JVM, MiB. */
    private static long overhead(ObjectFields jobFields, ObjectFields roleFields, long memory) {
        String type = jobFields.text("type");
        String factor = Objects.requireNonNullElse(
                jobFields.text("memoryOverheadFactor"), "Python".equals(type) || "R".equals(type) ? "0.4" : "0.1");
        try {
            BigDecimal part = new BigDecimal(factor).multiply(BigDecimal.valueOf(memory));
            return mebibytes(roleFields, "memoryOverhead", Math.max(part.longValue(), LEAST_OVERHEAD));
        } catch (NumberFormatException e) {
            throw jobFields.invalid(
                    "memoryOverheadFactor", jobFields.value().path("memoryOverheadFactor"), "a number such as 0.1");
        }
    }

    /** Returns an amount of memory as Spark writes it, rounded up to MiB, its unit without a letter. */
    private static long mebibytes(ObjectFields roleFields, String field, long absent) {
        String text = roleFields.text(field);
        if (text == null) {
            return absent;
        }
        Matcher memory = MEMORY.matcher(text);
        if (!memory.matches()) {
            throw roleFields.invalid(field, roleFields.value().path(field), "memory such as 512m or 4g");
        }
        long amount = Long.parseLong(memory.group(1));
        return switch (memory.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> Math.ceilDiv(amount, 1024);
            case "g" -> amount << 10;
            case "t" -> amount << 20;
            case "p" -> amount << 30;
            default -> amount;
        };
    }

    private static Map<String, String> labels(String application, String role) {
        Map<String, String> labels = new HashMap<>();
        labels.put("spark-role", role);
        labels.put("spark-app-name", application);
        labels.put(PREFIX + "app-name", application);
        labels.put(PREFIX + "launched-by-spark-operator", "true");
        return labels;
    }
}
