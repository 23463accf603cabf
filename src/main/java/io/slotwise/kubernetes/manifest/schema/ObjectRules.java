package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The API server's validation across several fields of an object: pods, objects with a pod template, volumes and
 * devices. Precondition: {@link ObjectSchema} has found no flaw.
 */
public final class ObjectRules {
    private static final FieldRule NAME_OF_NAMESPACE = FieldRule.of("label");

    private static final long HIGHEST_PRIORITY = 1_000_000_000;
    private static final Set<String> SYSTEM = Set.of("system-cluster-critical", "system-node-critical");

    private ObjectRules() {}

    /** Returns the first rule that an object breaks, or null. O(size of the object). */
    public static @Nullable SchemaFlaw broken(JsonNode object) {
        JsonNode spec = object.path("spec");
        return switch (object.path("apiVersion").asText() + " "
                + object.path("kind").asText()) {
            case "v1 Pod" -> PodRules.ofPod(spec);
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
            case "v1 LimitRange" -> LimitRules.range(spec);
            case "v1 ResourceQuota" -> LimitRules.quota(spec);
            case "scheduling.k8s.io/v1 PriorityClass" -> priority(object);
            case "node.k8s.io/v1 RuntimeClass" -> runtime(object);
            case "storage.k8s.io/v1 CSINode" ->
                PodRules.each(spec.path("drivers"), "spec.drivers", driver(new HashSet<>()));
            case "resource.k8s.io/v1 ResourceClaim" -> DeviceRules.requests(spec.path("devices"), "spec.devices");
            case "resource.k8s.io/v1 ResourceClaimTemplate" ->
                DeviceRules.requests(spec.path("spec").path("devices"), "spec.spec.devices");
            case "resource.k8s.io/v1 DeviceClass" -> DeviceRules.deviceClass(spec);
            case "resource.k8s.io/v1 ResourceSlice" -> DeviceRules.slice(spec);
            case "scheduling.k8s.io/v1beta1 PodGroup" -> podGroup(spec);
            case "jobset.x-k8s.io/v1alpha2 JobSet" -> jobSet(spec);
            case "v1 Node" -> PodRules.each(spec.path("taints"), "spec.taints", taint(new HashSet<>()));
            case "batch/v1 Job" ->
                PodRules.firstOf(
                        job(object.path("metadata").path("name"), spec),
                        PodRules.broken(spec.path("template").path("spec"), "spec.template.spec"));
            case "apps/v1 Deployment", "apps/v1 ReplicaSet", "apps/v1 StatefulSet" ->
                PodRules.firstOf(
                        selector(spec), PodRules.broken(spec.path("template").path("spec"), "spec.template.spec"));
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

    /**
     * Checks the name of a Job, which its pods bear as a label, and those of an Indexed Job at the beginning of their
     * host names.
     */
    private static @Nullable SchemaFlaw job(JsonNode name, JsonNode spec) {
        FieldRule rule = FieldRule.of(spec.path("completionMode").asText().equals("Indexed") ? "label" : "label-value");
        return !name.isTextual() || rule.passes(name)
                ? null
                : SchemaFlaw.invalid("metadata.name", name.asText(), rule.expected());
    }

    /** Checks that a PodGroup has one policy and one mode, and each of its claims one source. */
    private static @Nullable SchemaFlaw podGroup(JsonNode spec) {
        return PodRules.firstOf(
                one(spec.path("schedulingPolicy"), "spec.schedulingPolicy", "basic", "gang"),
                spec.hasNonNull("disruptionMode")
                        ? one(spec.path("disruptionMode"), "spec.disruptionMode", "single", "all")
                        : null,
                PodRules.each(spec.path("resourceClaims"), "spec.resourceClaims", PodRules.unique(new HashSet<>())),
                PodRules.each(
                        spec.path("resourceClaims"),
                        "spec.resourceClaims",
                        (claim, at) -> one(claim, at, "resourceClaimName", "resourceClaimTemplateName")));
    }

    private static @Nullable SchemaFlaw one(JsonNode fields, String at, String first, String second) {
        return fields.hasNonNull(first) == fields.hasNonNull(second)
                ? SchemaFlaw.invalid(at, fields.toString(), "either %s or %s".formatted(first, second))
                : null;
    }

    /**
     * Checks that the roles of a JobSet have unique names, and depend on roles before them, in one way.
     *
     * <p>Source: kubernetes-sigs/jobset, pkg/webhooks/jobset_webhook.go.
     */
    private static @Nullable SchemaFlaw jobSet(JsonNode spec) {
        JsonNode roles = spec.path("replicatedJobs");
        String order = spec.path("startupPolicy").path("startupPolicyOrder").asText();
        return PodRules.firstOf(
                PodRules.each(roles, "spec.replicatedJobs", PodRules.unique(new HashSet<>())),
                PodRules.each(
                        roles,
                        "spec.replicatedJobs",
                        (role, at) -> order.equals("InOrder") && role.hasNonNull("dependsOn")
                                ? SchemaFlaw.invalid(
                                        at + ".dependsOn",
                                        role.path("dependsOn").toString(),
                                        "none with the startupPolicyOrder InOrder")
                                : PodRules.each(
                                        role.path("dependsOn"), at + ".dependsOn", PodRules.unique(new HashSet<>()))),
                PodRules.each(roles, "spec.replicatedJobs", dependencies(new HashSet<>())));
    }

    private static PodRules.ItemRule dependencies(Set<String> before) {
        return (role, at) -> {
            SchemaFlaw flaw = PodRules.each(
                    role.path("dependsOn"),
                    at + ".dependsOn",
                    PodRules.oneOf(before, "the name of a replicated Job before it"));
            before.add(role.path("name").asText());
            return flaw;
        };
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

    /**
     * Checks workloads whose pods are recreated forever: the selector matches the pods' labels, and the pods do not end
     * by themselves.
     */
    private static @Nullable SchemaFlaw selector(JsonNode spec) {
        JsonNode selector = spec.path("selector");
        SchemaFlaw flaw = PodRules.selectorOf(selector, "spec.selector");
        if (flaw != null) {
            return flaw;
        }
        JsonNode matched = selector.path("matchLabels");
        JsonNode expressions = selector.path("matchExpressions");
        if (matched.isEmpty() && expressions.isEmpty()) {
            return SchemaFlaw.invalid("spec.selector", selector.toString(), "at least one label");
        }
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        boolean isTheirs =
                matched.properties().stream().allMatch(entry -> entry.getValue().equals(labels.path(entry.getKey())));
        if (!isTheirs) {
            return SchemaFlaw.invalid(
                    "spec.template.metadata.labels", labels.toString(), "the labels of spec.selector, " + matched);
        }
        JsonNode pod = spec.path("template").path("spec");
        String policy = pod.path("restartPolicy").asText("Always");
        if (pod.hasNonNull("restartPolicy") && !policy.equals("Always")) {
            return SchemaFlaw.invalid("spec.template.spec.restartPolicy", policy, "Always");
        }
        return pod.hasNonNull("activeDeadlineSeconds")
                ? SchemaFlaw.invalid(
                        "spec.template.spec.activeDeadlineSeconds",
                        pod.path("activeDeadlineSeconds").asText(),
                        "none: its pods are made again")
                : null;
    }

    private static @Nullable SchemaFlaw priority(JsonNode priority) {
        String name = priority.path("metadata").path("name").asText();
        long value = priority.path("value").asLong();
        if (name.startsWith("system-")) {
            return SYSTEM.contains(name)
                    ? null
                    : SchemaFlaw.invalid("metadata.name", name, "a name that does not begin with system-");
        }
        return value > HIGHEST_PRIORITY
                ? SchemaFlaw.invalid("value", Long.toString(value), "at most %d".formatted(HIGHEST_PRIORITY))
                : null;
    }

    private static @Nullable SchemaFlaw runtime(JsonNode runtime) {
        JsonNode scheduling = runtime.path("scheduling");
        return PodRules.firstOf(
                ResourceRules.amounts(runtime.path("overhead").path("podFixed"), "overhead.podFixed"),
                PodRules.keys(scheduling.path("nodeSelector"), "scheduling.nodeSelector"),
                PodRules.each(scheduling.path("tolerations"), "scheduling.tolerations", PodRules::toleration),
                PodRules.each(scheduling.path("tolerations"), "scheduling.tolerations", once(new HashSet<>())));
    }

    private static PodRules.ItemRule once(Set<JsonNode> seen) {
        return (item, at) ->
                seen.add(item) ? null : SchemaFlaw.invalid(at, item.toString(), "another one than those before it");
    }

    private static PodRules.ItemRule driver(Set<String> names) {
        return (driver, at) -> PodRules.firstOf(
                PodRules.unique(names).broken(driver, at),
                driver.path("topologyKeys").valueStream().distinct().count()
                                == driver.path("topologyKeys").size()
                        ? null
                        : SchemaFlaw.invalid(
                                at + ".topologyKeys",
                                driver.path("topologyKeys").toString(),
                                "each key once"));
    }
}
