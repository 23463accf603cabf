package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the API server's validation for what a container asks for: known names, amounts that are not negative,
 * requests within limits, and of extended resources whole amounts with equal limits.
 *
 * <p>Source: Kubernetes 1.37, ValidateContainerResourceRequirements in pkg/apis/core/validation.
 */
final class ResourceRules {
    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String HUGE_PAGES = "hugepages-";

    private ResourceRules() {}

    /** The first rule that the resources of a container break; null: none. */
    static @Nullable SchemaFlaw broken(JsonNode resources, String at) {
        JsonNode requests = resources.path("requests");
        JsonNode limits = resources.path("limits");
        SchemaFlaw amounts = PodRules.firstOf(amounts(requests, at + ".requests"), amounts(limits, at + ".limits"));
        if (amounts != null) {
            return amounts;
        }
        for (Map.Entry<String, JsonNode> request : requests.properties()) {
            SchemaFlaw flaw = request(request.getKey(), request.getValue(), limits, at);
            if (flaw != null) {
                return flaw;
            }
        }
        return null;
    }

    /** The first rule that amounts of resources break; null: none. */
    static @Nullable SchemaFlaw amounts(JsonNode amounts, String at) {
        for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
            String name = amount.getKey();
            if (!isOfContainer(name)) {
                return SchemaFlaw.invalid(
                        at, name, "cpu, memory, ephemeral-storage or a resource with a domain such as nvidia.com/gpu");
            }
            String where = "%s[%s]".formatted(at, name);
            BigDecimal exact = exact(amount.getValue());
            if (exact == null) {
                continue;
            }
            if (exact.signum() < 0) {
                return SchemaFlaw.invalid(where, amount.getValue().asText(), "0 or more");
            }
            if (isExtended(name) && exact.stripTrailingZeros().scale() > 0) {
                return SchemaFlaw.invalid(where, amount.getValue().asText(), "a whole number");
            }
        }
        return null;
    }

    private static @Nullable SchemaFlaw request(String name, JsonNode amount, JsonNode limits, String at) {
        String where = "%s.requests[%s]".formatted(at, name);
        BigDecimal request = exact(amount);
        BigDecimal limit = exact(limits.path(name));
        boolean isWhole = isExtended(name) || name.startsWith(HUGE_PAGES);
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

    /** Whether a container can ask for a resource of this name. */
    static boolean isOfContainer(String name) {
        return STANDARD.contains(name)
                || name.startsWith(HUGE_PAGES)
                || (name.indexOf('/') >= 0 && FieldRule.isKey(name));
    }

    static boolean isExtended(String name) {
        return name.indexOf('/') >= 0 && !name.startsWith("kubernetes.io/");
    }

    /** An amount in units; null: there is none, or more than can be compared. */
    static @Nullable BigDecimal exact(JsonNode amount) {
        if (!amount.isTextual() && !amount.isNumber()) {
            return null;
        }
        try {
            BigDecimal exact = Quantity.getAmountInBytes(Quantity.parse(amount.asText()));
            return Math.abs((long) exact.scale()) > 100 ? null : exact;
        } catch (RuntimeException e) {
            return null;
        }
    }
}
