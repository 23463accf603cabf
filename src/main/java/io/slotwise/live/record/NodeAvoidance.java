package io.slotwise.live.record;

/**
 * A node that refused a gang and is left out for it, as long as the pod and the node are the same.
 *
 * @param until the second in which the node is tried again anyway, since the epoch
 * @param pod the UID of the refused pod; empty if any, or not known
 * @param node the UID of the node; empty if not known
 */
public record NodeAvoidance(long until, String pod, String node) {
    public NodeAvoidance lasting(long second) {
        return new NodeAvoidance(second, pod, node);
    }

    /** Returns an avoidance until a second, whatever becomes of the pod and the node. */
    public static NodeAvoidance until(long second) {
        return new NodeAvoidance(second, "", "");
    }
}
