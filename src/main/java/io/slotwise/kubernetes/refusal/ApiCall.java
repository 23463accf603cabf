package io.slotwise.kubernetes.refusal;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call to the API server in the terms of its access rules.
 *
 * @param verb such as {@code create}
 * @param resource with its group and subresource, such as {@code reservations.slotwise.io/status}
 * @param namespace empty for none or all
 * @param name the name of the object; empty for none, or for one that is created
 */
public record ApiCall(String verb, String resource, String namespace, String name) {
    private static final Pattern PATH = Pattern.compile(
            "(?:^|.*/)(?:api/v1|apis/(?<group>[^/]+)/[^/]+)/(?:namespaces/(?<namespace>[^/]+)/)?(?<resource>[^/]+)"
                    + "(?:/(?<name>[^/]+))?(?:/(?<sub>[^/]+))?");
    private static final String BINDING = "pods/binding";

    /** Returns the call of a request, or null if it concerns no objects. */
    static @Nullable ApiCall of(String method, String path) {
        Matcher parts = PATH.matcher(path);
        if (!parts.matches()) {
            return null;
        }
        String name = text(parts.group("name"));
        String group = text(parts.group("group"));
        String sub = text(parts.group("sub"));
        return new ApiCall(
                switch (method) {
                    case "POST" -> "create";
                    case "PUT" -> "update";
                    case "GET" -> name.isEmpty() ? "list" : "get";
                    default -> method.toLowerCase(Locale.ROOT);
                },
                parts.group("resource") + (group.isEmpty() ? "" : "." + group) + (sub.isEmpty() ? "" : "/" + sub),
                text(parts.group("namespace")),
                name);
    }

    private static String text(@Nullable String part) {
        return part == null ? "" : part;
    }

    /** Returns the call for an object of this name. */
    ApiCall of(String object) {
        return new ApiCall(verb, resource, namespace, object);
    }

    String what() {
        return verb + " " + resource;
    }

    boolean isRead() {
        return verb.equals("get") || verb.equals("list");
    }

    /** Returns whether this is a binding, where the same name may mean another pod the next time. */
    boolean isBinding() {
        return resource.equals(BINDING);
    }

    /** Returns whether this concerns the Lease, which the leader loses if it waits for long. */
    boolean isLease() {
        return resource.equals("leases.coordination.k8s.io");
    }

    /** Returns whether every start of a gang needs the call. */
    boolean isNeededByAll() {
        return isBinding() || (resource.startsWith("reservations.slotwise.io") && !isRead());
    }
}
