package io.slotwise.core.planner.batch;

import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.planner.batch.BatchCombination.Chosen;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The combination of small batches, compared with every combination, for every objective under every limit. */
class BatchCombinerTest {
    private static final Timeline NOWHERE = new Timeline(new Cluster(List.of(), List.of()), 0, 0);

    static Stream<Arguments> objectivesAndLimits() {
        return Stream.of(Objective.values())
                .flatMap(objective -> Stream.of(Measure.values())
                        .flatMap(measure -> Stream.of(
                                Arguments.of(objective, measure, false), Arguments.of(objective, measure, true))));
    }

    static GangAlternatives alternatives(RandomGenerator random, int number) {
        String name = "g" + number;
        Criterion criterion = random.nextBoolean() ? Criterion.START : Criterion.COST;
        PodRequest request = new PodRequest(
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)), NodeConstraint.NONE, 60, true);
        Gang gang = new Gang(
                        new GangId("n" + random.nextInt(2), name),
                        List.of(name + "-0"),
                        request,
                        Demand.NONE.withCriterion(criterion),
                        0,
                        number)
                .valuing(ValueOfTime.always(new Money(random.nextInt(3))));
        PlanningGang planningGang = new PlanningGang(
                gang,
                () -> List.of(new Eligibility(Eligibility.Kind.of(gang), NOWHERE, false)),
                SlotTerms.of(gang, 0, 1000),
                Policy.Searching.EXACT,
                PlannerResources.NONE);
        return new GangAlternatives(
                planningGang,
                IntStream.range(0, 1 + random.nextInt(4))
                        .mapToObj(_ -> window(gang, random))
                        .toList());
    }

    private static Window window(Gang gang, RandomGenerator random) {
        long start = random.nextLong(200);
        Placement placement = new Placement(
                gang.pods().getFirst(), "n", start, start + 1 + random.nextLong(50), new Cost(random.nextLong(100)));
        return Window.of(gang.id(), start, List.of(placement));
    }

    static List<Account> accounts(RandomGenerator random) {
        List<Account> accounts = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            accounts.add(new Account("n" + n, 0, 100, new Cost(random.nextLong(250))));
            accounts.add(new Account("n" + n, 100, 200, new Cost(random.nextLong(250))));
        }
        return accounts;
    }

    private static Limit limit(Measure measure, RandomGenerator random) {
        if (measure == Measure.NOTHING) {
            return Limit.NONE;
        }
        long figure = switch (measure) {
            case COST -> random.nextLong(250);
            case PROCESSOR_TIME -> random.nextLong(150);
            case AVERAGE_UTILITY, NOTHING -> random.nextLong(1_000_000);
        };
        return new Limit(measure, random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(figure));
    }

    /** The position of the window between the gang's best and worst, in millionths, rounded down or up. */
    static long loss(GangAlternatives one, Window window, boolean up) {
        long[] values = one.windows().stream()
                .mapToLong(w -> w.value(one.gang().gang))
                .sorted()
                .toArray();
        long whole = values[values.length - 1] - values[0];
        long part = (window.value(one.gang().gang) - values[0]) * 1_000_000;
        return whole == 0 ? 0 : up ? Math.ceilDiv(part, whole) : part / whole;
    }

    private static long value(Objective objective, GangAlternatives one, Window window) {
        return switch (objective) {
            case USER -> loss(one, window, false);
            case MIN_COST -> window.cost().microSecondsPerHour();
            case MAX_INCOME -> -window.cost().microSecondsPerHour();
            case MAX_VALUE -> value(one, window) - best(one);
            case MIN_PROCESSOR_TIME -> window.processorTime();
            case MAX_PROCESSOR_TIME -> -window.processorTime();
        };
    }

    /** The cost, plus the value of the time from the arrival to the end. */
    private static long value(GangAlternatives one, Window window) {
        Gang gang = one.gang().gang;
        return window.cost().microSecondsPerHour()
                + gang.valueOfTime().hour().micros() * (window.end() - gang.arrival());
    }

    private static long best(GangAlternatives one) {
        return one.windows().stream()
                .mapToLong(window -> value(one, window))
                .min()
                .orElseThrow();
    }

    private static long weight(Measure measure, GangAlternatives one, Window window) {
        return switch (measure) {
            case NOTHING -> 0;
            case COST -> window.cost().microSecondsPerHour();
            case PROCESSOR_TIME -> window.processorTime();
            case AVERAGE_UTILITY -> loss(one, window, true);
        };
    }

    private static long allowed(Limit limit, List<GangAlternatives> batch) {
        if (limit.measure() == Measure.NOTHING) {
            return Long.MAX_VALUE;
        }
        if (limit.figure().isPresent()) {
            return limit.figure().getAsLong() * (limit.measure() == Measure.AVERAGE_UTILITY ? batch.size() : 1);
        }
        return batch.stream()
                .mapToLong(c -> c.windows().stream()
                                .mapToLong(w -> weight(limit.measure(), c, w))
                                .sum()
                        / c.windows().size())
                .sum();
    }

    private static boolean isAllowed(
            Limit limit, long allowed, List<Account> accounts, List<GangAlternatives> batch, List<Window> windows) {
        long weight = 0;
        for (int i = 0; i < windows.size(); i++) {
            weight += weight(limit.measure(), batch.get(i), windows.get(i));
        }
        return weight <= allowed
                && accounts.stream()
                        .allMatch(account -> windows.stream()
                                        .filter(w -> w.gang().namespace().equals(account.holder())
                                                && account.start() <= w.start()
                                                && w.start() < account.end())
                                        .mapToLong(w -> w.cost().microSecondsPerHour())
                                        .sum()
                                <= account.left().microSecondsPerHour());
    }

    private record Best(Objective objective, Limit limit, List<Account> accounts, List<GangAlternatives> batch) {
        Optional<BigInteger> value() {
            return value(new ArrayList<>(), allowed(limit, batch));
        }

        private Optional<BigInteger> value(List<Window> windows, long allowed) {
            int i = windows.size();
            if (i == batch.size()) {
                return isAllowed(limit, allowed, accounts, batch, windows)
                        ? Optional.of(sum(objective, batch, windows))
                        : Optional.empty();
            }
            Optional<BigInteger> best = Optional.empty();
            for (Window window : batch.get(i).windows()) {
                windows.add(window);
                Optional<BigInteger> found = value(windows, allowed);
                windows.removeLast();
                if (found.isPresent() && (best.isEmpty() || found.get().compareTo(best.get()) < 0)) {
                    best = found;
                }
            }
            return best;
        }
    }

    private static BigInteger sum(Objective objective, List<GangAlternatives> batch, List<Window> windows) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < windows.size(); i++) {
            sum = sum.add(BigInteger.valueOf(value(objective, batch.get(i), windows.get(i))));
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("objectivesAndLimits")
    void choosesWhatTryingEveryCombinationChooses(Objective objective, Measure measure, boolean withAccounts) {
        int whole = 0;
        int parts = 0;
        for (int seed = 0; seed < 1000; seed++) {
            RandomGenerator random = seeded(seed);
            List<GangAlternatives> batch = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(i -> alternatives(random, i))
                    .toList();
            List<Account> accounts = withAccounts ? accounts(random) : List.of();
            Limit limit = limit(measure, random);
            BatchCombiner combiner = new BatchCombiner(
                    Policy.EXACT.batch().serving(objective, limit), new AccountBalances(accounts), batch.size());

            List<Chosen> chosen = combiner.combine(batch, List.of()).chosen();

            Set<PlanningGang> with = chosen.stream().map(Chosen::gang).collect(Collectors.toSet());
            List<GangAlternatives> placed =
                    batch.stream().filter(one -> with.contains(one.gang())).toList();
            List<Window> windows = chosen.stream().map(Chosen::window).toList();
            assertThat(isAllowed(limit, allowed(limit, placed), accounts, placed, windows))
                    .as("seed %d is within its limits", seed)
                    .isTrue();
            Optional<BigInteger> best = new Best(objective, limit, accounts, batch).value();
            assertThat(placed.size() == batch.size())
                    .as("seed %d is planned whole", seed)
                    .isEqualTo(best.isPresent());
            if (best.isPresent()) {
                assertThat(sum(objective, placed, windows)).as("seed %d", seed).isEqualTo(best.get());
                assertThat(combiner.notes()).isEmpty();
                whole++;
            } else {
                assertThat(sum(objective, placed, windows))
                        .as("seed %d without those left out", seed)
                        .isEqualTo(new Best(objective, limit, accounts, placed)
                                .value()
                                .orElseThrow());
                parts++;
            }
        }
        assertThat(whole).isGreaterThan(100);
        assertThat(parts).isGreaterThanOrEqualTo(withAccounts ? 100 : 0);
    }
}
