package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.testing.GangBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Plans the same gangs of three queues again and again, without a new gang and without a step in time. */
class RepeatedReclaimTest {
    private static final long NOW = 1_000_000;
    private static final int CASES = 40;

    /** The plans of a batch, of which the last one reclaims nothing. */
    private static final int REPEATED = 5;

    private static final Policy POLICY =
            Policy.EXACT.withHorizon(1000).withTurnover(0).withPreemption(Preempting.NONE);

    private static Resources cores(long cores) {
        return Resources.of(Map.of(Resources.CPU, cores * 1000));
    }

    private static Queue queue(String name, long cores) {
        return new Queue(name, null, 1, Map.of(Resources.CPU, Amount.of(cores * 1000)), Map.of(), Map.of(), false);
    }

    private static Request request(RandomGenerator random, int number) {
        String name = "g%02d".formatted(number);
        int pods = 1 + random.nextInt(4);
        int cores = 1 + random.nextInt(2);
        Gang gang = GangBuilder.gang(name, pods, 1000L * cores, 5 * (1 + random.nextLong(4)))
                .nodeIndependent()
                .priority(number == 0 ? 0 : 5)
                .arrival(NOW - 1000 + number)
                .build();
        String queue = List.of("a", "b", "c").get(random.nextInt(3));
        return new Request(gang.asking(gang.demand().withQueue(queue)), null);
    }

    @Test
    void plansOfTheSameGangsComeToReclaimNothing() {
        int reclaimed = 0;
        List<String> again = new ArrayList<>();
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            List<Node> nodes = List.of(PolicyEffectsTest.node("n1", 8, 0), PolicyEffectsTest.node("n2", 8, 0));
            QueueTree tree = QueueTree.of(List.of(queue("a", 8), queue("b", 4), queue("c", 4)), cores(16));
            Snapshot snapshot = new Snapshot(NOW, new Cluster(nodes, List.of()), List.of(), List.of())
                    .withQueues(new QueueState(tree, List.of()));
            for (int batch = 0; batch < 3; batch++) {
                List<Request> requests = new ArrayList<>(snapshot.requests());
                for (int i = 0; i < 6; i++) {
                    requests.add(request(random, requests.size()));
                }
                snapshot = snapshot.withRequests(requests);
                for (int i = 0; i < REPEATED; i++) {
                    String turn = "seed %d, batch %d, plan %d: ".formatted(seed, batch, i);
                    Plan plan = new Planner(POLICY).plan(snapshot);
                    List<String> broken = plan.broken().stream()
                            .filter(promise -> promise.cause() == Cause.RECLAIMED)
                            .map(promise -> turn + promise)
                            .toList();
                    reclaimed += broken.size();
                    if (i == REPEATED - 1) {
                        again.addAll(broken);
                    }
                    snapshot = snapshot.published(plan);
                }
            }
        }
        assertThat(again).isEmpty();
        assertThat(reclaimed).isGreaterThan(CASES);
    }
}
