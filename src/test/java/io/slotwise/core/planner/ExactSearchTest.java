package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class ExactSearchTest {
    private static final int CASES = 500;

    public static RandomGenerator seeded(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** A policy without displacement, since these tests are about the placement of gangs. */
    public static Policy policy(long horizon, long turnover) {
        return Policy.EXACT.withHorizon(horizon).withTurnover(turnover).withPreemption(Policy.Preempting.NONE);
    }

    @ParameterizedTest
    @EnumSource
    void findsTheWindowThatTryingEverythingFinds(Criterion criterion) {
        compare(5, clusters -> clusters.gang("g", criterion));
    }

    @ParameterizedTest
    @EnumSource
    void findsTheWindowThatTryingEverythingFindsForPodsThatDiffer(Criterion criterion) {
        compare(4, clusters -> clusters.mixedGang("g", criterion));
    }

    @Test
    void findsTheExhaustiveOptimumWithAFallingValueOfTime() {
        compare(5, clusters -> clusters.falling(clusters.gang("g", Criterion.VALUE)));
        compare(4, clusters -> clusters.falling(clusters.mixedGang("g", Criterion.VALUE)));
    }

    private static void compare(int mostNodes, Function<RandomClusters, Gang> gangs) {
        int found = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(1 + random.nextInt(mostNodes));
            Gang gang = gangs.apply(clusters);
            Policy policy = policy(RandomClusters.SPAN, random.nextInt(3) == 0 ? random.nextInt(8) : 0);
            Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, List.of(new Request(gang, null)), List.of());

            Plan plan = new Planner(policy).plan(snapshot);

            BruteForce.Best best = BruteForce.best(cluster, policy, gang, RandomClusters.NOW);
            assertThat(PlanChecker.faults(snapshot, policy, plan))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(plan.windows().stream()
                            .map(p -> new BruteForce.Best(
                                    p.window().value(p.gang()),
                                    p.window().start(),
                                    p.window().cost().microSecondsPerHour()))
                            .toList())
                    .as("seed %d: %s", seed, gang)
                    .isEqualTo(best == null ? List.of() : List.of(best));
            found += best == null ? 0 : 1;
        }
        assertThat(found).as("cases with a window").isBetween(CASES / 6, CASES * 9 / 10);
    }

    @Test
    void sameSnapshotGivesTheSamePlanWhateverTheOrderOfItsParts() {
        for (int seed = 0; seed < 50; seed++) {
            RandomClusters clusters = new RandomClusters(seeded(seed));
            Cluster cluster = clusters.cluster(6);
            List<Request> requests = requests(clusters, 8);
            Policy policy = policy(RandomClusters.SPAN, 2);

            Plan plan = new Planner(policy).plan(new Snapshot(RandomClusters.NOW, cluster, requests, List.of()));
            Plan again = new Planner(policy)
                    .plan(new Snapshot(
                            RandomClusters.NOW,
                            new Cluster(
                                    cluster.inventory().reversed(),
                                    cluster.occupations().reversed()),
                            requests.reversed(),
                            List.of()));

            assertThat(again).isEqualTo(plan);
        }
    }

    public static List<Request> requests(RandomClusters clusters, int gangs) {
        return IntStream.range(0, gangs)
                .mapToObj(i -> new Request(clusters.gang("g" + i, i % 2 == 0 ? Criterion.START : Criterion.COST), null))
                .toList();
    }
}
