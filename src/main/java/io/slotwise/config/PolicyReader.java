package io.slotwise.config;

import static io.slotwise.config.KeyType.duration;
import static io.slotwise.config.KeyType.named;
import static io.slotwise.config.KeyType.whole;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimePredictor.Fallback;
import io.slotwise.core.time.Durations;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.NodeTariff;
import io.slotwise.live.settings.TimeValues;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts the values of a policy to settings. The types of keys are defined here, their meanings and defaults in the
 * policy {@code default.yaml}.
 */
record PolicyReader(PolicyValues values) {
    private static final KeyType<Long> TIME = duration(0, Durations.LONGEST);
    private static final KeyType<Long> POSITIVE_TIME = duration(1, Durations.LONGEST);
    private static final KeyType<Integer> MANY = whole(0, 1_000_000);
    private static final KeyType<Integer> NODES = whole(0, 100_000);
    private static final long LONGEST_HORIZON = 366 * 24 * 3600L;
    private static final long MOST_VISITS = 1_000_000_000_000L;

    /** The criteria that a policy may set as a default. Preferences need values that only the gang itself can state. */
    private static final Criterion[] CRITERIA = Arrays.stream(Criterion.values())
            .filter(criterion -> criterion != Criterion.PREFERENCE)
            .toArray(Criterion[]::new);

    private static final String NONE = "none";

    LoopSettings settings() {
        KeyType<LoopSettings.Overrun> type = named(LoopSettings.Overrun.values());
        return new LoopSettings(
                policy(),
                values.get("planner.cycle", POSITIVE_TIME),
                values.get("planner.collect", TIME),
                values.get("gangs.runtime.default", POSITIVE_TIME),
                values.get("running.overrun.then", type),
                values.get("running.overrun.grace", POSITIVE_TIME),
                values.get(
                        "running.start-timeout",
                        POSITIVE_TIME.inTheChart("{\"type\":\"string\",\"pattern\":\"^([1-9]|1[0-9]|2[0-5])s$\"}")),
                values.get("running.member-loss", named(LoopSettings.MemberLoss.values())),
                values.get("records.reservation-ttl", duration(LoopSettings.LEAST_RECORD_TTL, Durations.LONGEST)),
                values.get("records.holds.grace", TIME),
                values.get("records.holds.seats", MANY),
                values.get("gangs.criterion", KeyType.choice(CRITERIA, Criterion::key)),
                values.get("planner.search-time", KeyType.FRACTION),
                new RuntimePredictor(
                        values.get("gangs.runtime.quantile", KeyType.POSITIVE_FRACTION),
                        values.get("gangs.runtime.history", whole(0, RunHistory.MOST_RUNS)),
                        values.get("gangs.runtime.fallback", KeyType.choice(Fallback.values(), Fallback::key))),
                values.get("money.currency", KeyType.CURRENCY),
                timeValues("gangs.value-of-time"),
                values.get("running.overrun.unpaid", type),
                timeValues("gangs.value-of-time.limit"),
                values.mappings("money.tariffs", KeyType.TARIFFS).stream()
                        .map(this::tariff)
                        .toList(),
                topology());
    }

    /** Returns the trees of levels: the one without a name first. */
    private TopologyLevels topology() {
        List<String> levels = values.list("gangs.topology.levels", KeyType.LEVELS, KeyType.LEVEL);
        List<List<String>> trees = Stream.concat(
                        Stream.of(levels),
                        values.lists("gangs.topology.trees", KeyType.LEVELS, KeyType.LEVEL).values().stream())
                .filter(tree -> !tree.isEmpty())
                .toList();
        Patience patience = values.get("gangs.topology.patience", KeyType.PATIENCE);
        try {
            return new TopologyLevels(trees, patience);
        } catch (IllegalArgumentException e) {
            throw values.invalid("gangs.topology", String.valueOf(e.getMessage()));
        }
    }

    /** Returns the values of an hour: the default, and those by PriorityClass and by namespace. */
    private TimeValues timeValues(String key) {
        return new TimeValues(
                values.get(key + ".default", KeyType.HOUR),
                values.map(key + ".priority-classes", KeyType.HOUR),
                values.map(key + ".namespaces", KeyType.HOUR));
    }

    private NodeTariff tariff(String item) {
        List<Requirement> nodes = values.optional(item + ".nodes", KeyType.SELECTOR);
        String calendar = values.optional(item + ".calendar", KeyType.CALENDAR);
        if (nodes == null || calendar == null) {
            throw values.invalid(
                    item, "expected both nodes, a label selector such as pool=batch, and calendar, a price calendar");
        }
        return new NodeTariff(nodes, calendar);
    }

    private Policy policy() {
        Policy.Replan replan = values.get("promises.replan", named(Policy.Replan.values()));
        PromiseSlack slack = new PromiseSlack(
                values.get("promises.slack.wait", KeyType.PART),
                values.get("promises.slack.runtime", KeyType.PART),
                values.get("promises.slack.at-least", duration(0, PromiseSlack.MOST_SECONDS)),
                values.get("promises.slack.cost", KeyType.PART),
                values.get("promises.slack.dearer", KeyType.PART));
        return new Policy(
                values.get("planner.horizon", duration(1, LONGEST_HORIZON)),
                batch(),
                values.get("study.backfill", named(Policy.Backfill.values())),
                queue(),
                values.get("money.charge", named(Policy.Charge.values())),
                values.get("running.turnover", TIME),
                replan,
                values.get("promises.improve.gain", KeyType.FRACTION),
                values.get("promises.improve.limit", MANY),
                replan == Policy.Replan.IMPROVE ? slack : PromiseSlack.NONE,
                values.get("batch.max-value.expected-use", KeyType.POSITIVE_FRACTION),
                values.get("batch.max-value.least-saving", KeyType.TIMES),
                online(),
                new MigrationPolicy(
                        values.get("running.migration.reach", KeyType.choice(Reach.values(), Reach::key)),
                        values.get("running.migration.limit", MANY),
                        values.get("running.min-run", TIME),
                        values.get("running.migration.overhead", TIME)),
                values.get("queue.preemption", KeyType.choice(Policy.Preempting.values(), Policy.Preempting::key)),
                provisioning());
    }

    private Policy.Batch batch() {
        return new Policy.Batch(
                values.get("batch.objective", KeyType.choice(Objective.values(), Objective::key)),
                limit(),
                values.get("batch.alternatives", whole(1, 10_000)),
                values.get("study.search-limit", KeyType.large(MOST_VISITS)),
                values.get("study.window-search", KeyType.choice(Policy.Searching.values(), Policy.Searching::key)),
                new Policy.Split(
                        values.get("study.sub-batches", whole(1, 1_000_000)),
                        values.get("study.cyclic-fraction", KeyType.FRACTION),
                        values.get("study.cyclic-choice", named(Policy.Split.Choice.values()))),
                values.get("study.shift", KeyType.FLAG),
                new Policy.Anticipating(
                        values.get("study.anticipation", orNone(Form.values(), Form::key)),
                        values.set("study.anticipation-criteria", CRITERIA, Criterion::key)));
    }

    /** Returns the limit on the batch. Only one measure may be limited. */
    private Limit limit() {
        Map<String, Limit> stated = new LinkedHashMap<>();
        limit(stated, "batch.limit.cost", Limit.Measure.COST, KeyType.COST);
        limit(stated, "batch.limit.processor-time", Limit.Measure.PROCESSOR_TIME, KeyType.PROCESSOR_TIME);
        limit(stated, "batch.limit.average-utility", Limit.Measure.AVERAGE_UTILITY, KeyType.PERCENT);
        if (stated.size() > 1) {
            List<String> keys = List.copyOf(stated.keySet());
            String first = keys.getFirst();
            throw values.invalid(
                    keys.getLast(),
                    "expected one limit, and there is one on " + first.substring(first.lastIndexOf('.') + 1));
        }
        return stated.isEmpty() ? Limit.NONE : stated.values().iterator().next();
    }

    private void limit(Map<String, Limit> stated, String key, Limit.Measure measure, KeyType<OptionalLong> type) {
        OptionalLong figure = values.optional(key, type);
        if (figure != null) {
            stated.put(key, new Limit(measure, figure));
        }
    }

    private Policy.Queue queue() {
        Order order = values.get("queue.order", named(orders(false)));
        Order paperOrder = values.get("study.order", orNone(orders(true), KeyType::key));
        return new Policy.Queue(
                paperOrder == null ? order : paperOrder,
                values.get("queue.aging", POSITIVE_TIME),
                values.get("queue.passing-limit", MANY),
                new HalfLife(values.get("queue.half-life", POSITIVE_TIME)),
                values.get("queue.fair-by", named(Policy.FairBy.values())));
    }

    private static Order[] orders(boolean ofPapers) {
        List<Order> papers = List.of(Order.AFCFS, Order.LGFS);
        return Arrays.stream(Order.values())
                .filter(order -> papers.contains(order) == ofPapers)
                .toArray(Order[]::new);
    }

    private Policy.Online online() {
        double time = values.get("study.weights.time", KeyType.WEIGHT);
        double cost = values.get("study.weights.cost", KeyType.WEIGHT);
        double fragmentation = values.get("study.weights.fragmentation", KeyType.WEIGHT);
        CriterionWeights weights;
        try {
            weights = new CriterionWeights(time, cost, fragmentation);
        } catch (IllegalArgumentException e) {
            throw values.invalid(
                    "study.weights",
                    "expected a sum of 1, not that of time %s, cost %s and fragmentation %s"
                            .formatted(time, cost, fragmentation));
        }
        return new Policy.Online(
                values.get("study.mode", KeyType.choice(Manner.values(), Manner::key)),
                weights,
                values.get("running.migration.domain-key", KeyType.LABEL));
    }

    private Provisioning provisioning() {
        return new Provisioning(
                values.get("buying.mode", KeyType.choice(Provisioning.Mode.values(), Provisioning.Mode::key)),
                values.get("buying.max-nodes", NODES),
                values.get("buying.max-spend", KeyType.SPENDING),
                values.get("buying.max-spend-namespace", KeyType.SPENDING),
                values.get("buying.spot-risk", KeyType.RISK),
                values.get("buying.keep-idle", duration(0, Billing.LONGEST)));
    }

    /** Returns a type whose values are these choices and {@code none}, which is read as null. */
    private static <T extends Enum<T>> KeyType<@Nullable T> orNone(T[] choices, Function<T, String> key) {
        return KeyType.choice(
                        Stream.concat(Stream.of(NONE), Arrays.stream(choices).map(key))
                                .toArray(String[]::new),
                        name -> name)
                .map(name -> Arrays.stream(choices)
                        .filter(choice -> key.apply(choice).equals(name))
                        .findFirst()
                        .orElse(null));
    }
}
