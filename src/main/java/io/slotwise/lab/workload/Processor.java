package io.slotwise.lab.workload;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import java.util.Map;

/** A processor of a parallel machine as a request: one core and one pod, on any node. */
public final class Processor {
    public static final long MILLI_CORES = 1000;

    public static final Resources RESOURCES = Resources.of(Map.of(Resources.CPU, MILLI_CORES, Resources.PODS, 1L));

    private Processor() {}

    public static PodRequest request(long estimate) {
        return new PodRequest(RESOURCES, NodeConstraint.NONE, estimate, false);
    }
}
