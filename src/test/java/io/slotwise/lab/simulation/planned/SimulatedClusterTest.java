package io.slotwise.lab.simulation.planned;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import io.slotwise.lab.simulation.planned.SimulatedCluster.Allocation;
import io.slotwise.lab.simulation.planned.SimulatedCluster.Taking;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedClusterTest {
    private static final long NOW = RandomClusters.NOW;

    private final List<Allocation> allocations = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLoadIsThatOfThePresentNodesAndWhatIsOnThem(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<Node> nodes = new RandomClusters(random).cluster(6).inventory();
        SimulatedCluster cluster = new SimulatedCluster(nodes, new OverrunGrace(10));
        int busy = 0;
        for (long second = NOW; second < NOW + 300; second++) {
            cluster.advance(second);
            happen(cluster, nodes.get(random.nextInt(nodes.size())), second, random);

            MachineLoad load = cluster.load(second);

            assertThat(load).as("second %d", second).isEqualTo(counted(cluster.picture(second + 1), second));
            busy += load.busy() > 0 ? 1 : 0;
        }
        assertThat(busy).isGreaterThan(100);
    }

    private void happen(SimulatedCluster cluster, Node node, long now, RandomGenerator random) {
        boolean present = cluster.picture(now).inventory().position(node.name()) >= 0;
        switch (random.nextInt(9)) {
            case 0 -> cluster.remove(node.name());
            case 1, 2 -> cluster.putBack(node.name());
            case 3 -> cluster.reprice(node.name(), new Money(1 + random.nextLong(1_000_000)));
            case 4 -> {
                if (present) {
                    cluster.owns(new OwnerJob(now, node.name(), half(), 1 + random.nextInt(20)));
                }
            }
            case 5 -> {
                if (!allocations.isEmpty()) {
                    cluster.give(allocations.removeLast());
                }
            }
            default -> {
                if (present) {
                    long end = now + 5 + random.nextInt(40);
                    allocations.add(cluster.take(
                            new Taking("pod", node.name(), half(), now, end, end + random.nextInt(9) - 4, false)));
                }
            }
        }
    }

    private static Resources half() {
        return Resources.of(Map.of(Resources.CPU, 500L));
    }

    /** The load, counted again in the next second. An owner's waiting job begins no earlier and holds nothing yet. */
    private static MachineLoad counted(Cluster cluster, long now) {
        long cores = 0;
        long price = 0;
        for (Node node : cluster.inventory()) {
            cores += node.allocatable().get(Resources.CPU);
            price += node.price().at(now);
        }
        long owners = 0;
        long busy = 0;
        for (Occupation held : cluster.occupations()) {
            long cpu = held.resources().get(Resources.CPU);
            boolean owner = held.holder().startsWith("owner/");
            owners += owner && held.interval().start() <= now ? cpu : 0;
            busy += owner ? 0 : cpu;
        }
        return new MachineLoad(cores - owners, busy, cores == 0 ? 0 : price * 1000 / cores);
    }
}
