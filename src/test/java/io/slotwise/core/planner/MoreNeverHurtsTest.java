package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that more money, more nodes or a longer horizon never make a gang's best value worse. */
class MoreNeverHurtsTest {
    private static final int CASES = 300;
    private static final long HORIZON = RandomClusters.SPAN / 2;

    @ParameterizedTest
    @EnumSource
    void moreMoneyMoreNodesOrALongerHorizonNeverMakeTheBestValueWorse(Criterion criterion) {
        int better = 0;
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(3 + random.nextInt(6));
            Gang gang = random.nextBoolean() ? clusters.gang("g", criterion) : clusters.mixedGang("g", criterion);

            OptionalLong usual = best(cluster, gang, HORIZON);
            List<OptionalLong> more = List.of(
                    best(cluster, richer(gang), HORIZON),
                    best(larger(cluster), gang, HORIZON),
                    best(cluster, gang, HORIZON * 2));

            for (OptionalLong with : more) {
                assertThat(with.orElse(Long.MAX_VALUE))
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(usual.orElse(Long.MAX_VALUE));
                better += with.orElse(Long.MAX_VALUE) < usual.orElse(Long.MAX_VALUE) ? 1 : 0;
            }
        }
        assertThat(better).as("cases in which more is better").isGreaterThan(CASES / 20);
    }

    private static OptionalLong best(Cluster cluster, Gang gang, long horizon) {
        Snapshot snapshot = new Snapshot(RandomClusters.NOW, cluster, List.of(new Request(gang, null)), List.of());
        return new Planner(policy(horizon, 0))
                .plan(snapshot).windows().stream()
                        .mapToLong(planned -> planned.window().value(gang))
                        .findFirst();
    }

    private static Gang richer(Gang gang) {
        Money total = gang.budget().total();
        return gang.paying(new Budget(
                total == null ? null : new Money(total.micros() * 2),
                gang.budget().slotPrice()));
    }

    private static Cluster larger(Cluster cluster) {
        List<Node> nodes = new ArrayList<>(cluster.inventory());
        Node like = nodes.getFirst();
        nodes.add(like.withName("more").withUnavailable(List.of()));
        return new Cluster(nodes, cluster.occupations());
    }
}
