package io.slotwise.core.planner.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Frontier.Against;
import io.slotwise.core.plan.Frontier.Axes;
import io.slotwise.core.plan.Frontier.Money;
import io.slotwise.core.plan.Frontier.Point;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The Pareto set of small batches, compared with every combination. */
class ParetoBatchTest {
    private static final int CASES = 300;

    static Stream<Arguments> axes() {
        return Stream.of(Money.values())
                .flatMap(money -> Stream.of(Against.values())
                        .flatMap(against -> Stream.of(
                                Arguments.of(new Axes(money, against), false),
                                Arguments.of(new Axes(money, against), true))));
    }

    private record Sums(long money, long other) {
        boolean beats(Sums another) {
            return money <= another.money && other <= another.other && !equals(another);
        }
    }

    private record Batch(List<GangAlternatives> gangs, List<Account> accounts) {
        static Batch of(long seed, boolean charged) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            List<GangAlternatives> gangs = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(i -> BatchCombinerTest.alternatives(random, i))
                    .toList();
            return new Batch(gangs, charged ? BatchCombinerTest.accounts(random) : List.of());
        }

        /** The figures of every combination that the accounts can pay. */
        List<Sums> all(Axes axes) {
            List<Sums> all = new ArrayList<>();
            collect(axes, 0, new Sums(0, 0), Map.of(), all);
            return all;
        }

        private void collect(Axes axes, int from, Sums before, Map<Account, Long> paid, List<Sums> all) {
            if (from == gangs.size()) {
                all.add(before);
                return;
            }
            GangAlternatives one = gangs.get(from);
            for (Window window : one.windows()) {
                long cost = window.cost().microSecondsPerHour();
                Map<Account, Long> after = new HashMap<>(paid);
                accounts.stream()
                        .filter(account ->
                                account.holder().equals(window.gang().namespace()) && account.covers(window.start()))
                        .forEach(account -> after.merge(account, cost, Long::sum));
                if (after.entrySet().stream()
                        .allMatch(e -> e.getValue() <= e.getKey().left().microSecondsPerHour())) {
                    long other = axes.against() == Against.DELAY
                            ? window.end() - one.gang().gang.arrival()
                            : BatchCombinerTest.loss(one, window, true);
                    long money = axes.money() == Money.INCOME ? -cost : cost;
                    collect(axes, from + 1, new Sums(before.money + money, before.other + other), after, all);
                }
            }
        }
    }

    private static Sums sums(Axes axes, Point point) {
        long cost = point.cost().microSecondsPerHour();
        return new Sums(axes.money() == Money.INCOME ? -cost : cost, point.figure(axes.against()));
    }

    private static ParetoBatch pareto(Batch batch, Axes axes, int most) {
        return ParetoBatch.of(batch.gangs, axes, new AccountBalances(batch.accounts), PromiseSlack.NONE, most);
    }

    @ParameterizedTest
    @MethodSource("axes")
    void isWhatTryingEveryCombinationLeaves(Axes axes, boolean charged) {
        int compared = 0;
        int large = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Batch batch = Batch.of(seed, charged);
            List<Sums> all = batch.all(axes);

            ParetoBatch pareto = pareto(batch, axes, 1000);

            if (all.isEmpty()) {
                // Some gang cannot be paid together with the others.
                assertThat(pareto.chosen().size()).isLessThan(batch.gangs.size());
                continue;
            }
            List<Sums> best = all.stream()
                    .filter(one -> all.stream().noneMatch(other -> other.beats(one)))
                    .distinct()
                    .toList();
            assertThat(pareto.points().stream().map(point -> sums(axes, point)).toList())
                    .as("seed %d", seed)
                    .containsExactlyInAnyOrderElementsOf(best);
            assertThat(pareto.dropped()).isZero();
            assertThat(pareto.gap()).hasValue(0);
            pareto.points().forEach(point -> assertIsItsPlan(batch, point));
            compared++;
            large += best.size() > 3 ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(charged ? CASES / 4 : CASES - 1);
        assertThat(large).isGreaterThan(CASES / 20);
    }

    private static void assertIsItsPlan(Batch batch, Point point) {
        assertThat(point.windows()).hasSameSizeAs(batch.gangs);
        long cost = 0;
        long delay = 0;
        for (Planned planned : point.windows()) {
            GangAlternatives own = batch.gangs.stream()
                    .filter(one -> one.gang().gang.equals(planned.gang()))
                    .findFirst()
                    .orElseThrow();
            assertThat(own.windows()).contains(planned.window());
            cost += planned.window().cost().microSecondsPerHour();
            delay += Frontier.delay(planned.gang(), planned.window());
        }
        assertThat(point.cost().microSecondsPerHour()).isEqualTo(cost);
        assertThat(point.delay()).isEqualTo(delay);
    }

    @ParameterizedTest
    @MethodSource("axes")
    void statesTheGapOfAThinnedSet(Axes axes, boolean charged) {
        int thinned = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Batch batch = Batch.of(seed, charged);
            List<Sums> whole = pareto(batch, axes, 1000).points().stream()
                    .map(point -> sums(axes, point))
                    .toList();

            ParetoBatch few = pareto(batch, axes, 2);

            assertThat(few.points()).hasSizeLessThanOrEqualTo(2);
            assertThat(few.dropped()).isEqualTo(Math.max(0, whole.size() - 2));
            long gap = few.gap().orElseThrow();
            for (Sums one : whole) {
                assertThat(few.points().stream()
                                .map(point -> sums(axes, point))
                                .anyMatch(kept -> kept.money() <= one.money() && kept.other() <= one.other() + gap))
                        .as("seed %d", seed)
                        .isTrue();
            }
            thinned += few.dropped() > 0 ? 1 : 0;
        }
        assertThat(thinned).isGreaterThan(CASES / 10);
    }
}
