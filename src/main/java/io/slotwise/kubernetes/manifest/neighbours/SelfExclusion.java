package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Tells whether equal pods can share a node. They cannot with a required anti-affinity on the host name that matches
 * the pod itself.
 */
public final class SelfExclusion {
    private static final String HOST_NAME = "kubernetes.io/hostname";

    private SelfExclusion() {}

    /**
     * Returns whether a node takes at most one of these pods. Only the name label of a namespace counts, which every
     * namespace has.
     */
    public static boolean of(Pod pod) {
        return AntiAffinity.terms(pod).stream()
                .anyMatch(term -> HOST_NAME.equals(term.getTopologyKey())
                        && AntiAffinity.selects(term, pod.getMetadata().getNamespace(), pod, AntiAffinity::byName));
    }
}
