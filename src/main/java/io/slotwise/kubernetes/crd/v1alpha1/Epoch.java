package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * The epoch of a record: how often the Lease had changed hands when the leader that wrote the record took it. The
 * chart's policy refuses a write with an older epoch than the Lease's, whatever its writer believes.
 */
public final class Epoch {
    /** The key at the end of the policy's message, whose words are for people. */
    static final String REFUSED = "[slotwise.io/epoch]";

    private Epoch() {}

    /** Returns whether a write was refused because another replica leads. */
    public static boolean isOld(KubernetesClientException refusal) {
        String message =
                refusal.getStatus() == null ? null : refusal.getStatus().getMessage();
        return message != null && isOld(message);
    }

    public static boolean isOld(String message) {
        return message.contains(REFUSED);
    }
}
