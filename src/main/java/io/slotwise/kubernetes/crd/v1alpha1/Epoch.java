package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * Records carry the epoch of the leader that wrote them: how often the Lease had changed hands. The chart's policy
 * refuses a write with an older one than the Lease has, whatever its writer still believes.
 */
public final class Epoch {
    /** The key at the end of the policy's message, whose words are for people. */
    static final String REFUSED = "[slotwise.io/epoch]";

    private Epoch() {}

    /** Whether a write was refused because another replica leads since. */
    public static boolean isOld(KubernetesClientException refusal) {
        String message =
                refusal.getStatus() == null ? null : refusal.getStatus().getMessage();
        return message != null && isOld(message);
    }

    /** Whether the message of a refusal says so. */
    public static boolean isOld(String message) {
        return message.contains(REFUSED);
    }
}
