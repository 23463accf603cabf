package io.slotwise.kubernetes.manifest.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API server's validation across several fields of devices and of requests for devices.
 *
 * <p>Source: Kubernetes 1.37, pkg/apis/resource/validation.
 */
final class DeviceRules {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,31}");
    private static final FieldRule DRIVER = FieldRule.of("driver");
    private static final FieldRule VERSION = FieldRule.of("version");
    private static final int LONGEST_TEXT = 64;
    private static final List<String> PLACES =
            List.of("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection");
    private static final List<String> PLACES_OF_DEVICE = List.of("nodeName", "nodeSelector", "allNodes");

    private DeviceRules() {}

    static @Nullable SchemaFlaw requests(JsonNode devices, String at) {
        return PodRules.firstOf(
                PodRules.each(devices.path("requests"), at + ".requests", PodRules.unique(new HashSet<>())),
                PodRules.each(devices.path("requests"), at + ".requests", DeviceRules::request));
    }

    private static @Nullable SchemaFlaw request(JsonNode request, String at) {
        return request.hasNonNull("exactly") == request.hasNonNull("firstAvailable")
                ? SchemaFlaw.missing(at + ".exactly", "either exactly or firstAvailable")
                : selectors(request.path("exactly"), at + ".exactly");
    }

    static @Nullable SchemaFlaw deviceClass(JsonNode spec) {
        String resource = spec.path("extendedResourceName").asText("");
        return spec.hasNonNull("extendedResourceName") && !ResourceRules.isExtended(resource)
                ? SchemaFlaw.invalid(
                        "spec.extendedResourceName", resource, "a resource with a domain such as example.com/gpu")
                : selectors(spec, "spec");
    }

    static @Nullable SchemaFlaw selectors(JsonNode spec, String at) {
        return PodRules.each(
                spec.path("selectors"),
                at + ".selectors",
                (selector, where) -> selector.hasNonNull("cel")
                        ? null
                        : SchemaFlaw.missing(where + ".cel", "an expression that selects devices"));
    }

    static @Nullable SchemaFlaw slice(JsonNode spec) {
        List<String> places = PLACES.stream().filter(spec::hasNonNull).toList();
        if (places.size() != 1) {
            return places.isEmpty()
                    ? SchemaFlaw.missing("spec.nodeName", "one of " + String.join(", ", PLACES))
                    : SchemaFlaw.invalid("spec", String.join(", ", places), "one of " + String.join(", ", PLACES));
        }
        JsonNode terms = spec.path("nodeSelector").path("nodeSelectorTerms");
        String at = "spec.nodeSelector.nodeSelectorTerms";
        if (spec.hasNonNull("nodeSelector") && terms.size() != 1) {
            return SchemaFlaw.invalid(at, terms.toString(), "one term");
        }
        boolean isEach = spec.hasNonNull("perDeviceNodeSelection");
        return PodRules.firstOf(
                PodRules.each(terms, at, PodRules::nodeTerm),
                PodRules.each(spec.path("devices"), "spec.devices", PodRules.unique(new HashSet<>())),
                PodRules.each(spec.path("devices"), "spec.devices", (device, where) -> device(device, where, isEach)));
    }

    private static @Nullable SchemaFlaw device(JsonNode device, String at, boolean isEach) {
        long places = PLACES_OF_DEVICE.stream().filter(device::hasNonNull).count();
        if (places != (isEach ? 1 : 0)) {
            return SchemaFlaw.invalid(
                    at,
                    "%d nodes".formatted(places),
                    isEach ? "one of " + String.join(", ", PLACES_OF_DEVICE) : "none, as the slice names them");
        }
        return PodRules.firstOf(
                names(device.path("attributes"), at + ".attributes"),
                names(device.path("capacity"), at + ".capacity"),
                PodRules.eachEntry(
                        device.path("attributes"),
                        (name, attribute) -> attribute(attribute, "%s.attributes[%s]".formatted(at, name))));
    }

    /** Checks the names of attributes and capacities: an identifier, optionally with a driver. */
    private static @Nullable SchemaFlaw names(JsonNode fields, String at) {
        return PodRules.eachEntry(fields, (name, _) -> {
            List<String> parts = List.of(name.split("/", -1));
            boolean isFine = parts.size() > 2
                    || (IDENTIFIER.matcher(parts.getLast()).matches()
                            && (parts.size() == 1 || DRIVER.passes(TextNode.valueOf(parts.getFirst()))));
            return isFine ? null : SchemaFlaw.invalid(at, name, "an identifier such as model or example.com/model");
        });
    }

    private static @Nullable SchemaFlaw attribute(JsonNode attribute, String at) {
        Set<String> kinds = new HashSet<>();
        attribute.properties().stream()
                .filter(entry -> !entry.getValue().isNull())
                .forEach(entry -> kinds.add(entry.getKey()));
        if (kinds.size() != 1) {
            return SchemaFlaw.invalid(at, attribute.toString(), "one value: bool, int, string or version");
        }
        String shown = attribute.path("string").asText("");
        String version = attribute.path("version").asText("");
        if (shown.length() > LONGEST_TEXT) {
            return SchemaFlaw.invalid(at + ".string", shown, "at most %d characters".formatted(LONGEST_TEXT));
        }
        return attribute.hasNonNull("version")
                        && (version.length() > LONGEST_TEXT || !VERSION.passes(attribute.path("version")))
                ? SchemaFlaw.invalid(at + ".version", version, VERSION.expected())
                : null;
    }
}
