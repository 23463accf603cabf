package io.slotwise.kubernetes.access;

/** A permission that RBAC may give to a caller. */
public sealed interface AccessRight {
    /** Returns the permission in words that end a sentence. */
    String words();

    /**
     * A permission for objects.
     *
     * @param verb such as {@code list}
     * @param group the group of the API; empty for the core API
     * @param resource plural
     * @param namespace empty for all
     */
    record ToObjects(String verb, String group, String resource, String namespace) implements AccessRight {
        @Override
        public String words() {
            String kind = group.isEmpty() ? resource : resource + "." + group;
            return namespace.isEmpty()
                    ? "%s %s in all namespaces".formatted(verb, kind)
                    : "%s %s in namespace %s".formatted(verb, kind, namespace);
        }
    }

    /** A permission for a path that is no object, such as {@code get /metrics}. */
    record ToPath(String verb, String path) implements AccessRight {
        @Override
        public String words() {
            return "%s %s".formatted(verb, path);
        }
    }

    AccessRight READ_ALL = readIn("");

    /** The permission to read metrics, as for the components of Kubernetes. */
    AccessRight METRICS = new ToPath("get", "/metrics");

    static AccessRight readIn(String namespace) {
        return new ToObjects("list", "slotwise.io", "reservations", namespace);
    }

    static AccessRight podsIn(String namespace) {
        return new ToObjects("create", "", "pods", namespace);
    }
}
