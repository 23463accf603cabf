package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.PodFindings;
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
    /** The keys of Spark's own configuration with the number or the size of pods. */
    private static final Pattern OF_SIZE = Pattern.compile("spark\\.(kubernetes\\.)?(driver|executor)"
            + "\\.(instances|cores|memory(Overhead(Factor)?)?|(request|limit)\\.cores"
            + "|resource\\..{1,253})|spark\\.kubernetes\\.memoryOverheadFactor"
            + "|spark\\.dynamicAllocation\\..{1,253}");

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
        List<String> unread = jobFields.at("sparkConf").names().stream()
                .filter(key -> OF_SIZE.matcher(key).matches())
                .sorted()
                .toList();
        if (!unread.isEmpty()) {
            expansion.remark("sizes in its sparkConf are not read (%s): state them in spec.driver and spec.executor"
                    .formatted(PodFindings.few(unread)));
        }
        expansion.pod(
                object.name() + "-driver",
                template(object, DRIVER),
                expansion.owner(),
                labels(object.name(), DRIVER),
                Map.of());
        PodTemplateSpec executor = template(object, EXECUTOR);
        int instances = instances(jobFields, executorFields);
        for (int i = 1; i <= instances; i++) {
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
        ObjectFields givenFields = roleFields.at("template");
        ObjectFields templateFields = new ObjectFields(
                givenFields.path(),
                givenFields.isThere()
                        ? givenFields.value().deepCopy()
                        : object.mapper().createObjectNode());
        for (String texts : List.of("labels", "annotations")) {
            if (roleFields.at(texts).value() instanceof ObjectNode given) {
                templateFields.child("metadata").child(texts).fields().setAll(given);
            }
        }
        ObjectFields podFields = templateFields.child("spec");
        ObjectNode pod = podFields.fields();
        OF_PODS.forEach(field -> roleFields.copy(field, pod, field));
        for (String field : List.of("nodeSelector", "volumes")) {
            if (!pod.has(field)) {
                jobFields.copy(field, pod, field);
            }
        }
        if (jobFields.has("batchScheduler") && !pod.has("schedulerName")) {
            pod.put("schedulerName", jobFields.text("batchScheduler"));
        }
        ArrayNode containers = podFields.list("containers");
        if (containers.isEmpty()) {
            containers.addObject();
        }
        ObjectFields mainFields = podFields.items("containers").getFirst();
        if (!mainFields.has("name")) {
            mainFields.fields().put("name", "spark-kubernetes-" + role);
        }
        resources(jobFields, roleFields, mainFields.child("resources"));
        roleFields.items("sidecars").forEach(sidecar -> containers.add(sidecar.value()));
        return object.template(templateFields);
    }

    private static void resources(ObjectFields jobFields, ObjectFields roleFields, ObjectFields resourceFields) {
        ObjectNode requests = resourceFields.child("requests").fields();
        ObjectNode limits = resourceFields.child("limits").fields();
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
