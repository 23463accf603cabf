package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a pod of a file, which the API server would not take. Such a pod stands for itself among the pods
 * of its gang, without the rest of its specification, so that the gang is refused with this reason.
 */
public final class PodFlaw {
    private static final String KEY = "slotwise.io/flaw";

    private PodFlaw() {}

    /**
     * A pod that stands for one that cannot be used.
     *
     * @param scheduler its scheduler; null: none is named
     * @param node the node that it is bound to; null: none
     * @param flaw what is wrong with it, one sentence
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

    /** What is wrong with a pod; null: nothing. */
    public static @Nullable String of(Pod pod) {
        return pod.getAdditionalProperties().get(KEY) instanceof String flaw ? flaw : null;
    }
}
