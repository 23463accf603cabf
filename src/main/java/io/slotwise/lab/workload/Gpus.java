package io.slotwise.lab.workload;

/** How GPUs are named and counted. */
public final class Gpus {
    /** Resource: whole GPUs, as NVIDIA's device plugin counts them. */
    public static final String WHOLE = "nvidia.com/gpu";

    /**
     * Resource: thousandths of GPUs. A node offers a thousand for each of its GPUs beside the whole ones; a pod asks
     * for one of both kinds.
     */
    public static final String THOUSANDTHS = "nvidia.com/gpu-milli";

    /** Thousandths in one GPU. */
    public static final long PER_GPU = 1000;

    /** Label of a node: the model of its GPUs, as NVIDIA's feature discovery sets it. */
    public static final String MODEL = "nvidia.com/gpu.product";

    private Gpus() {}
}
