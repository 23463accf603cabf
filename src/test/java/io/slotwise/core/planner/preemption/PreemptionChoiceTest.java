package io.slotwise.core.planner.preemption;

import static io.slotwise.testing.GangBuilder.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.RunningGangs;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The choice of the gang that makes way if several could. */
class PreemptionChoiceTest {
    private static final long NOW = PlanBuilder.NOW;
    private static final Policy POLICY = Policy.EXACT
            .withMigration(new MigrationPolicy(Reach.NONE, 5, 1, 0))
            .withPreemption(Policy.Preempting.RUNNING);
    private static final Node FIRST = PlanBuilder.oneCore("n1", 0);
    private static final Node SECOND = PlanBuilder.oneCore("n2", 0);

    /** The gang that has run for a moment loses less, but would stop the other one in turn. */
    @Test
    void aGangThatWouldDisplaceALowerOneInTurnStaysWhereThatOneMakesWay() {
        Running middle = running("middle", 50, FIRST, 10, 0);
        Running low = running("low", 10, SECOND, 500, 0);

        Plan plan = plan(middle, low);

        assertThat(stopped(plan)).containsExactly("low");
    }

    /** The gang continues next to the other one. */
    @Test
    void aGangThatHasRoomElsewhereMakesWayIfItLosesLeast() {
        List<Node> nodes = List.of(PlanBuilder.cores("n1", 2, 0), PlanBuilder.cores("n2", 2, 0));
        Gang wide = gang("high", 1, 2000, 1000).priority(100).build();

        Plan plan = plan(
                nodes,
                List.of(wide),
                running("middle", 50, nodes.getFirst(), 10, 0),
                running("low", 10, nodes.getLast(), 500, 0));

        assertThat(stopped(plan)).containsExactly("middle");
    }

    @Test
    void theEqualGangThatHasLostLeastWorkMakesWay() {
        Running much = running("a", 10, FIRST, 100, 600, 1);
        Running little = running("b", 10, SECOND, 100, 200, 2);

        assertThat(stopped(plan(much, little))).containsExactly("b");
    }

    /** The middle gang still waits for the former end of the low one when that is stopped. */
    @Test
    void aStoppedGangStartsInTheRoomThatAHigherOneThenLeaves() {
        Running low = running("low", 10, FIRST, 100, 0);
        Gang high = gang("high", 1, 1000, 300).priority(100).build();
        Gang middle = gang("middle", 1, 1000, 300).priority(50).build();

        Plan plan = plan(List.of(FIRST), List.of(high, middle), low);

        assertThat(start(plan, "high")).isEqualTo(5);
        assertThat(start(plan, "middle")).isEqualTo(305);
        assertThat(start(plan, "low")).isEqualTo(605);
    }

    /** Its priority is that of the stopped gang, so it could not displace it. */
    @Test
    void aNewGangStartsInTheRoomThatAStoppedOneLeaves() {
        Running low = running("low", 10, FIRST, 100, 0);
        Gang high = gang("high", 1, 1000, 300).priority(100).build();
        Gang equal = gang("equal", 1, 1000, 300).priority(10).build();

        Plan plan = plan(List.of(FIRST), List.of(high, equal), low);

        assertThat(start(plan, "equal")).isEqualTo(305);
        assertThat(start(plan, "low")).isEqualTo(605);
    }

    private static long start(Plan plan, String gang) {
        return InPlan.planned(plan, gang).window().start() - NOW;
    }

    private static List<String> stopped(Plan plan) {
        return plan.moves().stream().map((Move move) -> move.gang().id().name()).toList();
    }

    private static Running running(String name, int priority, Node node, long elapsed, long lost) {
        return running(name, priority, node, elapsed, lost, 0);
    }

    private static Running running(String name, int priority, Node node, long elapsed, long lost, int stops) {
        Gang gang = gang(name, 1, 1000, 1000).priority(priority).build();
        Running running = RunningGangs.of(gang, List.of(node), NOW - elapsed, NOW, new EvictionTiming(5, 10));
        List<Long> moves =
                LongStream.range(0, stops).mapToObj(i -> NOW - 1000 - i).toList();
        return new Running(gang, running.progress(), running.room(), running.timing(), moves, false, List.of(), lost);
    }

    private static Plan plan(Running... running) {
        return plan(
                List.of(FIRST, SECOND),
                List.of(gang("high", 1, 1000, 1000).priority(100).build()),
                running);
    }

    private static Plan plan(List<Node> nodes, List<Gang> waiting, Running... running) {
        Cluster cluster = new Cluster(
                nodes,
                Arrays.stream(running).flatMap(one -> one.room().stream()).toList());
        List<Request> requests =
                waiting.stream().map(gang -> new Request(gang, null)).toList();
        return new Planner(POLICY).plan(new Snapshot(NOW, cluster, requests, List.of()).withRunning(List.of(running)));
    }
}
