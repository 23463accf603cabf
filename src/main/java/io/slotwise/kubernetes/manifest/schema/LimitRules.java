package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the API server's validation for what a namespace is limited to: a LimitRange and a ResourceQuota.
 *
 * <p>Source: Kubernetes 1.37, ValidateLimitRange and ValidateResourceQuotaSpec in pkg/apis/core/validation.
 */
final class LimitRules {
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "resourcequotas",
            "services",
            "replicationcontrollers",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");
    private static final Set<String> MEASURED = Set.of("cpu", "memory", "ephemeral-storage");
    private static final Set<String> TYPES = Set.of("Container", "Pod", "PersistentVolumeClaim");
    private static final String STORAGE = "storage";
    private static final List<String> KEYS = List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

    /** The first of two amounts must not be more than the second. */
    private static final List<List<String>> ORDER = List.of(
            List.of("min", "max"),
            List.of("min", "defaultRequest"),
            List.of("defaultRequest", "max"),
            List.of("defaultRequest", "default"),
            List.of("min", "default"),
            List.of("default", "max"));

    private LimitRules() {}

    /** The first rule that a LimitRange breaks; null: none. */
    static @Nullable SchemaFlaw range(JsonNode spec) {
        Set<String> types = new HashSet<>();
        return PodRules.each(spec.path("limits"), "spec.limits", (limit, at) -> {
            String type = limit.path("type").asText();
            if (!TYPES.contains(type) && (type.indexOf('/') < 0 || !FieldRule.isKey(type))) {
                return SchemaFlaw.invalid(at + ".type", type, "Container, Pod or PersistentVolumeClaim");
            }
            if (!types.add(type)) {
                return SchemaFlaw.invalid(at + ".type", type, "each type once");
            }
            return PodRules.firstOf(names(limit, type, at), order(limit, at), equal(limit, at), ratios(limit, at));
        });
    }

    private static @Nullable SchemaFlaw names(JsonNode limit, String type, String at) {
        boolean isOfPods = type.equals("Pod") || type.equals("Container");
        for (String key : KEYS) {
            String where = at + "." + key;
            if (type.equals("Pod")
                    && key.startsWith("default")
                    && !limit.path(key).isEmpty()) {
                return SchemaFlaw.invalid(where, limit.path(key).toString(), "none with the type Pod");
            }
            for (Map.Entry<String, JsonNode> entry : limit.path(key).properties()) {
                String name = entry.getKey();
                boolean isKnown =
                        isOfPods ? ResourceRules.isOfContainer(name) : name.equals(STORAGE) || isOfQuota(name);
                if (!isKnown) {
                    return SchemaFlaw.invalid(where, name, "a resource such as cpu, memory or storage");
                }
            }
        }
        return type.equals("PersistentVolumeClaim")
                        && !limit.path("min").has(STORAGE)
                        && !limit.path("max").has(STORAGE)
                ? SchemaFlaw.missing(at + ".max[storage]", "an amount of storage in min or max")
                : null;
    }

    private static @Nullable SchemaFlaw order(JsonNode limit, String at) {
        for (List<String> pair : ORDER) {
            JsonNode larger = limit.path(pair.getLast());
            for (Map.Entry<String, JsonNode> entry : limit.path(pair.getFirst()).properties()) {
                BigDecimal less = ResourceRules.exact(entry.getValue());
                BigDecimal more = ResourceRules.exact(larger.path(entry.getKey()));
                if (less != null && more != null && less.compareTo(more) > 0) {
                    return SchemaFlaw.invalid(
                            "%s.%s[%s]".formatted(at, pair.getFirst(), entry.getKey()),
                            entry.getValue().asText(),
                            "at most %s, %s"
                                    .formatted(
                                            pair.getLast(),
                                            larger.path(entry.getKey()).asText()));
                }
            }
        }
        return null;
    }

    /** What of a resource is requested by default and its limit, where limits may not be more than that. */
    private static @Nullable SchemaFlaw equal(JsonNode limit, String at) {
        for (Map.Entry<String, JsonNode> entry : limit.path("defaultRequest").properties()) {
            JsonNode most = limit.path("default").path(entry.getKey());
            BigDecimal exact = ResourceRules.exact(entry.getValue());
            BigDecimal exactMost = ResourceRules.exact(most);
            if (exact != null
                    && exactMost != null
                    && exact.compareTo(exactMost) != 0
                    && !ResourceRules.isOvercommitAllowed(entry.getKey())) {
                return SchemaFlaw.invalid(
                        "%s.defaultRequest[%s]".formatted(at, entry.getKey()),
                        entry.getValue().asText(),
                        "default, " + most.asText());
            }
        }
        return null;
    }

    private static @Nullable SchemaFlaw ratios(JsonNode limit, String at) {
        for (Map.Entry<String, JsonNode> entry :
                limit.path("maxLimitRequestRatio").properties()) {
            String name = entry.getKey();
            BigDecimal exact = ResourceRules.exact(entry.getValue());
            BigDecimal min = ResourceRules.exact(limit.path("min").path(name));
            BigDecimal max = ResourceRules.exact(limit.path("max").path(name));
            boolean isFine = exact == null
                    || (exact.compareTo(BigDecimal.ONE) >= 0
                            && (min == null || max == null || isAtMost(exact, max, min)));
            if (!isFine) {
                return SchemaFlaw.invalid(
                        "%s.maxLimitRequestRatio[%s]".formatted(at, name),
                        entry.getValue().asText(),
                        "at least 1 and at most max divided by min");
            }
        }
        return null;
    }

    /** Whether a ratio is at most one amount divided by another one. */
    private static boolean isAtMost(BigDecimal ratio, BigDecimal max, BigDecimal min) {
        int compared = ratio.multiply(min).compareTo(max);
        return min.signum() < 0 ? compared >= 0 : compared <= 0;
    }

    /** The first rule that a ResourceQuota breaks; null: none. */
    static @Nullable SchemaFlaw quota(JsonNode spec) {
        for (Map.Entry<String, JsonNode> entry : spec.path("hard").properties()) {
            String name = entry.getKey();
            String where = "spec.hard[%s]".formatted(name);
            if (!isOfQuota(name)) {
                return SchemaFlaw.invalid(
                        "spec.hard", name, "a resource such as pods, requests.cpu or count/jobs.batch");
            }
            BigDecimal exact = ResourceRules.exact(entry.getValue());
            if (exact != null && exact.signum() < 0) {
                return SchemaFlaw.invalid(where, entry.getValue().asText(), "0 or more");
            }
            boolean isWhole = COUNTED.contains(name) || ResourceRules.isExtended(name);
            if (exact != null && isWhole && exact.stripTrailingZeros().scale() > 0) {
                return SchemaFlaw.invalid(where, entry.getValue().asText(), "a whole number");
            }
        }
        return null;
    }

    private static boolean isOfQuota(String name) {
        int dot = name.indexOf('.');
        String what = dot < 0 ? name : name.substring(dot + 1);
        boolean isPrefixed = name.startsWith("requests.") || name.startsWith("limits.");
        return COUNTED.contains(name)
                || MEASURED.contains(name)
                || (isPrefixed && MEASURED.contains(what))
                || name.equals("requests." + STORAGE)
                || name.startsWith("hugepages-")
                || name.startsWith("requests.hugepages-")
                || (name.indexOf('/') >= 0 && FieldRule.isKey(name));
    }
}
