package io.slotwise.live.record;

/**
 * That a node refused a gang and is left out for it, as long as the pod and the node are the same.
 *
 * @param until the second in which it is looked at again anyway, since the epoch
 * @param pod the UID of the pod that was refused; empty: whichever, or not known
 * @param node the UID of the node; empty: not known
 */
public record NodeAvoidance(long until, String pod, String node) {
    /** The same until another second. */
    public NodeAvoidance lasting(long second) {
        return new NodeAvoidance(second, pod, node);
    }

    /** Until a second, whatever becomes of the pod and the node. */
    public static NodeAvoidance until(long second) {
        return new NodeAvoidance(second, "", "");
    }
}
