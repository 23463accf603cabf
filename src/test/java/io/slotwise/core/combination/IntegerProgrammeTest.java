package io.slotwise.core.combination;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.money.Cost;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;
import org.ojalgo.optimisation.integer.IntegerStrategy;
import org.ojalgo.type.context.NumberContext;

/** Batches of 40 gangs with 50 alternatives each, compared with an exact integer programme. */
class IntegerProgrammeTest {
    private static final int GANGS = 40;
    private static final int ALTERNATIVES = 50;

    /** The precision of the solver's floating-point optimum. */
    private static final double SOLVER = 1e-6;

    enum Kind {
        LOSS_UNDER_COST,
        COST_UNDER_TIME,
        TIME_UNDER_COST,
        INCOME_UNDER_TIME,
        INCOME_UNDER_LOSS,
        COST_AND_DELAY_UNDER_TIME,
        COST_AND_DELAY_UNDER_COST
    }

    private record Alternative(long start, long cost, long processorTime) {}

    /** Faster nodes cost more, with a discount or markup. The figures are as large as those of real batches. */
    private static List<Alternative> alternatives(RandomGenerator random) {
        long work = 600L * (1 + random.nextInt(64)) * (1 + random.nextInt(100));
        List<Alternative> all = new ArrayList<>();
        for (int i = 0; i < ALTERNATIVES; i++) {
            long speed = 1000 + random.nextLong(3000);
            long markup = 600 + random.nextLong(800);
            long time = Math.ceilDiv(work * 1000, speed);
            all.add(new Alternative(random.nextInt(600_000), time * 50 * speed * markup / 1000, time));
        }
        return all;
    }

    private static Knapsack knapsack(Kind kind, RandomGenerator random, boolean accounts) {
        List<List<Alternative>> gangs = new ArrayList<>();
        for (int g = 0; g < GANGS; g++) {
            gangs.add(alternatives(random));
        }
        List<Account> ledger = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            int namespace = n;
            long left = 0;
            for (int g = namespace; g < GANGS; g += 4) {
                left += between(gangs.get(g).stream().mapToLong(Alternative::cost), 70);
            }
            ledger.add(new Account("n" + n, 0, 1_000_000, new Cost(left)));
        }
        List<List<Item>> groups = new ArrayList<>();
        long limit = 0;
        for (int g = 0; g < GANGS; g++) {
            List<Alternative> all = gangs.get(g);
            long first = all.stream().mapToLong(Alternative::start).min().orElseThrow();
            long last = all.stream().mapToLong(Alternative::start).max().orElseThrow();
            Account account = accounts ? ledger.get(g % 4) : null;
            List<Item> items = all.stream()
                    .map(a -> item(kind, a, (a.start() - first) * 1_000_000 / (last - first), account))
                    .toList();
            groups.add(items);
            limit += between(items.stream().mapToLong(Item::weight), 60);
        }
        return Knapsack.of(groups, limit);
    }

    private static Item item(Kind kind, Alternative a, long loss, @Nullable Account account) {
        long value = switch (kind) {
            case LOSS_UNDER_COST -> loss;
            case COST_UNDER_TIME -> a.cost();
            case TIME_UNDER_COST -> a.processorTime();
            case INCOME_UNDER_TIME, INCOME_UNDER_LOSS -> -a.cost();
            // An hour is worth half the cost of a processor.
            case COST_AND_DELAY_UNDER_TIME, COST_AND_DELAY_UNDER_COST -> a.cost() + 25_000 * a.start();
        };
        long weight = switch (kind) {
            case LOSS_UNDER_COST, TIME_UNDER_COST, COST_AND_DELAY_UNDER_COST -> a.cost();
            case COST_UNDER_TIME, INCOME_UNDER_TIME, COST_AND_DELAY_UNDER_TIME -> a.processorTime();
            case INCOME_UNDER_LOSS -> loss;
        };
        return new Item(value, weight, account, account == null ? 0 : a.cost());
    }

    /** The value at this many percent between the least and the mean. */
    private static long between(LongStream figures, int percent) {
        long[] all = figures.toArray();
        long least = LongStream.of(all).min().orElseThrow();
        long mean = LongStream.of(all).sum() / all.length;
        return least + (mean - least) * percent / 100;
    }

    /** The best value by ojAlgo's integer solver, in units of the largest value. */
    private static Optimisation.Result solved(Knapsack knapsack) {
        ExpressionsBasedModel model = new ExpressionsBasedModel();
        Expression weight = model.newExpression("limit").upper(1);
        Map<Account, Expression> accounts = new HashMap<>();
        long largest = largest(knapsack);
        for (int g = 0; g < knapsack.groups().size(); g++) {
            Expression one = model.newExpression("gang" + g).level(1);
            for (Item item : knapsack.groups().get(g)) {
                Variable taken = model.newVariable("x" + model.countVariables()).binary();
                taken.weight((double) item.value() / largest);
                one.set(taken, 1);
                weight.set(taken, (double) item.weight() / knapsack.limit());
                Account account = item.account();
                if (account != null) {
                    accounts.computeIfAbsent(
                                    account,
                                    a -> model.newExpression(a.holder()).upper(1))
                            .set(taken, (double) item.charge() / account.left().microSecondsPerHour());
                }
            }
        }
        model.options.integer(
                IntegerStrategy.DEFAULT.withGapTolerance(NumberContext.of(7, 9)).withParallelism(() -> 1));
        return model.minimise();
    }

    private static long largest(Knapsack knapsack) {
        return knapsack.groups().stream()
                .flatMap(List::stream)
                .mapToLong(item -> Math.abs(item.value()))
                .max()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "LOSS_UNDER_COST, false",
        "COST_UNDER_TIME, false",
        "TIME_UNDER_COST, false",
        "INCOME_UNDER_TIME, false",
        "INCOME_UNDER_LOSS, false",
        "COST_UNDER_TIME, true",
        "TIME_UNDER_COST, true",
        "COST_AND_DELAY_UNDER_TIME, false",
        "COST_AND_DELAY_UNDER_COST, false",
        "COST_AND_DELAY_UNDER_TIME, true"
    })
    void objectiveIsWithinAThousandthOfTheIntegerProgramme(Kind kind, boolean accounts) {
        int cases = kind == Kind.COST_AND_DELAY_UNDER_TIME ? 17 : kind == Kind.COST_AND_DELAY_UNDER_COST ? 16 : 8;
        for (int seed = 0; seed < cases; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            Knapsack knapsack = knapsack(kind, random, accounts);

            BatchChoice choice = knapsack.choose().orElseThrow();

            Optimisation.Result exact = solved(knapsack);
            double best = exact.getValue();
            double value = value(knapsack, choice) / (double) largest(knapsack);
            assertThat(exact.getState()).as("seed %d", seed).isEqualTo(Optimisation.State.OPTIMAL);
            assertThat(value)
                    .as("seed %d", seed)
                    .isBetween(best - SOLVER * Math.abs(best), best + 0.001 * Math.abs(best));
            assertThat(value - choice.error() / (double) largest(knapsack))
                    .as("seed %d: what the error says", seed)
                    .isLessThanOrEqualTo(best + SOLVER * Math.abs(best));
        }
    }

    private static long value(Knapsack knapsack, BatchChoice choice) {
        return IntStream.range(0, GANGS)
                .mapToLong(
                        g -> knapsack.groups().get(g).get(choice.items().get(g)).value())
                .sum();
    }
}
