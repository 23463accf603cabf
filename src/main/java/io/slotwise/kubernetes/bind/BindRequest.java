package io.slotwise.kubernetes.bind;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pod that is to be bound.
 *
 * @param namespace the pod's namespace
 * @param pod its plain name
 * @param uid its UID: another pod of the same name is another pod
 * @param node where it is to go
 * @param version of the pod that is bound: a pod that was written to since is not; null: any
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

    /** Whatever its version. */
    public BindRequest(String namespace, String pod, String uid, String node) {
        this(namespace, pod, uid, node, null);
    }

    /** The same, of this version only. */
    BindRequest at(@Nullable String other) {
        return new BindRequest(namespace, pod, uid, node, other);
    }

    /** A name becomes part of a path, so it is one or nothing. */
    private static void requireName(String field, String value) {
        if (value == null || value.length() > LONGEST || !NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("The name (" + field
                    + ") is missing or is not valid; expected lower case letters, digits, '-' and '.'.");
        }
    }

    /** {@code namespace/name}. */
    public String podName() {
        return namespace + "/" + pod;
    }
}
