package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.workload.Job;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A machine of processors for planners: nodes of performance 1 with one processor each, or with several of equal price.
 * A task takes one processor, whatever else it requests.
 *
 * @param processors the processors of the machine, positive
 * @param perNode processors of one node, positive; the last node has the rest
 * @param price the mean price of a processor over time, millionths of the currency unit per hour
 * @param spreadPercent the largest deviation of a node's price from the mean, percent, 0 to 100
 */
public record ProcessorNodes(int processors, int perNode, StepFunction price, int spreadPercent) {
    private static final String OWNER = "machine";

    private static final long MILLI = 1000;

    public ProcessorNodes(int processors, int perNode, Money price, int spreadPercent) {
        this(processors, perNode, StepFunction.constant(price.micros()), spreadPercent);
    }

    public ProcessorNodes {
        if (processors <= 0 || perNode <= 0 || spreadPercent < 0 || spreadPercent > 100) {
            throw new IllegalArgumentException(
                    ("The processors (%d) and those of a node (%d) must be positive, the spread (%d %%) "
                                    + "between 0 and 100.")
                            .formatted(processors, perNode, spreadPercent));
        }
    }

    /**
     * Returns the nodes in the order of their numbers. The price of a processor is uniform on the whole micro-units of
     * {@code price x (1 - spread)} to {@code price x (1 + spread)}, with one draw per node. Changes of the mean price
     * over time apply to each node by the same factor, rounded down to a micro-unit.
     */
    public List<Node> nodes(RandomGenerator random) {
        long plain = price.value(0);
        long most = plain * spreadPercent / 100;
        int digits = String.valueOf((processors - 1) / perNode).length();
        List<Node> nodes = new ArrayList<>();
        for (int first = 0; first < processors; first += perNode) {
            int size = Math.min(perNode, processors - first);
            long each = plain + (most == 0 ? 0 : random.nextLong(-most, most + 1));
            nodes.add(new Node(
                    "p%0".concat(String.valueOf(digits)).concat("d").formatted(nodes.size()),
                    Map.of(),
                    List.of(),
                    true,
                    Resources.of(Map.of(Resources.CPU, size * MILLI, Resources.PODS, (long) size)),
                    Performance.REFERENCE,
                    OWNER,
                    price.map(mean -> Math.multiplyExact(scaled(mean, each, plain), size)),
                    List.of()));
        }
        return nodes;
    }

    private static long scaled(long mean, long each, long plain) {
        return plain == 0
                ? mean
                : BigInteger.valueOf(mean)
                        .multiply(BigInteger.valueOf(each))
                        .divide(BigInteger.valueOf(plain))
                        .longValueExact();
    }

    public static Job onProcessors(Job job) {
        PodRequest request = new PodRequest(
                Resources.of(Map.of(Resources.CPU, MILLI, Resources.PODS, 1L)),
                NodeConstraint.NONE,
                job.estimate(),
                job.parts().getFirst().request().nodeIndependent());
        return new Job(
                job.id(),
                job.submit(),
                List.of(new Job.Part(job.size(), request)),
                job.runtime(),
                job.user(),
                job.terms());
    }
}
