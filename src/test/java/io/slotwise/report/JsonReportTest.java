package io.slotwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonReportTest {
    private static Snapshot snapshot(long seed) {
        RandomClusters clusters =
                new RandomClusters(RandomGeneratorFactory.of("L64X128MixRandom").create(seed));
        Cluster cluster = clusters.cluster(5);
        List<Criterion> criteria = List.of(Criterion.values());
        List<Request> requests = IntStream.range(0, 10)
                .mapToObj(i -> {
                    Criterion criterion = criteria.get(i % criteria.size());
                    return i % 3 == 0 ? clusters.mixedGang("g" + i, criterion) : clusters.gang("g" + i, criterion);
                })
                .map(gang -> new Request(gang, null))
                .toList();
        return new Snapshot(RandomClusters.NOW, cluster, requests, List.of());
    }

    private static Snapshot shuffled(Snapshot snapshot, Random random) {
        return new Snapshot(
                snapshot.now(),
                new Cluster(
                        shuffled(snapshot.cluster().inventory(), random),
                        shuffled(snapshot.cluster().occupations(), random)),
                shuffled(snapshot.requests(), random),
                snapshot.held());
    }

    private static <T> List<T> shuffled(List<T> list, Random random) {
        List<T> other = new ArrayList<>(list);
        Collections.shuffle(other, random);
        return other;
    }

    private static String json(Snapshot snapshot, Policy policy) {
        return JsonReport.write(PlanReport.of(
                new Planner(policy, CommonPoolWorkers.ALL).plan(snapshot), snapshot, policy, Currency.NONE));
    }

    @Test
    void aPlanWithMoreThanOneRoundSaysHowFarItsSearchWent() {
        Policy usual = Policy.EXACT.withHorizon(RandomClusters.SPAN);
        Policy cheapest = usual.withBatch(usual.batch().serving(Objective.MIN_COST, Limit.NONE));
        Snapshot snapshot = snapshot(1);

        Plan stopped = new Planner(cheapest).plan(snapshot, StopSignal.after(1));
        String told = JsonReport.write(PlanReport.of(stopped, snapshot, cheapest, Currency.NONE))
                .replaceAll("\\s", "");

        assertThat(told)
                .contains("\"search\":{\"rounds\":2,\"turns\":%d,\"stopped\":true}"
                        .formatted(stopped.search().turns()));
        assertThat(json(snapshot, usual)).doesNotContain("\"search\"");
    }

    @Test
    void theSameInputGivesTheSameBytesInWhateverOrderItsListsAre() {
        Policy usual = Policy.EXACT.withHorizon(RandomClusters.SPAN);
        List<Policy> policies = List.of(
                usual,
                usual.withBatch(usual.batch()
                        .serving(Objective.MAX_INCOME, new Limit(Measure.PROCESSOR_TIME, OptionalLong.empty()))));
        for (int seed = 0; seed < 100; seed++) {
            // The same snapshot is made twice, so that nothing can depend on the identity of objects.
            Policy policy = policies.get(seed % policies.size());
            assertThat(json(shuffled(snapshot(seed), new Random(seed)), policy))
                    .as("seed %d", seed)
                    .isEqualTo(json(snapshot(seed), policy))
                    .contains("\"windows\"");
        }
    }
}
