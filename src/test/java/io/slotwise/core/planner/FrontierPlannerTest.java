package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Money;
import io.slotwise.core.plan.Frontier.Point;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.Usual;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrontierPlannerTest {
    private static final Policy POLICY = ExactSearchTest.policy(RandomClusters.SPAN, 1)
            .withBackfill(Backfill.NONE)
            .withBatch(Policy.EXACT.batch().withShift(false).withAlternatives(6));

    private static Snapshot snapshot(int seed) {
        RandomClusters clusters = new RandomClusters(ExactSearchTest.seeded(seed));
        return new Snapshot(RandomClusters.NOW, clusters.cluster(5), ExactSearchTest.requests(clusters, 5), List.of());
    }

    private static Frontier frontier(Snapshot snapshot, Money money, Against against) {
        return new FrontierPlanner(POLICY, Workers.CALLER, RandomSource.NONE)
                .of(snapshot, new Axes(money, against), 100, StopSignal.NEVER);
    }

    @ParameterizedTest
    @EnumSource
    void everyPointIsAPlanAndNoneBeatsAnother(Against against) {
        int several = 0;
        for (int seed = 0; seed < 60; seed++) {
            Snapshot snapshot = snapshot(seed);

            Frontier frontier = frontier(snapshot, Money.COST, against);

            assertThat(frontier.gangs() + frontier.pending().size())
                    .isEqualTo(snapshot.requests().size());
            for (Point point : frontier.points()) {
                Plan plan = Usual.plan(
                        snapshot.now(),
                        snapshot.now() + POLICY.horizon(),
                        point.windows(),
                        frontier.pending(),
                        List.of(),
                        List.of());
                assertThat(PlanChecker.faults(snapshot, POLICY, plan))
                        .as("seed %d", seed)
                        .isEmpty();
            }
            for (int i = 1; i < frontier.points().size(); i++) {
                Point before = frontier.points().get(i - 1);
                Point after = frontier.points().get(i);
                assertThat(after.cost()).isLessThan(before.cost());
                assertThat(after.figure(against)).isGreaterThan(before.figure(against));
            }
            several += frontier.points().size() > 1 ? 1 : 0;
        }
        assertThat(several).isGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource
    void theFrontiersEndInMoneyIsThePlanOfThatObjective(Money money) {
        Objective objective = money == Money.COST ? Objective.MIN_COST : Objective.MAX_INCOME;
        for (int seed = 0; seed < 60; seed++) {
            Snapshot snapshot = snapshot(seed);

            Frontier frontier = frontier(snapshot, money, Against.DELAY);

            Plan plan = new Planner(POLICY.withBatch(POLICY.batch().serving(objective, Limit.NONE))).plan(snapshot);
            Cost cost = plan.windows().stream()
                    .map(planned -> planned.window().cost())
                    .reduce(Cost.ZERO, Cost::plus);
            assertThat(
                            frontier.points().isEmpty()
                                    ? Cost.ZERO
                                    : frontier.points().getLast().cost())
                    .as("seed %d", seed)
                    .isEqualTo(cost);
        }
    }
}
