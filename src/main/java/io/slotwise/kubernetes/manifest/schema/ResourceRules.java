package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The API server's validation of a container's resources: known names, amounts that are not negative, requests within
 * limits, and integers with equal limits for extended resources.
 *
 * <p>Source: Kubernetes 1.37, ValidateContainerResourceRequirements in pkg/apis/core/validation and
 * IsExtendedResourceName, IsNativeResource and IsOvercommitAllowed in pkg/apis/core/helper.
 */
final class ResourceRules {
    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String HUGE_PAGES = "hugepages-";
    private static final String REQUESTS = "requests.";

    private ResourceRules() {}

    static @Nullable SchemaFlaw broken(JsonNode resources, String at) {
        JsonNode requests = resources.path("requests");
        JsonNode limits = resources.path("limits");
        return PodRules.firstOf(
                amounts(requests, at + ".requests"),
                amounts(limits, at + ".limits"),
                PodRules.eachEntry(requests, (name, amount) -> request(name, amount, limits, at)));
    }

    static @Nullable SchemaFlaw amounts(JsonNode amounts, String at) {
        return PodRules.eachEntry(
                amounts,
                (name, amount) -> isOfContainer(name)
                        ? amount(amount, "%s[%s]".formatted(at, name), isExtended(name))
                        : SchemaFlaw.invalid(
                                at,
                                name,
                                "cpu, memory, ephemeral-storage or a resource with a domain such as nvidia.com/gpu"));
    }

    /** Checks that an amount is not negative, and an integer for some resources. */
    static @Nullable SchemaFlaw amount(JsonNode amount, String at, boolean isWhole) {
        BigDecimal exact = exact(amount);
        if (exact != null && exact.signum() < 0) {
            return SchemaFlaw.invalid(at, amount.asText(), "0 or more");
        }
        return exact != null && isWhole && exact.stripTrailingZeros().scale() > 0
                ? SchemaFlaw.invalid(at, amount.asText(), "a whole number")
                : null;
    }

    private static @Nullable SchemaFlaw request(String name, JsonNode amount, JsonNode limits, String at) {
        String where = "%s.requests[%s]".formatted(at, name);
        BigDecimal request = exact(amount);
        BigDecimal limit = exact(limits.path(name));
        boolean isWhole = !isOvercommitAllowed(name);
        if (limit == null) {
            return isWhole && request != null
                    ? SchemaFlaw.missing("%s.limits[%s]".formatted(at, name), "the same as is requested")
                    : null;
        }
        int compared = request == null ? 0 : request.compareTo(limit);
        return compared > 0 || (isWhole && compared != 0)
                ? SchemaFlaw.invalid(
                        where,
                        amount.asText(),
                        (isWhole ? "its limit, " : "at most its limit, ")
                                + limits.path(name).asText())
                : null;
    }

    static boolean isOfContainer(String name) {
        return STANDARD.contains(name)
                || name.startsWith(HUGE_PAGES)
                || isExtended(name)
                || (name.indexOf('/') >= 0 && isNative(name) && FieldRule.isKey(name));
    }

    /** Returns whether a resource is Kubernetes' own: without a domain, or with a domain that ends in kubernetes.io. */
    private static boolean isNative(String name) {
        return name.indexOf('/') < 0 || name.contains("kubernetes.io/");
    }

    static boolean isExtended(String name) {
        return !isNative(name) && !name.startsWith(REQUESTS) && FieldRule.isKey(REQUESTS + name);
    }

    static boolean isOvercommitAllowed(String name) {
        return isNative(name) && !name.startsWith(HUGE_PAGES);
    }

    /** Returns an amount in units. Null if there is none, or if it is too large to be compared. */
    static @Nullable BigDecimal exact(JsonNode amount) {
        if (!amount.isTextual() && !amount.isNumber()) {
            return null;
        }
        try {
            BigDecimal exact = Quantity.getAmountInBytes(Quantity.parse(amount.asText()));
            return Math.abs((long) exact.scale()) > 1000 ? null : exact;
        } catch (RuntimeException e) {
            return null;
        }
    }
}
