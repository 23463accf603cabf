package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Proves that a cycle improves at most this many promises. New gangs get windows despite the limit. */
class ImproveLimitTest {
    private static final int STREAMS = 60;
    private static final int EVENTS = 12;

    private static Planner planner(Policy policy) {
        return new Planner(policy, new PlannerResources(Workers.CALLER, SeededRandom.L64X128, SearchObserver.NONE));
    }

    private static Policy policy(int seed) {
        Policy drawn = PlanStream.policy(ExactSearchTest.seeded(3_000 + seed)).withReplan(Replan.IMPROVE);
        return seed % 2 == 0 ? drawn : drawn.withSlack(new PromiseSlack(200_000, 100_000, 5));
    }

    private static long promised(Snapshot snapshot) {
        return snapshot.requests().stream()
                .filter(request -> request.promise() != null)
                .count();
    }

    @Test
    void withinTheLimitThePlanIsTheSameAsWithoutIt() {
        for (int seed = 0; seed < STREAMS; seed++) {
            Policy policy = policy(seed);
            PlanStream stream = new PlanStream(seed);
            for (int i = 0; i < EVENTS; i++) {
                Snapshot snapshot = stream.snapshot();

                Plan plan = planner(policy.withImproveLimit((int) promised(snapshot)))
                        .plan(snapshot);

                assertThat(plan)
                        .as("seed %d, plan %d", seed, i)
                        .isEqualTo(planner(policy).plan(snapshot));
                stream.goOn(plan);
            }
        }
    }

    @Test
    void everyPlanUnderALimitIsSoundAndKeepsWhatItDoesNotImprove() {
        int improved = 0;
        int kept = 0;
        for (int seed = 0; seed < STREAMS; seed++) {
            int limit = seed % 4;
            Policy policy = policy(seed).withImproveLimit(limit);
            PlanStream stream = new PlanStream(seed);
            for (int i = 0; i < EVENTS; i++) {
                Snapshot snapshot = stream.snapshot();

                Plan plan = planner(policy).plan(snapshot);

                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d, plan %d", seed, i)
                        .isEmpty();
                improved += (int) moved(snapshot, plan);
                kept += (int) plan.windows().stream().filter(Planned::kept).count();
                if (isAnotherNode(stream.goOn(plan))) {
                    break;
                }
            }
        }
        assertThat(improved).isPositive();
        assertThat(kept).isGreaterThan(STREAMS * 4);
    }

    /**
     * Returns whether the event replaces a node by a slower or distant one of its name. A promise stays there and is no
     * new window.
     */
    private static boolean isAnotherNode(String event) {
        return event.startsWith("another");
    }

    private static long moved(Snapshot snapshot, Plan plan) {
        Set<GangId> before = snapshot.requests().stream()
                .filter(request -> request.promise() != null)
                .map(request -> request.gang().id())
                .collect(Collectors.toSet());
        return plan.windows().stream()
                .filter(planned ->
                        !planned.kept() && before.contains(planned.gang().id()))
                .count();
    }

    /** Gangs that are promised a node each, one after another, although each could start at once. */
    private static Snapshot late(int gangs, long now) {
        List<Node> nodes = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < gangs; i++) {
            String node = "n" + i;
            nodes.add(new Node(
                    node,
                    Map.of(),
                    List.of(),
                    true,
                    Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
                    Performance.REFERENCE,
                    "owner",
                    StepFunction.constant(0),
                    List.of()));
            Gang gang = GangBuilder.gang("g" + i, 1, 1000, 100).build();
            long start = now + 1000 + i * 10L;
            Window window = Window.of(
                    gang.id(),
                    start,
                    List.of(new Placement(gang.pods().getFirst(), node, start, start + 100, Cost.ZERO)));
            requests.add(new Request(gang, new Promise(window, WindowOrigin.CYCLIC, false)));
        }
        return new Snapshot(now, new Cluster(nodes, List.of()), requests, List.of());
    }

    private static Set<String> improved(int gangs, int limit, long now) {
        return new Planner(Policy.EXACT.withImproveLimit(limit))
                .plan(late(gangs, now)).windows().stream()
                        .filter(planned -> planned.window().start() == now)
                        .map(planned -> planned.gang().id().name())
                        .collect(Collectors.toSet());
    }

    @Test
    void halfOfTheTurnsAreOfThoseThatStartFirst() {
        assertThat(improved(10, 10, 1)).hasSize(10);
        assertThat(improved(10, 4, 1)).hasSize(4).contains("g0", "g1");
        assertThat(improved(10, 0, 1)).isEmpty();
    }

    @Test
    void eachGangHasATurnAfterSomeCyclesHoweverFarTheseLieApart() {
        for (int apart : new int[] {1, 7, 8, 10, 64}) {
            Set<String> turns = new HashSet<>();
            for (int cycle = 0; cycle < 40; cycle++) {
                turns.addAll(improved(10, 4, 1_000_000 + (long) cycle * apart));
            }
            assertThat(turns).as("cycles %d s apart", apart).hasSize(10);
        }
    }

    @Test
    void newGangsArePlannedNextToUnchangedPromises() {
        int newcomers = 0;
        for (int seed = 0; seed < STREAMS; seed++) {
            Policy drawn = policy(seed).withSlack(PromiseSlack.NONE).withPreemption(Policy.Preempting.NONE);
            Policy policy = drawn.withBatch(drawn.batch().withShift(false));
            PlanStream stream = new PlanStream(seed);
            for (int i = 0; i < EVENTS; i++) {
                Snapshot snapshot = stream.snapshot();

                Plan plan = planner(policy).planNewcomers(snapshot, StopSignal.NEVER);

                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d, plan %d", seed, i)
                        .isEmpty();
                assertThat(moved(snapshot, plan))
                        .as("seed %d, plan %d", seed, i)
                        .isLessThanOrEqualTo(plan.broken().size());
                Set<GangId> held = snapshot.requests().stream()
                        .filter(request -> request.promise() != null)
                        .map(request -> request.gang().id())
                        .collect(Collectors.toSet());
                newcomers += (int) plan.windows().stream()
                        .filter(planned -> !held.contains(planned.gang().id()))
                        .count();
                if (isAnotherNode(stream.goOn(plan))) {
                    break;
                }
            }
        }
        assertThat(newcomers).isGreaterThan(STREAMS * 4);
    }
}
