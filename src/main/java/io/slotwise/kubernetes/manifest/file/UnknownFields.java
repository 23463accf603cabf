package io.slotwise.kubernetes.manifest.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.text.Suggestion;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The fields of objects in files that the API does not know, such as misspelt ones: what kubectl refuses. Objects with
 * a UID have passed an API server and have none. Scratch of one reading.
 */
final class UnknownFields {
    private static final String CONSEQUENCE = "it does not count in the plan, and kubectl refuses the object";

    private static final Map<String, Class<?>> WORKLOADS = Map.of(
            "batch/v1 Job",
            Job.class,
            "apps/v1 Deployment",
            Deployment.class,
            "apps/v1 StatefulSet",
            StatefulSet.class,
            "apps/v1 ReplicaSet",
            ReplicaSet.class);

    private final ApiFields fields = new ApiFields();
    /** The objects that have one, by the kind and the path. */
    private final Map<Unknown, List<HasMetadata>> found = new LinkedHashMap<>();

    /** A field of objects of one kind; the suggestion is empty if there is none. */
    private record Unknown(String kind, String path, String suggestion) {}

    /** Looks at a whole object. O(size of the object). */
    void look(ObjectNode object, Class<?> type, HasMetadata value) {
        if (type != GenericKubernetesResource.class && value.getMetadata().getUid() == null) {
            look(object, type, "", value);
        }
    }

    /**
     * Looks at a workload: at the whole of those of Kubernetes itself, and at all pod templates of the others, whose
     * own fields are not known. O(size of the object).
     */
    void lookAtWorkload(ObjectNode object, HasMetadata value) {
        Class<?> type = WORKLOADS.get(value.getApiVersion() + " " + value.getKind());
        if (type != null) {
            look(object, type, value);
        } else if (value.getMetadata().getUid() == null) {
            templates(object, "", value);
        }
    }

    private void templates(JsonNode node, String path, HasMetadata value) {
        if (node.path("spec").path("containers").isArray()) {
            look(node, PodTemplateSpec.class, path, value);
            return;
        }
        node.properties().forEach(field -> templates(field.getValue(), joined(path, field.getKey()), value));
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            templates(node.get(i), path + "[" + i + "]", value);
        }
    }

    private void look(JsonNode node, Type type, String path, HasMetadata value) {
        if (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
            Type inner = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (Map.class.isAssignableFrom(raw)) {
                node.properties().forEach(entry -> look(entry.getValue(), inner, joined(path, entry.getKey()), value));
            } else {
                for (int i = 0; node.isArray() && i < node.size(); i++) {
                    look(node.get(i), inner, path + "[" + i + "]", value);
                }
            }
        } else if (type instanceof Class<?> single && node.isObject()) {
            Map<String, Type> known = fields.of(single);
            if (!known.isEmpty()) {
                for (Map.Entry<String, JsonNode> field : node.properties()) {
                    Type of = known.get(field.getKey());
                    String there = joined(path, field.getKey());
                    if (of == null) {
                        add(value, there, field.getKey(), known.keySet());
                    } else {
                        look(field.getValue(), of, there, value);
                    }
                }
            }
        }
    }

    private static String joined(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    private void add(HasMetadata value, String path, String field, Set<String> known) {
        String suggestion = Suggestion.nearest(field, known.stream().sorted().toList())
                .map(", maybe it is `%s`"::formatted)
                .orElse("");
        found.computeIfAbsent(new Unknown(value.getKind(), SafeText.line(path), suggestion), _ -> new ArrayList<>())
                .add(value);
    }

    /** A warning for each field, in the order in which they were read. */
    List<IntakeWarning> warnings() {
        List<IntakeWarning> warnings = new ArrayList<>();
        found.forEach((unknown, objects) -> {
            ObjectMeta first = objects.getFirst().getMetadata();
            List<String> names =
                    objects.stream().map(object -> name(object.getMetadata())).toList();
            warnings.add(IntakeWarning.of(
                    IntakeWarning.Reason.UNKNOWN_FIELD,
                    unknown.kind(),
                    first.getNamespace() == null ? "" : first.getNamespace(),
                    first.getName(),
                    unknown.path(),
                    "`%s` of %s %s is not known%s"
                            .formatted(unknown.path(), unknown.kind(), PodFindings.few(names), unknown.suggestion()),
                    CONSEQUENCE));
        });
        return warnings;
    }

    private static String name(ObjectMeta metadata) {
        return metadata.getNamespace() == null
                ? metadata.getName()
                : metadata.getNamespace() + "/" + metadata.getName();
    }
}
