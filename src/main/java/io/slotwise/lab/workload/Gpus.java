package io.slotwise.lab.workload;

public final class Gpus {
    /** Resource: whole GPUs, as NVIDIA's device plugin counts them. */
    public static final String WHOLE = "nvidia.com/gpu";

    /** Thousandths of GPUs: a node offers a thousand for each GPU beside the whole ones; a pod asks for one kind. */
    public static final String THOUSANDTHS = "nvidia.com/gpu-milli";

    /** Thousandths in one GPU. */
    public static final long PER_GPU = 1000;

    /** Label of a node: the model of its GPUs, as NVIDIA's feature discovery sets it. */
    public static final String MODEL = "nvidia.com/gpu.product";

    private Gpus() {}
}
