package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Proves that the search for more alternatives ends when told. The same number of turns gives the same plan. */
class AnytimeTest {
    private static Snapshot snapshot(RandomGenerator random) {
        RandomClusters clusters = new RandomClusters(random);
        Cluster cluster = clusters.cluster(4 + random.nextInt(5));
        List<Request> requests = ExactSearchTest.requests(clusters, 5 + random.nextInt(15));
        return new Snapshot(RandomClusters.NOW, cluster, requests, List.of());
    }

    private static Policy cheapest(RandomGenerator random) {
        Policy usual = policy(RandomClusters.SPAN, random.nextInt(3));
        return usual.withBatch(usual.batch()
                .withSplit(new Split(1 + random.nextInt(3), Split.ALL, Choice.ORDER))
                .serving(Objective.MIN_COST, usual.batch().limit()));
    }

    /** A signal like that of a clock: stops after a number of questions, regardless of the turns. */
    private static StopSignal afterQuestions(int questions) {
        AtomicInteger left = new AtomicInteger(questions);
        return _ -> left.getAndDecrement() <= 0;
    }

    @Test
    void theSameNumberOfTurnsRepeatsThePlan() {
        Set<Integer> rounds = new HashSet<>();
        int stopped = 0;
        int wasWithoutEnd = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random = seeded(seed);
            Snapshot snapshot = snapshot(random);
            Policy policy = cheapest(random);

            Plan first = new Planner(policy)
                    .plan(snapshot, afterQuestions(random.nextInt(8) == 0 ? Integer.MAX_VALUE : random.nextInt(12)));
            Plan again = new Planner(policy, CommonPoolWorkers.ALL)
                    .plan(snapshot, StopSignal.after(first.search().turns()));
            Plan whole = new Planner(policy).plan(snapshot);

            assertThat(again).as("seed %d", seed).isEqualTo(first);
            assertThat(PlanChecker.faults(snapshot, policy, first))
                    .as("seed %d", seed)
                    .isEmpty();
            assertThat(first.search().turns())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(whole.search().turns());
            assertThat(whole.search().stopped()).as("seed %d", seed).isFalse();
            if (first.search().stopped()) {
                stopped++;
                rounds.add(first.search().rounds());
                assertThat(first.notes())
                        .as("seed %d", seed)
                        .anyMatch(note -> note.startsWith("the search for more alternatives was stopped in round"));
            } else {
                wasWithoutEnd++;
                assertThat(first).as("seed %d", seed).isEqualTo(whole);
            }
        }
        assertThat(stopped).isGreaterThan(100);
        assertThat(wasWithoutEnd).isGreaterThan(20);
        assertThat(rounds).hasSizeGreaterThan(3);
    }

    @Test
    void aStopAtOnceLeavesEveryGangItsFirstAlternative() {
        int more = 0;
        for (int seed = 0; seed < 100; seed++) {
            RandomGenerator random = seeded(seed);
            Snapshot snapshot = snapshot(random);
            Policy policy = cheapest(random);
            Policy oneEach = policy.withBatch(policy.batch().withAlternatives(1));

            Plan stopped = new Planner(policy).plan(snapshot, _ -> true);
            Plan one = new Planner(oneEach).plan(snapshot);

            assertThat(stopped.windows()).as("seed %d", seed).isEqualTo(one.windows());
            assertThat(stopped.choices()).as("seed %d", seed).isEqualTo(one.choices());
            assertThat(stopped.search().turns()).as("seed %d", seed).isZero();
            more += stopped.search().stopped() ? 1 : 0;
        }
        assertThat(more).as("clusters where there was more to be found").isGreaterThan(80);
    }
}
