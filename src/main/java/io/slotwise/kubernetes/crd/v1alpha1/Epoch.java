package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.client.KubernetesClientException;

/**
 * Records carry the epoch of the leader that wrote them: how often the Lease had changed hands. The chart's policy refuses a write with an older one
 * than the Lease has, whatever its writer still believes.
 */
public final class Epoch {
    /** How the policy says it; the API server puts the policy's name before it. */
    static final String REFUSED = "another replica of Slotwise has become the leader";

    private Epoch() {}

    /** Whether a write was refused because another replica leads since. */
    public static boolean isOld(KubernetesClientException refusal) {
        String message =
                refusal.getStatus() == null ? null : refusal.getStatus().getMessage();
        return message != null && message.contains(REFUSED);
    }
}
