package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The API server's validation across several fields of a pod: names, tolerations, selectors, gates, ports and
 * resources. Precondition: {@link ObjectSchema} has found no flaw. O(size of the specification).
 *
 * <p>Source: Kubernetes 1.37, pkg/apis/core/validation/validation.go.
 */
public final class PodRules {
    private static final Set<String> SETS = Set.of("In", "NotIn");
    private static final Set<String> FIGURES = Set.of("Gt", "Lt");

    private final String path;
    private final JsonNode spec;

    private PodRules(JsonNode spec, String path) {
        this.spec = spec;
        this.path = path;
    }

    /** Returns the first rule that a pod's specification breaks, or null. */
    public static @Nullable SchemaFlaw broken(JsonNode spec, String path) {
        return new PodRules(spec, path).first();
    }

    private @Nullable SchemaFlaw first() {
        Set<String> names = new HashSet<>();
        return firstOf(
                each("containers", "", (container, at) -> container(container, at, names)),
                each("initContainers", "", (container, at) -> container(container, at, names)),
                each("volumes", "", unique(new HashSet<>())),
                each("schedulingGates", "", unique(new HashSet<>())),
                each("resourceClaims", "", unique(new HashSet<>())),
                each("resourceClaims", "", PodRules::claim),
                each("tolerations", "", PodRules::toleration),
                keys(spec.path("nodeSelector"), path + ".nodeSelector"),
                nodeTerms(),
                podTerms("podAffinity"),
                podTerms("podAntiAffinity"),
                each("topologySpreadConstraints", "", PodRules::spread),
                each("topologySpreadConstraints", "", spreadOnce(new HashSet<>())));
    }

    /** A check of one item of a list; returns null if it is valid. */
    interface ItemRule {
        @Nullable
        SchemaFlaw broken(JsonNode item, String path);
    }

    static @Nullable SchemaFlaw firstOf(@Nullable SchemaFlaw... flaws) {
        for (SchemaFlaw flaw : flaws) {
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    private @Nullable SchemaFlaw each(String field, String below, ItemRule rule) {
        return each(spec.path(field), path + "." + field + below, rule);
    }

    static @Nullable SchemaFlaw each(JsonNode list, String path, ItemRule rule) {
        for (int i = 0; i < list.size(); i++) {
            SchemaFlaw flaw = rule.broken(list.get(i), "%s[%d]".formatted(path, i));
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    /** Returns the first flaw of the entries of a map, or null. */
    static @Nullable SchemaFlaw eachEntry(JsonNode map, BiFunction<String, JsonNode, @Nullable SchemaFlaw> rule) {
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            SchemaFlaw flaw = rule.apply(entry.getKey(), entry.getValue());
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    static ItemRule unique(Set<String> names) {
        return (item, at) -> names.add(text(item, "name"))
                ? null
                : SchemaFlaw.invalid(at + ".name", text(item, "name"), "another name than those before it");
    }

    static ItemRule oneOf(Set<String> names, String expected) {
        return (item, at) -> names.contains(text(item, "name"))
                ? null
                : SchemaFlaw.invalid(at + ".name", text(item, "name"), expected);
    }

    private Set<String> names(String field) {
        return spec.path(field).valueStream().map(item -> text(item, "name")).collect(Collectors.toSet());
    }

    /** Returns the first rule that a pod breaks, or null. A pod with a gate has no node. */
    static @Nullable SchemaFlaw ofPod(JsonNode spec) {
        String node = text(spec, "nodeName");
        return firstOf(
                broken(spec, "spec"),
                node.isEmpty() || spec.path("schedulingGates").isEmpty()
                        ? null
                        : SchemaFlaw.invalid("spec.nodeName", node, "no node as long as there are schedulingGates"));
    }

    private @Nullable SchemaFlaw container(JsonNode container, String at, Set<String> names) {
        return firstOf(
                unique(names).broken(container, at),
                ResourceRules.broken(container.path("resources"), at + ".resources"),
                each(
                        container.path("resources").path("claims"),
                        at + ".resources.claims",
                        oneOf(names("resourceClaims"), "the name of a resource claim of the pod")),
                each(container.path("volumeMounts"), at + ".volumeMounts", mount(new HashSet<>())),
                each(container.path("ports"), at + ".ports", this::port),
                each(container.path("ports"), at + ".ports", portOnce(new HashSet<>())));
    }

    /** Checks that a mount is of an existing volume or claim, at a unique path. */
    private ItemRule mount(Set<String> paths) {
        return (mount, at) -> {
            String where = text(mount, "mountPath");
            return firstOf(
                    oneOf(names("volumes"), "the name of a volume of the pod").broken(mount, at),
                    paths.add(where) ? null : SchemaFlaw.invalid(at + ".mountPath", where, "another path"));
        };
    }

    /** Checks that a host port and the name of a port occur once in a container. */
    private static ItemRule portOnce(Set<String> seen) {
        return (port, at) -> {
            String name = text(port, "name");
            String host = "%s/%s/%s".formatted(text(port, "hostPort"), text(port, "protocol"), text(port, "hostIP"));
            boolean isNew = (name.isEmpty() || seen.add(name)) && (!port.hasNonNull("hostPort") || seen.add(host));
            return isNew ? null : SchemaFlaw.invalid(at, name.isEmpty() ? host : name, "another port and name");
        };
    }

    private @Nullable SchemaFlaw port(JsonNode port, String at) {
        boolean ofHost = spec.path("hostNetwork").asBoolean();
        int host = port.path("hostPort").asInt(0);
        return ofHost && host != 0 && host != port.path("containerPort").asInt()
                ? SchemaFlaw.invalid(at + ".hostPort", String.valueOf(host), "the container's port, as in hostNetwork")
                : null;
    }

    private static @Nullable SchemaFlaw spread(JsonNode spread, String at) {
        String unsatisfiable = text(spread, "whenUnsatisfiable");
        return spread.hasNonNull("minDomains") && !unsatisfiable.equals("DoNotSchedule")
                ? SchemaFlaw.invalid(at + ".whenUnsatisfiable", unsatisfiable, "DoNotSchedule with minDomains")
                : selector(spread.path("labelSelector"), at);
    }

    private static ItemRule spreadOnce(Set<String> seen) {
        return (spread, at) -> seen.add(text(spread, "topologyKey") + " " + text(spread, "whenUnsatisfiable"))
                ? null
                : SchemaFlaw.invalid(at + ".topologyKey", text(spread, "topologyKey"), "a key of its own");
    }

    private static @Nullable SchemaFlaw claim(JsonNode claim, String at) {
        boolean named = claim.hasNonNull("resourceClaimName");
        return named == claim.hasNonNull("resourceClaimTemplateName")
                ? SchemaFlaw.invalid(at, text(claim, "name"), "either resourceClaimName or resourceClaimTemplateName")
                : null;
    }

    static @Nullable SchemaFlaw toleration(JsonNode toleration, String at) {
        String key = text(toleration, "key");
        String operator = text(toleration, "operator");
        if (key.isEmpty() && !operator.equals("Exists")) {
            return SchemaFlaw.invalid(at + ".operator", operator, "Exists, as there is no key");
        }
        if (!key.isEmpty() && !FieldRule.isKey(key)) {
            return SchemaFlaw.invalid(at + ".key", key, "a key such as example.com/name");
        }
        String value = text(toleration, "value");
        if (operator.equals("Exists") && !value.isEmpty()) {
            return SchemaFlaw.invalid(at + ".value", value, "no value with the operator Exists");
        }
        if (!FieldRule.isLabelValue(value)) {
            return SchemaFlaw.invalid(at + ".value", value, "the value of a label");
        }
        return toleration.hasNonNull("tolerationSeconds")
                        && !text(toleration, "effect").equals("NoExecute")
                ? SchemaFlaw.invalid(at + ".effect", text(toleration, "effect"), "NoExecute with tolerationSeconds")
                : null;
    }

    private @Nullable SchemaFlaw nodeTerms() {
        String at = path + ".affinity.nodeAffinity.";
        JsonNode affinity = spec.path("affinity").path("nodeAffinity");
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        return firstOf(
                each(
                        affinity.path(required).path("nodeSelectorTerms"),
                        at + required + ".nodeSelectorTerms",
                        PodRules::nodeTerm),
                each(
                        affinity.path(preferred),
                        at + preferred,
                        (one, where) -> nodeTerm(one.path("preference"), where + ".preference")));
    }

    static @Nullable SchemaFlaw nodeTerm(JsonNode term, String at) {
        return firstOf(
                each(
                        term.path("matchExpressions"),
                        at + ".matchExpressions",
                        (one, where) -> firstOf(key(one, where), values(one, where))),
                each(term.path("matchFields"), at + ".matchFields", PodRules::nodeField));
    }

    private static @Nullable SchemaFlaw nodeField(JsonNode field, String at) {
        String key = text(field, "key");
        if (!key.equals("metadata.name")) {
            return SchemaFlaw.invalid(at + ".key", key, "metadata.name");
        }
        String operator = text(field, "operator");
        if (!SETS.contains(operator)) {
            return SchemaFlaw.invalid(at + ".operator", operator, "In or NotIn");
        }
        JsonNode values = field.path("values");
        return values.size() == 1 && FieldRule.of("name").passes(values.path(0))
                ? null
                : SchemaFlaw.invalid(at + ".values", values.toString(), "the name of one node");
    }

    private @Nullable SchemaFlaw podTerms(String kind) {
        String at = "%s.affinity.%s.".formatted(path, kind);
        JsonNode affinity = spec.path("affinity").path(kind);
        String required = "requiredDuringSchedulingIgnoredDuringExecution";
        String preferred = "preferredDuringSchedulingIgnoredDuringExecution";
        return firstOf(
                each(affinity.path(required), at + required, PodRules::podTerm),
                each(
                        affinity.path(preferred),
                        at + preferred,
                        (one, where) -> podTerm(one.path("podAffinityTerm"), where + ".podAffinityTerm")));
    }

    private static @Nullable SchemaFlaw podTerm(JsonNode term, String at) {
        return firstOf(
                selector(term.path("labelSelector"), at),
                selectorOf(term.path("namespaceSelector"), at + ".namespaceSelector"));
    }

    private static @Nullable SchemaFlaw selector(JsonNode selector, String at) {
        return selectorOf(selector, at + ".labelSelector");
    }

    static @Nullable SchemaFlaw selectorOf(JsonNode selector, String at) {
        return firstOf(
                keys(selector.path("matchLabels"), at + ".matchLabels"),
                each(selector.path("matchExpressions"), at + ".matchExpressions", PodRules::values));
    }

    private static @Nullable SchemaFlaw key(JsonNode requirement, String at) {
        String key = text(requirement, "key");
        return FieldRule.isKey(key) ? null : SchemaFlaw.invalid(at + ".key", key, "a key such as example.com/name");
    }

    private static String text(JsonNode fields, String field) {
        return fields.hasNonNull(field) ? fields.path(field).asText() : "";
    }

    private static @Nullable SchemaFlaw values(JsonNode requirement, String at) {
        String operator = text(requirement, "operator");
        List<String> values = StreamSupport.stream(requirement.path("values").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        String shown = String.join(", ", values);
        if (FIGURES.contains(operator)) {
            return values.size() == 1 && isWhole(values.getFirst()) && FieldRule.isLabelValue(values.getFirst())
                    ? null
                    : SchemaFlaw.invalid(at + ".values", shown, "one whole number with the operator " + operator);
        }
        boolean needs = SETS.contains(operator);
        if (needs == values.isEmpty()) {
            return SchemaFlaw.invalid(
                    at + ".values",
                    shown,
                    (needs ? "at least one value" : "no value") + " with the operator " + operator);
        }
        return values.stream().allMatch(FieldRule::isLabelValue)
                ? null
                : SchemaFlaw.invalid(at + ".values", shown, "values of labels");
    }

    private static boolean isWhole(String text) {
        return text.matches("[-+]?[0-9]{1,19}") && new BigInteger(text).bitLength() < Long.SIZE;
    }

    static @Nullable SchemaFlaw keys(JsonNode labels, String at) {
        return eachEntry(
                labels,
                (key, _) -> FieldRule.isKey(key) ? null : SchemaFlaw.invalid(at, key, "keys such as example.com/name"));
    }
}
