package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The objects of the input from which workloads that name them are made, such as training runtimes. */
@FunctionalInterface
public interface NamedObjects {
    NamedObjects NONE = (_, _, _) -> null;

    /**
     * Returns an object, or null if the input lacks it.
     *
     * @param namespace empty for kinds without namespaces
     */
    @Nullable
    ObjectNode find(String kind, String namespace, String name);

    /** A workload names an object that the input lacks. */
    final class Missing extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1;

        private final String kind;
        private final String name;
        private final String field;

        Missing(String kind, String name, String field) {
            super("%s %s is not in the input (`%s`)".formatted(kind, name, field));
            this.kind = kind;
            this.name = name;
            this.field = field;
        }

        public String kind() {
            return kind;
        }

        /** Returns the name, with its namespace if the kind has namespaces. */
        public String name() {
            return name;
        }

        /** Returns the field of the workload that names the object. */
        public String field() {
            return field;
        }
    }
}
