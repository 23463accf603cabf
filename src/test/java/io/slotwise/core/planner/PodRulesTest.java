package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PodRulesTest {
    private static final List<Criterion> CRITERIA = List.of(Criterion.values());
    private static final int CASES = 100;
    private static final int CYCLES = 500;

    @ParameterizedTest
    @EnumSource
    void aGangWithOneRuleFindsTheWindowThatTryingEverythingFinds(Criterion criterion) {
        Tally tally = compare(criterion, 1);

        assertThat(tally.found).isBetween(CASES / 8, CASES * 9 / 10);
        assertThat(tally.missed).isZero();
        assertThat(tally.unsupported).isLessThan(CASES / 8);
    }

    @ParameterizedTest
    @EnumSource
    void aGangWithTwoRulesFindsNoWindowThatBreaksThem(Criterion criterion) {
        Tally tally = compare(criterion, 2);

        assertThat(tally.found).isBetween(CASES / 10, CASES * 9 / 10);
        assertThat(tally.missed).isLessThan(CASES / 50);
    }

    @Test
    void noGangIsPromisedWhatBreaksTheRuleOfAnother() {
        int windows = 0;
        int behind = 0;
        for (int seed = 0; seed < CYCLES; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.marked(clusters.cluster(2 + random.nextInt(4)));
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Criterion criterion = CRITERIA.get(random.nextInt(CRITERIA.size()));
                requests.add(new Request(clusters.ruled(clusters.gang("g" + i, criterion), random.nextInt(3)), null));
            }
            Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? random.nextInt(8) : 0);
            Snapshot first = new Snapshot(RandomClusters.NOW, cluster, requests, List.of());

            Plan plan = new Planner(policy).plan(first);
            Snapshot second = first.published(plan);
            Plan again = new Planner(policy).plan(second);

            assertThat(PlanChecker.faults(first, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(PlanChecker.faults(second, policy, again))
                    .as("seed %d, next cycle", seed)
                    .isEmpty();
            windows += plan.windows().size();
            assertThat(again.broken())
                    .as("seed %d: promises of the first cycle that the second one breaks", seed)
                    .isEmpty();
            behind += (int) plan.pending().stream()
                    .filter(pending -> pending.refusal() instanceof Refusal.BehindRule)
                    .count();
        }

        assertThat(windows).isGreaterThan(CYCLES);
        assertThat(behind).as("gangs that gave way to the rule of another").isPositive();
    }

    /** The pods are those of Jobs of one pod each, which JobSet places exclusively. */
    @Test
    void podsThatSelectOnlyThemselvesNeedNotBeTogether() {
        String one = Place.mark("one");
        String two = Place.mark("two");
        Inventory nodes = new Inventory(Stream.of("a", "b")
                        .map(zone -> PlanBuilder.oneCore(zone, 0).withLabels(Map.of("zone", zone)))
                        .toList())
                .offering(Set.of(one, two));
        Gang gang = GangBuilder.gang("g", 2, 500, 10).build();
        List<Gang.Shape> shapes =
                List.of(exclusive("g-0", gang.request(), one, two), exclusive("g-1", gang.request(), two, one));
        Gang exclusive = new Gang(gang.id(), shapes, gang.demand(), 0, RandomClusters.NOW, PlacementRequest.USUAL);

        Plan plan = new Planner(ExactSearchTest.policy(100, 0))
                .plan(new Snapshot(
                        RandomClusters.NOW,
                        new Cluster(List.copyOf(nodes), List.of()),
                        List.of(new Request(exclusive, null)),
                        List.of()));

        assertThat(plan.windows().getFirst().window().placements())
                .extracting(Placement::node)
                .containsExactlyInAnyOrder("a", "b");
    }

    private static Gang.Shape exclusive(String pod, PodRequest request, String own, String other) {
        return new Gang.Shape(
                List.of(pod),
                new PodRequest(
                        request.resources().plus(Resources.of(Map.of(own, 1L))),
                        request.constraint(),
                        request.runtime(),
                        request.nodeIndependent(),
                        List.of(new PodRule.Apart("zone", other), new PodRule.Together(List.of("zone"), own))));
    }

    /**
     * The cases with a window, the cases in which the planner missed a window or a better one, and the refusals by
     * name.
     */
    private record Tally(int found, int missed, int unsupported) {}

    private static Tally compare(Criterion criterion, int rules) {
        int found = 0;
        int missed = 0;
        int unsupported = 0;
        for (int seed = 0; seed < CASES; seed++) {
            // Every criterion has its own clusters, 600 in total.
            RandomGenerator random = ExactSearchTest.seeded(seed + CASES * CRITERIA.indexOf(criterion));
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.marked(clusters.cluster(1 + random.nextInt(4)));
            Gang gang = clusters.ruled(
                    seed % 2 == 0 ? clusters.gang("g", criterion) : clusters.mixedGang("g", criterion), rules);
            Policy policy = ExactSearchTest.policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? random.nextInt(8) : 0);
            Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, List.of(new Request(gang, null)), List.of());

            Plan plan = new Planner(policy).plan(snapshot);

            BruteForce.Best best = BruteForce.best(cluster, policy, gang, RandomClusters.NOW);
            List<BruteForce.Best> planned = plan.windows().stream()
                    .map(p -> new BruteForce.Best(
                            p.window().value(p.gang()),
                            p.window().start(),
                            p.window().cost().microSecondsPerHour()))
                    .toList();
            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            boolean refused =
                    plan.pending().stream().anyMatch(pending -> pending.refusal() instanceof Refusal.InvalidRequest);
            if (refused) {
                unsupported++;
            } else if (!planned.equals(best == null ? List.of() : List.of(best))) {
                if (rules == 1 || (!planned.isEmpty() && (best == null || isBetter(planned.getFirst(), best)))) {
                    assertThat(planned)
                            .as("seed %d: %s", seed, gang)
                            .isEqualTo(best == null ? List.of() : List.of(best));
                }
                missed++;
            }
            found += best == null ? 0 : 1;
        }
        return new Tally(found, missed, unsupported);
    }

    private static boolean isBetter(BruteForce.Best one, BruteForce.Best other) {
        return one.value() != other.value()
                ? one.value() < other.value()
                : one.start() != other.start() ? one.start() < other.start() : one.cost() < other.cost();
    }
}
