package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Batch;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.RandomClusters;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that the observer sees all searches, even those for a refusal's reason, without effect on them. */
class SearchObserverTest {
    private static final int GANGS = 6;

    private static final class Counts implements SearchObserver {
        private final Map<Criterion, AtomicInteger> ended = new EnumMap<>(Criterion.class);

        Counts() {
            for (Criterion criterion : Criterion.values()) {
                ended.put(criterion, new AtomicInteger());
            }
        }

        @Override
        public <T> T around(Criterion criterion, Supplier<T> search) {
            T found = search.get();
            ended.getOrDefault(criterion, new AtomicInteger()).incrementAndGet();
            return found;
        }

        int of(Criterion criterion) {
            return ended.getOrDefault(criterion, new AtomicInteger()).get();
        }

        int all() {
            return ended.values().stream().mapToInt(AtomicInteger::get).sum();
        }
    }

    private static Snapshot snapshot(int seed, Criterion criterion) {
        RandomGenerator random = seeded(seed);
        RandomClusters clusters = new RandomClusters(random);
        Cluster cluster = clusters.cluster(4);
        List<Request> requests = IntStream.range(0, GANGS)
                .mapToObj(i -> new Request(clusters.gang("g" + i, criterion), null))
                .toList();
        return new Snapshot(RandomClusters.NOW, cluster, requests, List.of());
    }

    private static Counts counted(Policy policy, Snapshot snapshot) {
        Counts counts = new Counts();
        Plan plan = new Planner(policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, counts))
                .plan(snapshot);

        assertThat(plan).isEqualTo(new Planner(policy, CommonPoolWorkers.ALL, SeededRandom.L64X128).plan(snapshot));
        return counts;
    }

    private static Policy policyOf(UnaryOperator<Batch> batch) {
        Policy usual = policy(RandomClusters.SPAN, 0).withBackfill(Backfill.NONE);
        return usual.withBatch(
                batch.apply(usual.batch().withAlternatives(2).withShift(false).withSplit(Split.NONE)));
    }

    @ParameterizedTest
    @EnumSource
    void everyGangOfABatchIsSearchedForByItsCriterion(Criterion criterion) {
        Counts counts = counted(policyOf(batch -> batch), snapshot(1, criterion));

        assertThat(counts.of(criterion)).isGreaterThanOrEqualTo(GANGS);
    }

    @ParameterizedTest
    @EnumSource
    void whicheverSearchItIs(Searching searching) {
        Counts counts = counted(policyOf(batch -> batch.withSearching(searching)), snapshot(2, Criterion.COST));

        assertThat(counts.of(Criterion.COST)).isGreaterThanOrEqualTo(GANGS);
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void backfillingSearchesForTheEarliestStartFirst(Backfill backfill) {
        Policy policy = policyOf(batch -> batch.withSplit(new Split(1, 0, Choice.ORDER)));

        Counts counts = counted(policy.withBackfill(backfill), snapshot(3, Criterion.COST));

        assertThat(counts.of(Criterion.START)).isGreaterThanOrEqualTo(GANGS);
        assertThat(counts.of(Criterion.COST)).isBetween(1, counts.of(Criterion.START));
        assertThat(counts.all())
                .isGreaterThan(counted(policy, snapshot(3, Criterion.COST)).all());
    }

    @Test
    void anOnlineGangIsSearchedForInEveryDomain() {
        Policy policy = policyOf(batch -> batch).withOnline(new Online(Manner.EMCT, CriterionWeights.DEFAULT, "zone"));
        Snapshot snapshot = snapshot(4, Criterion.COST);
        long zones = snapshot.cluster().inventory().stream()
                .map(node -> node.labels().get("zone"))
                .distinct()
                .count();

        Counts counts = counted(policy, snapshot);

        assertThat(zones).isEqualTo(2);
        assertThat(counts.of(Criterion.FINISH)).isGreaterThanOrEqualTo((int) (GANGS * zones));
    }

    @Test
    void aShiftIsASearchForTheEarliestStart() {
        int still = 0;
        int shifted = 0;
        for (int seed = 0; seed < 20; seed++) {
            Snapshot snapshot = snapshot(seed, Criterion.COST);
            still += counted(policyOf(batch -> batch), snapshot).of(Criterion.START);
            shifted +=
                    counted(policyOf(batch -> batch.withShift(true)), snapshot).of(Criterion.START);
        }

        assertThat(shifted).isGreaterThan(still);
    }
}
