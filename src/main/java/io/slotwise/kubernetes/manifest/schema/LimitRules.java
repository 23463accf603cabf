package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The API server's validation of LimitRanges and ResourceQuotas.
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

    /** Pairs of amounts; the first must not exceed the second. */
    private static final List<List<String>> ORDER = List.of(
            List.of("min", "max"),
            List.of("min", "defaultRequest"),
            List.of("defaultRequest", "max"),
            List.of("defaultRequest", "default"),
            List.of("min", "default"),
            List.of("default", "max"));

    private LimitRules() {}

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
            SchemaFlaw flaw = PodRules.eachEntry(limit.path(key), (name, _) -> {
                boolean isKnown =
                        isOfPods ? ResourceRules.isOfContainer(name) : name.equals(STORAGE) || isOfQuota(name);
                return isKnown ? null : SchemaFlaw.invalid(where, name, "a resource such as cpu, memory or storage");
            });
            if (flaw != null) {
                return flaw;
            }
        }
        return type.equals("PersistentVolumeClaim")
                        && !limit.path("min").has(STORAGE)
                        && !limit.path("max").has(STORAGE)
                ? SchemaFlaw.missing(at + ".max[storage]", "an amount of storage in min or max")
                : null;
    }

    private static @Nullable SchemaFlaw order(JsonNode limit, String at) {
        return ORDER.stream()
                .map(pair -> order(limit, pair.getFirst(), pair.getLast(), at))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable SchemaFlaw order(JsonNode limit, String less, String more, String at) {
        return PodRules.eachEntry(limit.path(less), (name, amount) -> {
            JsonNode most = limit.path(more).path(name);
            BigDecimal exact = ResourceRules.exact(amount);
            BigDecimal exactMost = ResourceRules.exact(most);
            return exact != null && exactMost != null && exact.compareTo(exactMost) > 0
                    ? SchemaFlaw.invalid(
                            "%s.%s[%s]".formatted(at, less, name),
                            amount.asText(),
                            "at most %s, %s".formatted(more, most.asText()))
                    : null;
        });
    }

    /** Checks that the default request of a resource equals its default limit where overcommit is not allowed. */
    private static @Nullable SchemaFlaw equal(JsonNode limit, String at) {
        return PodRules.eachEntry(limit.path("defaultRequest"), (name, request) -> {
            JsonNode most = limit.path("default").path(name);
            BigDecimal exact = ResourceRules.exact(request);
            BigDecimal exactMost = ResourceRules.exact(most);
            return exact != null
                            && exactMost != null
                            && exact.compareTo(exactMost) != 0
                            && !ResourceRules.isOvercommitAllowed(name)
                    ? SchemaFlaw.invalid(
                            "%s.defaultRequest[%s]".formatted(at, name), request.asText(), "default, " + most.asText())
                    : null;
        });
    }

    private static @Nullable SchemaFlaw ratios(JsonNode limit, String at) {
        return PodRules.eachEntry(limit.path("maxLimitRequestRatio"), (name, ratio) -> {
            BigDecimal exact = ResourceRules.exact(ratio);
            BigDecimal min = ResourceRules.exact(limit.path("min").path(name));
            BigDecimal max = ResourceRules.exact(limit.path("max").path(name));
            boolean isFine = exact == null
                    || (exact.compareTo(BigDecimal.ONE) >= 0
                            && (min == null || max == null || isAtMost(exact, max, min)));
            return isFine
                    ? null
                    : SchemaFlaw.invalid(
                            "%s.maxLimitRequestRatio[%s]".formatted(at, name),
                            ratio.asText(),
                            "at least 1 and at most max divided by min");
        });
    }

    private static boolean isAtMost(BigDecimal ratio, BigDecimal max, BigDecimal min) {
        int compared = ratio.multiply(min).compareTo(max);
        return min.signum() < 0 ? compared >= 0 : compared <= 0;
    }

    static @Nullable SchemaFlaw quota(JsonNode spec) {
        return PodRules.eachEntry(
                spec.path("hard"),
                (name, amount) -> isOfQuota(name)
                        ? ResourceRules.amount(
                                amount,
                                "spec.hard[%s]".formatted(name),
                                COUNTED.contains(name) || ResourceRules.isExtended(name))
                        : SchemaFlaw.invalid(
                                "spec.hard", name, "a resource such as pods, requests.cpu or count/jobs.batch"));
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
