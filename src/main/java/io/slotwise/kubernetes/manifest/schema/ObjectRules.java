package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the API server's validation that span several fields of an object: of a pod, of what has a pod template,
 * and of volumes and devices. They take what {@link ObjectSchema} has found in order.
 */
public final class ObjectRules {
    private static final FieldRule NAME_OF_NAMESPACE = FieldRule.of("label");

    private ObjectRules() {}

    /** The first rule that an object breaks; null: none. O(size of the object). */
    public static @Nullable SchemaFlaw broken(JsonNode object) {
        JsonNode spec = object.path("spec");
        return switch (object.path("apiVersion").asText() + " "
                + object.path("kind").asText()) {
            case "v1 Pod" -> PodRules.broken(spec, "spec");
            case "v1 Namespace" -> namespace(object.path("metadata").path("name"));
            case "v1 PersistentVolume" ->
                PodRules.each(
                        spec.path("nodeAffinity").path("required").path("nodeSelectorTerms"),
                        "spec.nodeAffinity.required.nodeSelectorTerms",
                        PodRules::nodeTerm);
            case "v1 PersistentVolumeClaim" ->
                spec.path("resources").path("requests").hasNonNull("storage")
                        ? null
                        : SchemaFlaw.missing("spec.resources.requests.storage", "an amount such as 10Gi");
            case "policy/v1 PodDisruptionBudget" -> PodRules.selectorOf(spec.path("selector"), "spec.selector");
            case "resource.k8s.io/v1 ResourceClaim" -> devices(spec.path("devices"), "spec.devices");
            case "resource.k8s.io/v1 ResourceClaimTemplate" ->
                devices(spec.path("spec").path("devices"), "spec.spec.devices");
            case "v1 Node" -> PodRules.each(spec.path("taints"), "spec.taints", taint(new HashSet<>()));
            case "batch/v1 Job" ->
                PodRules.firstOf(
                        job(object.path("metadata").path("name"), spec),
                        PodRules.broken(spec.path("template").path("spec"), "spec.template.spec"));
            case "apps/v1 Deployment", "apps/v1 ReplicaSet", "apps/v1 StatefulSet" ->
                PodRules.broken(spec.path("template").path("spec"), "spec.template.spec");
            case "storage.k8s.io/v1 StorageClass" ->
                PodRules.each(object.path("allowedTopologies"), "allowedTopologies", topology(new HashSet<>()));
            default -> null;
        };
    }

    private static PodRules.ItemRule taint(Set<String> seen) {
        return (taint, at) -> {
            String key = taint.path("key").asText() + ":" + taint.path("effect").asText();
            return seen.add(key) ? null : SchemaFlaw.invalid(at, key, "another key or effect than those before it");
        };
    }

    /** The pods of a Job bear its name as a label, those of an Indexed one as the beginning of their host names. */
    private static @Nullable SchemaFlaw job(JsonNode name, JsonNode spec) {
        FieldRule rule = FieldRule.of(spec.path("completionMode").asText().equals("Indexed") ? "label" : "label-value");
        return !name.isTextual() || rule.passes(name)
                ? null
                : SchemaFlaw.invalid("metadata.name", name.asText(), rule.expected());
    }

    private static PodRules.ItemRule topology(Set<JsonNode> seen) {
        return (topology, at) -> {
            JsonNode expressions = topology.path("matchLabelExpressions");
            if (!seen.add(expressions) || expressions.isEmpty()) {
                return SchemaFlaw.invalid(
                        at + ".matchLabelExpressions", expressions.toString(), "expressions of its own");
            }
            Set<String> keys = new HashSet<>();
            return PodRules.each(expressions, at + ".matchLabelExpressions", (one, where) -> {
                if (!keys.add(one.path("key").asText())) {
                    return SchemaFlaw.invalid(where + ".key", one.path("key").asText(), "a key of its own");
                }
                JsonNode values = one.path("values");
                boolean areOnce = values.valueStream().distinct().count() == values.size();
                return !values.isEmpty() && areOnce
                        ? null
                        : SchemaFlaw.invalid(where + ".values", values.toString(), "at least one value, each once");
            });
        };
    }

    private static @Nullable SchemaFlaw namespace(JsonNode name) {
        return !name.isTextual() || NAME_OF_NAMESPACE.passes(name)
                ? null
                : SchemaFlaw.invalid("metadata.name", name.asText(), NAME_OF_NAMESPACE.expected());
    }

    private static @Nullable SchemaFlaw devices(JsonNode devices, String at) {
        return PodRules.firstOf(
                PodRules.each(devices.path("requests"), at + ".requests", PodRules.unique(new HashSet<>())),
                PodRules.each(devices.path("requests"), at + ".requests", ObjectRules::request));
    }

    private static @Nullable SchemaFlaw request(JsonNode request, String at) {
        return request.hasNonNull("exactly") == request.hasNonNull("firstAvailable")
                ? SchemaFlaw.missing(at + ".exactly", "either exactly or firstAvailable")
                : null;
    }
}
