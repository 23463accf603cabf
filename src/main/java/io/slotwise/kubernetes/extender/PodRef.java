package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The parts of a Pod that are needed here. Everything else is skipped. */
public record PodRef(
        @JsonProperty("metadata") Metadata metadata,
        @JsonProperty("spec") Spec spec) {
    public PodRef {
        metadata = metadata == null ? new Metadata("", "", "") : metadata;
        spec = spec == null ? new Spec("") : spec;
    }

    public static PodRef of(String namespace, String name, String uid, String schedulerName) {
        return new PodRef(new Metadata(name, namespace, uid), new Spec(schedulerName));
    }

    /** Returns whether the pod has a name and a namespace. */
    @JsonIgnore
    public boolean isNamed() {
        return !metadata.name.isEmpty() && !metadata.namespace.isEmpty();
    }

    /** Part of a pod's metadata; absent fields are empty. */
    public record Metadata(
            @JsonProperty("name") String name,
            @JsonProperty("namespace") String namespace,
            @JsonProperty("uid") String uid) {
        public Metadata {
            name = orEmpty(name);
            namespace = orEmpty(namespace);
            uid = orEmpty(uid);
        }
    }

    /** Part of a pod's spec; absent fields are empty. */
    public record Spec(@JsonProperty("schedulerName") String schedulerName) {
        public Spec {
            schedulerName = orEmpty(schedulerName);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
