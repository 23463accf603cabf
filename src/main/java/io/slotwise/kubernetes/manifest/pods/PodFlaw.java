package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * Placeholders for pods in files that the API server would refuse. A placeholder takes the pod's place in its gang,
 * without the rest of the specification, so that the gang is refused with the flaw as the reason.
 */
public final class PodFlaw {
    private static final String KEY = "slotwise.io/flaw";

    private PodFlaw() {}

    /**
     * Makes a pod that stands for a pod with a flaw.
     *
     * @param scheduler the pod's scheduler, or null
     * @param node the node that it is bound to, or null
     * @param flaw one sentence
     */
    public static Pod pod(ObjectMeta metadata, @Nullable String scheduler, @Nullable String node, String flaw) {
        PodSpec spec = new PodSpec();
        spec.setSchedulerName(scheduler);
        spec.setNodeName(node);
        Pod pod = new Pod();
        pod.setMetadata(metadata);
        pod.setSpec(spec);
        pod.setAdditionalProperty(KEY, flaw);
        return pod;
    }

    /** Returns the flaw of a pod, or null. */
    public static @Nullable String of(Pod pod) {
        return pod.getAdditionalProperties().get(KEY) instanceof String flaw ? flaw : null;
    }
}
