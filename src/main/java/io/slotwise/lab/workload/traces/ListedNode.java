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

/** A node of a list, with a unique name. */
record ListedNode(String name, Map<String, String> labels, Capacity capacity, Economy economy) {
    static final String HOST = "kubernetes.io/hostname";

    /** The default number of pods of a node: a kubelet's own limit. */
    static final long PODS = 110;

    /** The default owner of a node's income. */
    static final String OWNER = "default";

    private static final long BYTES_PER_MIB = 1L << 20;

    /** The usable capacity; {@code memory} in MiB, {@code gpuModel} empty if not known. */
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

    /** The speed and costs: price per hour, power in milliwatts, {@link Node#UNKNOWN} if not known. */
    record Economy(Performance performance, Money price, String owner, long power) {}

    /** Returns the planner's node, without taints and always available. */
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
