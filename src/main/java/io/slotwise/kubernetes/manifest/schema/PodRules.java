package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the API server's validation that span several fields of a pod: its names, tolerations, selectors, gates,
 * ports and resources. They take what {@link ObjectSchema} has found in order. O(size of the specification).
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

    /** The first rule that a pod's specification breaks; null: none. */
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
                each("resourceClaims", "", PodRules::claim),
                each("tolerations", "", PodRules::toleration),
                keys(spec.path("nodeSelector"), path + ".nodeSelector"),
                nodeTerms(),
                podTerms("podAffinity"),
                podTerms("podAntiAffinity"),
                each("topologySpreadConstraints", "", (one, at) -> selector(one.path("labelSelector"), at)));
    }

    /** A check of one item of a list; null: it is in order. */
    private interface ItemRule {
        @Nullable
        SchemaFlaw broken(JsonNode item, String path);
    }

    @SafeVarargs
    private static @Nullable SchemaFlaw firstOf(@Nullable SchemaFlaw... flaws) {
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

    private static @Nullable SchemaFlaw each(JsonNode list, String path, ItemRule rule) {
        for (int i = 0; i < list.size(); i++) {
            SchemaFlaw flaw = rule.broken(list.get(i), "%s[%d]".formatted(path, i));
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    private static ItemRule unique(Set<String> names) {
        return (item, at) -> names.add(item.path("name").asText())
                ? null
                : SchemaFlaw.invalid(at + ".name", item.path("name").asText(), "another name than those before it");
    }

    private @Nullable SchemaFlaw container(JsonNode container, String at, Set<String> names) {
        return firstOf(
                unique(names).broken(container, at),
                resources(container.path("resources"), at + ".resources"),
                each(container.path("ports"), at + ".ports", this::port));
    }

    private @Nullable SchemaFlaw port(JsonNode port, String at) {
        boolean ofHost = spec.path("hostNetwork").asBoolean();
        int host = port.path("hostPort").asInt(0);
        return ofHost && host != 0 && host != port.path("containerPort").asInt()
                ? SchemaFlaw.invalid(at + ".hostPort", String.valueOf(host), "the container's port, as in hostNetwork")
                : null;
    }

    private static @Nullable SchemaFlaw resources(JsonNode resources, String at) {
        return firstOf(
                amounts(resources.path("requests"), at + ".requests"),
                amounts(resources.path("limits"), at + ".limits"));
    }

    private static @Nullable SchemaFlaw amounts(JsonNode amounts, String at) {
        for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
            if (!FieldRule.isKey(amount.getKey())) {
                return SchemaFlaw.invalid(at, amount.getKey(), "the name of a resource");
            }
            if (amount.getValue().asText().startsWith("-")) {
                return SchemaFlaw.invalid(
                        "%s[%s]".formatted(at, amount.getKey()), amount.getValue().asText(), "0 or more");
            }
        }
        return null;
    }

    private static @Nullable SchemaFlaw claim(JsonNode claim, String at) {
        boolean named = claim.hasNonNull("resourceClaimName");
        return named == claim.hasNonNull("resourceClaimTemplateName")
                ? SchemaFlaw.invalid(
                        at,
                        claim.path("name").asText(),
                        "either resourceClaimName or resourceClaimTemplateName")
                : null;
    }

    private static @Nullable SchemaFlaw toleration(JsonNode toleration, String at) {
        String key = toleration.path("key").asText();
        String operator = toleration.path("operator").asText();
        if (key.isEmpty() && !operator.equals("Exists")) {
            return SchemaFlaw.invalid(at + ".operator", operator, "Exists, as there is no key");
        }
        if (!key.isEmpty() && !FieldRule.isKey(key)) {
            return SchemaFlaw.invalid(at + ".key", key, "a key such as example.com/name");
        }
        String value = toleration.path("value").asText();
        if (operator.equals("Exists") && !value.isEmpty()) {
            return SchemaFlaw.invalid(at + ".value", value, "no value with the operator Exists");
        }
        if (!FieldRule.isLabelValue(value)) {
            return SchemaFlaw.invalid(at + ".value", value, "the value of a label");
        }
        return toleration.hasNonNull("tolerationSeconds")
                        && !toleration.path("effect").asText().equals("NoExecute")
                ? SchemaFlaw.invalid(
                        at + ".effect",
                        toleration.path("effect").asText(),
                        "NoExecute with tolerationSeconds")
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

    private static @Nullable SchemaFlaw nodeTerm(JsonNode term, String at) {
        return firstOf(
                each(term.path("matchExpressions"), at + ".matchExpressions", (one, where) -> firstOf(
                        key(one, where), values(one, where))),
                each(term.path("matchFields"), at + ".matchFields", PodRules::nodeField));
    }

    private static @Nullable SchemaFlaw nodeField(JsonNode field, String at) {
        String key = field.path("key").asText();
        if (!key.equals("metadata.name")) {
            return SchemaFlaw.invalid(at + ".key", key, "metadata.name");
        }
        String operator = field.path("operator").asText();
        if (!SETS.contains(operator)) {
            return SchemaFlaw.invalid(at + ".operator", operator, "In or NotIn");
        }
        return field.path("values").size() == 1
                ? null
                : SchemaFlaw.invalid(at + ".values", field.path("values").toString(), "one name");
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

    /** A label selector. */
    static @Nullable SchemaFlaw selectorOf(JsonNode selector, String at) {
        return firstOf(
                keys(selector.path("matchLabels"), at + ".matchLabels"),
                each(selector.path("matchExpressions"), at + ".matchExpressions", PodRules::values));
    }

    private static @Nullable SchemaFlaw key(JsonNode requirement, String at) {
        String key = requirement.path("key").asText();
        return FieldRule.isKey(key) ? null : SchemaFlaw.invalid(at + ".key", key, "a key such as example.com/name");
    }

    /** Whether a requirement has as many values as its operator wants. */
    private static @Nullable SchemaFlaw values(JsonNode requirement, String at) {
        String operator = requirement.path("operator").asText();
        List<String> values = StreamSupport.stream(
                        requirement.path("values").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        String shown = String.join(", ", values);
        if (FIGURES.contains(operator)) {
            return values.size() == 1 && isWhole(values.getFirst())
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

    /** The keys of a map of labels. */
    static @Nullable SchemaFlaw keys(JsonNode labels, String at) {
        return labels.properties().stream()
                .map(Map.Entry::getKey)
                .filter(key -> !FieldRule.isKey(key))
                .findFirst()
                .map((Function<String, SchemaFlaw>)
                        key -> SchemaFlaw.invalid(at, key, "keys such as example.com/name"))
                .orElse(null);
    }
}
