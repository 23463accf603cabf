package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.Pod;

/**
 * Whether two pods like this one can share a node: not with a required anti-affinity on the host name that matches the
 * pod itself.
 */
public final class SelfExclusion {
    private static final String HOST_NAME = "kubernetes.io/hostname";

    private SelfExclusion() {}

    /**
     * Whether a node takes one of these pods at most. Of a namespace's labels only its name is looked at, which every
     * namespace has.
     */
    public static boolean of(Pod pod) {
        return AntiAffinity.terms(pod).stream()
                .anyMatch(term -> HOST_NAME.equals(term.getTopologyKey())
                        && AntiAffinity.selects(term, pod.getMetadata().getNamespace(), pod, AntiAffinity::byName));
    }
}
