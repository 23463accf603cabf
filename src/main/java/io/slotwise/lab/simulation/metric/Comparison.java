package io.slotwise.lab.simulation.metric;

import io.slotwise.lab.simulation.metric.PolicyMeasure.Percentiles;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.Bought;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.Level;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueueFigures;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueuesFairness;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of policies on one workload and machine, each in several replications with consecutive seeds.
 *
 * @param seed the seed of the first replication
 * @param shard the number of this part, from 0
 * @param shards the number of parts
 * @param results the results in the order of the requested policies
 */
public record Comparison(
        String workload, String machine, long seed, int runs, int shard, int shards, List<Result> results) {
    public Comparison {
        results = List.copyOf(results);
    }

    /** A policy and its outcomes by replication. */
    public record Result(String policy, List<ReplicationOutcome> outcomes) {
        public Result {
            outcomes = outcomes.stream()
                    .sorted(Comparator.comparingInt(ReplicationOutcome::run))
                    .toList();
        }

        public List<PolicyMeasure> figures() {
            return ReplicatedMeasure.of(outcomes).stream()
                    .map(measure -> measure.figure(outcomes))
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    public boolean complete() {
        return results.stream().flatMap(result -> result.outcomes().stream()).allMatch(ReplicationOutcome::complete);
    }

    /** Returns the names of the measures that at least one policy has, in display order. */
    public List<String> metrics() {
        Set<String> known = new HashSet<>();
        results.forEach(result -> result.figures().forEach(measure -> known.add(measure.metric())));
        return ReplicatedMeasure.of(results.stream()
                        .flatMap(result -> result.outcomes().stream())
                        .toList())
                .stream()
                .map(ReplicatedMeasure::metric)
                .filter(known::contains)
                .toList();
    }

    /** Merges all parts of one comparison, each given once, into exactly the result of a single run. */
    public static Comparison merged(List<Comparison> parts) {
        Comparison first = parts.getFirst();
        SortedMap<Integer, Comparison> byShard = new TreeMap<>();
        for (Comparison comparison : parts) {
            if (!comparison.whole().equals(first.whole())) {
                throw new IllegalArgumentException("they are of different simulations: %s and %s"
                        .formatted(first.describe(), comparison.describe()));
            }
            if (byShard.put(comparison.shard, comparison) != null) {
                throw new IllegalArgumentException(
                        "shard %d/%d appears twice".formatted(comparison.shard, comparison.shards));
            }
        }
        for (int shard = 0; shard < first.shards; shard++) {
            if (!byShard.containsKey(shard)) {
                throw new IllegalArgumentException("shard %d/%d is missing".formatted(shard, first.shards));
            }
        }
        return first.whole(first.results.stream()
                .map(result -> new Result(result.policy, outcomes(result.policy, byShard)))
                .toList());
    }

    private static List<ReplicationOutcome> outcomes(String policy, Map<Integer, Comparison> parts) {
        List<ReplicationOutcome> outcomes = new ArrayList<>();
        for (Comparison comparison : parts.values()) {
            comparison.results.stream()
                    .filter(result -> result.policy.equals(policy))
                    .forEach(result -> outcomes.addAll(result.outcomes));
        }
        return outcomes;
    }

    private Comparison whole(List<Result> all) {
        return new Comparison(workload, machine, seed, runs, 0, 1, all);
    }

    private record Whole(String workload, String machine, long seed, int runs, int shards, List<String> policies) {}

    private Whole whole() {
        return new Whole(
                workload,
                machine,
                seed,
                runs,
                shards,
                results.stream().map(Result::policy).toList());
    }

    private String describe() {
        return "%s on %s, seed %d, %d runs in %d shards under %s"
                .formatted(workload, machine, seed, runs, shards, String.join(", ", whole().policies()));
    }

    /**
     * A measure of replications.
     *
     * @param value the value of one replication; {@link Spread#UNKNOWN} if it has none
     * @param spread the spread of the values in one replication; null if the measure has a single value
     * @param scale the divisor of the spread's values
     */
    private record ReplicatedMeasure(
            String metric,
            String unit,
            ToDoubleFunction<ReplicationOutcome> value,
            @Nullable Function<ReplicationOutcome, Spread> spread,
            double scale) {
        private static final double MILLION = ReplicationMetrics.ONE;

        static List<ReplicatedMeasure> of(Collection<ReplicationOutcome> outcomes) {
            List<ReplicatedMeasure> all = new ArrayList<>(List.of(spread("wait", "s", ReplicationOutcome::waited, 1)));
            all.addAll(waits(outcomes));
            all.addAll(others());
            all.addAll(ofUsersAndStops());
            all.addAll(ofQueues(outcomes));
            return all;
        }

        private static List<ReplicatedMeasure> ofQueues(Collection<ReplicationOutcome> outcomes) {
            SortedSet<String> names = new TreeSet<>();
            outcomes.forEach(outcome -> figures(outcome).forEach(queue -> names.add(queue.queue())));
            List<ReplicatedMeasure> all = new ArrayList<>();
            for (String name : names) {
                all.add(queue(name, "used", QueueFigures::used));
                all.add(queue(name, "entitled", QueueFigures::entitled));
                all.add(queue(name, "received", QueueFigures::received));
            }
            all.add(single("queues-jain-index", "", outcome -> fairness(outcome, QueuesFairness::jain)));
            all.add(single("worst-queue", "", outcome -> fairness(outcome, QueuesFairness::worst)));
            return all;
        }

        private static ReplicatedMeasure queue(String name, String figure, ToDoubleFunction<QueueFigures> value) {
            return single(
                    "queue-%s-%s".formatted(name, figure),
                    "",
                    outcome -> figures(outcome).stream()
                            .filter(queue -> queue.queue().equals(name))
                            .mapToDouble(value)
                            .findFirst()
                            .orElse(Spread.UNKNOWN));
        }

        private static List<QueueFigures> figures(ReplicationOutcome outcome) {
            QueuesFairness queues = outcome.queues();
            return queues == null ? List.of() : queues.queues();
        }

        private static double fairness(ReplicationOutcome outcome, ToDoubleFunction<QueuesFairness> value) {
            QueuesFairness queues = outcome.queues();
            return queues == null ? Spread.UNKNOWN : value.applyAsDouble(queues);
        }

        private static List<ReplicatedMeasure> waits(Collection<ReplicationOutcome> outcomes) {
            SortedSet<Integer> priorities = new TreeSet<>(Collections.reverseOrder());
            outcomes.forEach(outcome -> outcome.levels().forEach(level -> priorities.add(level.priority())));
            return priorities.size() < 2
                    ? List.of()
                    : priorities.stream().map(ReplicatedMeasure::wait).toList();
        }

        private static ReplicatedMeasure wait(int priority) {
            return new ReplicatedMeasure(
                    "wait-priority-" + priority,
                    "s",
                    outcome -> waited(outcome, priority).count() == 0
                            ? Spread.UNKNOWN
                            : waited(outcome, priority).mean(),
                    outcome -> waited(outcome, priority),
                    1);
        }

        private static Spread waited(ReplicationOutcome outcome, int priority) {
            return outcome.levels().stream()
                    .filter(level -> level.priority() == priority)
                    .findFirst()
                    .map(Level::waited)
                    .orElse(Spread.NONE);
        }

        private static List<ReplicatedMeasure> others() {
            return List.of(
                    spread("response", "s", ReplicationOutcome::response, 1),
                    spread("slowdown", "", ReplicationOutcome::slowdown, MILLION),
                    spread("bounded-slowdown", "", ReplicationOutcome::boundedSlowdown, MILLION),
                    single("makespan", "s", ReplicationOutcome::makespan),
                    single("utilisation", "", ReplicationOutcome::utilisation),
                    single("loss-of-capacity", "", ReplicationOutcome::lossOfCapacity),
                    single("processor-time", "s", ReplicationOutcome::processorTime),
                    single(
                            "cost",
                            PolicyMeasure.MONEY,
                            outcome -> outcome.money().paid().doubleValue()),
                    single("nodes-bought", "nodes", outcome -> bought(outcome, Bought::nodes)),
                    single(
                            "bills",
                            PolicyMeasure.MONEY,
                            outcome -> bought(outcome, bought -> bought.bills().doubleValue())),
                    single("cost-per-job", PolicyMeasure.MONEY, ReplicatedMeasure::costPerJob),
                    single(
                            "delay-value",
                            PolicyMeasure.MONEY,
                            outcome -> units(outcome.money().delay())),
                    single("cost-with-delay", PolicyMeasure.MONEY, ReplicatedMeasure::costWithDelay),
                    single(
                            "cost-with-delay-bound",
                            PolicyMeasure.MONEY,
                            outcome -> units(outcome.money().bound())),
                    single("budget-use", "", outcome -> outcome.money().budgetUse()),
                    single("over-budget", "jobs", outcome -> outcome.money().overBudget()),
                    single("deadlines-missed", "jobs", ReplicatedMeasure::missed),
                    single("user-utility", "%", ReplicationOutcome::utility),
                    single("user-satisfaction", "", ReplicationOutcome::satisfaction),
                    single(
                            "promises-made",
                            "jobs",
                            outcome -> outcome.promises().made()),
                    single("started-as-promised", "", ReplicatedMeasure::kept),
                    single("promises-moved", "times", ReplicatedMeasure::moved),
                    promised("promise-known", ReplicationOutcome.Promises::known),
                    promised("promise-slack", ReplicationOutcome.Promises::slack),
                    promised("promise-spared", ReplicationOutcome.Promises::spared),
                    single("most-passed", "jobs", ReplicatedMeasure::mostPassed));
        }

        private static List<ReplicatedMeasure> ofUsersAndStops() {
            return List.of(
                    single("jain-index", "", outcome -> outcome.fairness().jain()),
                    single("median-user", "", outcome -> outcome.fairness().median()),
                    single("worst-user", "", outcome -> outcome.fairness().worst()),
                    single("ended", "jobs", outcome -> outcome.jobs().ended()),
                    single("refused", "jobs", outcome -> outcome.jobs().refused()),
                    single("left", "jobs", outcome -> outcome.jobs().left()),
                    single("interruptions", "", outcome -> outcome.stops().interruptions()),
                    single("displacements", "", outcome -> outcome.stops().displacements()),
                    single("moves", "", outcome -> outcome.stops().moves()),
                    single(
                            "processor-time-lost",
                            "s",
                            outcome -> outcome.stops().processorTime()),
                    single(
                            "cost-lost",
                            PolicyMeasure.MONEY,
                            outcome -> outcome.stops().cost().doubleValue()));
        }

        private static ReplicatedMeasure spread(
                String metric, String unit, Function<ReplicationOutcome, Spread> spread, double scale) {
            return new ReplicatedMeasure(
                    metric, unit, outcome -> spread.apply(outcome).mean() / scale, spread, scale);
        }

        /** Creates a measure of jobs with a promise; unknown without any. */
        private static ReplicatedMeasure promised(String metric, Function<ReplicationOutcome.Promises, Spread> of) {
            return new ReplicatedMeasure(
                    metric,
                    "s",
                    outcome -> outcome.promises().made() == 0
                            ? Spread.UNKNOWN
                            : of.apply(outcome.promises()).mean(),
                    outcome -> of.apply(outcome.promises()),
                    1);
        }

        private static ReplicatedMeasure single(
                String metric, String unit, ToDoubleFunction<ReplicationOutcome> value) {
            return new ReplicatedMeasure(metric, unit, value, null, 1);
        }

        private static double costPerJob(ReplicationOutcome outcome) {
            BigDecimal paid = outcome.money().paid();
            return outcome.jobs().ended() == 0
                    ? 0
                    : paid.doubleValue() / outcome.jobs().ended();
        }

        private static double bought(ReplicationOutcome outcome, ToDoubleFunction<Bought> figure) {
            Bought bought = outcome.bought();
            return bought == null ? Spread.UNKNOWN : figure.applyAsDouble(bought);
        }

        private static double units(@Nullable BigDecimal money) {
            return money == null ? Spread.UNKNOWN : money.doubleValue();
        }

        private static double costWithDelay(ReplicationOutcome outcome) {
            BigDecimal delay = outcome.money().delay();
            return delay == null
                    ? Spread.UNKNOWN
                    : outcome.money().paid().add(delay).doubleValue();
        }

        private static double missed(ReplicationOutcome outcome) {
            ReplicationOutcome.Deadlines deadlines = outcome.deadlines();
            return deadlines == null ? Spread.UNKNOWN : deadlines.missed();
        }

        private static double mostPassed(ReplicationOutcome outcome) {
            ReplicationOutcome.Promises promises = outcome.promises();
            return promises.made() == 0 ? Spread.UNKNOWN : promises.mostPassed();
        }

        private static double moved(ReplicationOutcome outcome) {
            return outcome.promises().made() == 0
                    ? Spread.UNKNOWN
                    : outcome.promises().broken().values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
        }

        private static double kept(ReplicationOutcome outcome) {
            long made = outcome.promises().made();
            return made == 0 ? Spread.UNKNOWN : (double) outcome.promises().kept() / made;
        }

        /** Returns the measure over all replications, or null if none of them has it. */
        @Nullable
        PolicyMeasure figure(List<ReplicationOutcome> outcomes) {
            List<Double> values = outcomes.stream()
                    .map(value::applyAsDouble)
                    .filter(known -> known != Spread.UNKNOWN)
                    .toList();
            return values.isEmpty()
                    ? null
                    : new PolicyMeasure(
                            metric, unit, StudentT.mean(values), halfWidth(values, outcomes), percentiles(outcomes));
        }

        private OptionalDouble halfWidth(List<Double> values, List<ReplicationOutcome> outcomes) {
            if (values.size() > 1 || spread == null) {
                return StudentT.halfWidth(values);
            }
            double within = spread.apply(outcomes.getFirst()).halfWidth();
            return within == Spread.UNKNOWN ? OptionalDouble.empty() : OptionalDouble.of(within / scale);
        }

        private @Nullable Percentiles percentiles(List<ReplicationOutcome> outcomes) {
            if (spread == null) {
                return null;
            }
            List<Spread> spreads = outcomes.stream().map(spread).toList();
            Histogram all = Distribution.together(spreads);
            long most = spreads.stream().mapToLong(Spread::most).max().orElse(0);
            return new Percentiles(
                    Math.min(most, all.getValueAtPercentile(50)) / scale,
                    Math.min(most, all.getValueAtPercentile(90)) / scale,
                    Math.min(most, all.getValueAtPercentile(99)) / scale,
                    most / scale);
        }
    }
}
