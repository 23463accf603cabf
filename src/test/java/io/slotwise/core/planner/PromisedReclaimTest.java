package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A gang of the queue that is guaranteed the cluster has a promise behind a gang that borrows. A third gang has the
 * lowest priority.
 */
class PromisedReclaimTest {
    private static final long NOW = 1_000_000;
    private static final long RUNTIME = 100;
    private static final Policy POLICY =
            Policy.EXACT.withHorizon(1000).withTurnover(0).withPreemption(Preempting.NONE);

    private static Gang gang(String name, String queue, int priority, long arrival) {
        Gang gang = GangBuilder.gang(name, 8, 1000, RUNTIME)
                .nodeIndependent()
                .priority(priority)
                .arrival(arrival)
                .build();
        return gang.asking(gang.demand().withQueue(queue));
    }

    private static Request promised(Gang gang, long start) {
        List<Placement> placements = gang.pods().stream()
                .map(pod -> new Placement(pod, "n", start, start + RUNTIME, Cost.ZERO))
                .toList();
        return new Request(gang, new Promise(Window.of(gang.id(), start, placements), WindowOrigin.CYCLIC, false));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "2, false"})
    void aGangWithAPromiseReclaimsFromLaterGangsAlone(long arrival, boolean reclaims) {
        QueueTree tree = QueueTree.of(
                List.of(
                        new Queue("lender", null, 1, Map.of(Resources.CPU, Amount.of(8000)), Map.of(), Map.of(), false),
                        new Queue("borrower", null)),
                Resources.of(Map.of(Resources.CPU, 8000L)));
        Request borrowing = promised(gang("borrowing", "borrower", 5, 1), NOW);
        Request lending = promised(gang("lending", "lender", 5, arrival), NOW + RUNTIME);
        Request low = promised(gang("low", "borrower", 0, 1), NOW + 2 * RUNTIME);
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(PolicyEffectsTest.node("n", 8, 0)), List.of()),
                        List.of(borrowing, lending, low),
                        List.of())
                .withQueues(new QueueState(tree, List.of()));

        Plan plan = new Planner(POLICY).plan(snapshot);

        assertThat(plan.broken().stream().filter(promise -> promise.cause() == Cause.RECLAIMED))
                .extracting(BrokenPromise::gang)
                .isEqualTo(reclaims ? List.of(borrowing.gang().id()) : List.of());
        assertThat(plan.windows().stream()
                        .filter(planned -> planned.gang().equals(lending.gang()))
                        .map(Planned::window))
                .extracting(Window::start)
                .containsExactly(reclaims ? NOW : NOW + RUNTIME);
    }
}
