package io.slotwise.lab.workload.traces;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.workload.Gpus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node as lists of nodes describe it; {@code name}: unique. */
record ListedNode(String name, Map<String, String> labels, Capacity capacity, Economy economy) {
    /** Label: the host's name. */
    static final String HOST = "kubernetes.io/hostname";

    /** The pods that a node takes if its list does not say: a kubelet's own limit. */
    static final long PODS = 110;

    /** Who earns the node's income if its list does not say. */
    static final String OWNER = "default";

    private static final long BYTES_PER_MIB = 1L << 20;

    /** What pods may use; {@code memory}: MiB; {@code gpuModel}: of its GPUs, empty: not known. */
    record Capacity(long milliCores, long memory, long gpus, String gpuModel, long pods) {
        Resources resources() {
            return Resources.of(Map.of(
                    Resources.CPU, milliCores,
                    Resources.MEMORY, memory * BYTES_PER_MIB,
                    Resources.PODS, pods,
                    Gpus.WHOLE, gpus,
                    Gpus.THOUSANDTHS, gpus * Gpus.PER_GPU));
        }
    }

    /** Its speed and what it costs: per hour, and milliwatts, {@link Node#UNKNOWN}: not known. */
    record Economy(Performance performance, Money price, String owner, long power) {}

    /** The planner's node: without taints, always there. */
    Node node() {
        Map<String, String> all = new TreeMap<>(labels);
        all.putIfAbsent(HOST, name);
        if (!capacity.gpuModel.isEmpty()) {
            all.putIfAbsent(Gpus.MODEL, capacity.gpuModel);
        }
        return new Node(
                        name,
                        all,
                        List.of(),
                        true,
                        capacity.resources(),
                        economy.performance,
                        economy.owner,
                        StepFunction.constant(economy.price.micros()),
                        List.of())
                .withPower(economy.power);
    }
}
