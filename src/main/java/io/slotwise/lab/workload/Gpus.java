package io.slotwise.lab.workload;

public final class Gpus {
    /** The resource for whole GPUs of NVIDIA's device plugin. */
    public static final String WHOLE = "nvidia.com/gpu";

    /** The resource for thousandths of GPUs. A node offers them besides whole ones; a pod requests one kind. */
    public static final String THOUSANDTHS = "nvidia.com/gpu-milli";

    public static final long PER_GPU = 1000;

    /** The node label for the model of its GPUs, as set by NVIDIA's feature discovery. */
    public static final String MODEL = "nvidia.com/gpu.product";

    private Gpus() {}
}
