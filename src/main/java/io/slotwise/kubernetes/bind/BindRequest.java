package io.slotwise.kubernetes.bind;

/**
 * A pod that kube-scheduler wants bound.
 *
 * @param namespace the pod's namespace
 * @param pod its plain name
 * @param uid its UID: another pod of the same name is another pod
 * @param node the node that kube-scheduler has chosen
 */
public record BindRequest(String namespace, String pod, String uid, String node) {
    public BindRequest {
        require("PodNamespace", namespace);
        require("PodName", pod);
        require("PodUID", uid);
        require("Node", node);
    }

    private static void require(String field, String value) {
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("The field " + field + " is missing; expected a name.");
        }
    }

    /** {@code namespace/name}. */
    String podName() {
        return namespace + "/" + pod;
    }
}
