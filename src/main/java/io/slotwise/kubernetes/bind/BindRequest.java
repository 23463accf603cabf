package io.slotwise.kubernetes.bind;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pod to bind.
 *
 * @param pod its plain name
 * @param uid distinguishes it from other pods of the same name
 * @param version the version to bind, so that a pod that was changed since is not bound; null for any
 */
public record BindRequest(
        String namespace,
        String pod,
        String uid,
        String node,
        @Nullable String version) {
    private static final int LONGEST = 253;
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

    public BindRequest {
        requireName("PodNamespace", namespace);
        requireName("PodName", pod);
        requireName("Node", node);
        if (uid == null || uid.isEmpty()) {
            throw new IllegalArgumentException("The UID (PodUID) is missing.");
        }
    }

    /** Makes a request for any version. */
    public BindRequest(String namespace, String pod, String uid, String node) {
        this(namespace, pod, uid, node, null);
    }

    BindRequest at(@Nullable String other) {
        return new BindRequest(namespace, pod, uid, node, other);
    }

    /** Checks a name, which becomes part of a path. */
    private static void requireName(String field, String value) {
        if (value == null || value.length() > LONGEST || !NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("The name (" + field
                    + ") is missing or is not valid; expected lower case letters, digits, '-' and '.'.");
        }
    }

    public String podName() {
        return namespace + "/" + pod;
    }
}
