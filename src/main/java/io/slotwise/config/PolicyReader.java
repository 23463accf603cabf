package io.slotwise.config;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.money.PlainDigits;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.Headroom;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Spending;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimePredictor.Fallback;
import io.slotwise.core.text.Suggestion;
import io.slotwise.core.time.Durations;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.prices.PriceCalendar;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.settings.NodeTariff;
import io.slotwise.live.settings.TimeValues;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes settings of the values of a policy: every key is asked for once, and a key that no caller asked for is unknown.
 */
final class PolicyReader {
    /** The criteria that need nothing that a gang alone can say. */
    private static final Criterion[] WITHOUT_PREFERENCES = Arrays.stream(Criterion.values())
            .filter(criterion -> criterion != Criterion.PREFERENCE)
            .toArray(Criterion[]::new);

    private static final String NO_CURRENCY = "none";
    private static final String NO_LIMIT = "none";
    private static final int MOST_NODES = 100_000;
    private static final long LONGEST_HORIZON = 366 * 24 * 3600L;
    private static final int MOST_ALTERNATIVES = 10_000;
    private static final long MOST_SEATS = 1_000_000;
    private static final int MOST_GANGS = 1_000_000;
    private static final long MOST_VISITS = 1_000_000_000_000L;
    private static final int MOST_PASSING = 1_000_000;
    private static final int MOST_SUB_BATCHES = 1_000_000;
    private static final int MOST_MOVES = 1_000_000;
    private static final long MOST_PROCESSOR_SECONDS = Long.MAX_VALUE / 1000;

    private final NavigableMap<String, PolicyValue> values;
    private final Set<String> asked = new HashSet<>();

    PolicyReader(NavigableMap<String, PolicyValue> values) {
        this.values = values;
    }

    /** The settings. */
    LoopSettings settings() {
        LoopSettings usual = LoopSettings.DEFAULT;
        LoopSettings settings = new LoopSettings(
                policy(usual.policy()),
                duration("cycle", usual.cycle(), 1, Durations.LONGEST),
                duration("collect", usual.collect(), 0, Durations.LONGEST),
                duration("default-runtime", usual.defaultRuntime(), 1, Durations.LONGEST),
                choice("overrun", usual.overrun(), named(LoopSettings.Overrun.values())),
                duration("overrun-grace", usual.overrunGrace(), 1, Durations.LONGEST),
                duration("start-timeout", usual.startTimeout(), 1, Durations.LONGEST),
                choice("member-loss", usual.memberLoss(), named(LoopSettings.MemberLoss.values())),
                duration("reservation-ttl", usual.reservationTtl(), 0, Durations.LONGEST),
                duration("hold-grace", usual.holdGrace(), 0, Durations.LONGEST),
                read("reservation-seats", usual.reservationSeats(), text -> (int) number(text, 0, MOST_SEATS)),
                criterion(usual.defaultCriterion()),
                read("search-time", usual.searchTime(), text -> millionths(text, 1)),
                prediction(usual.runtimePrediction()),
                read("currency", usual.currency(), PolicyReader::currency),
                timeValues("value-of-time", usual.timeValues()),
                choice("overrun-unpaid", usual.unpaid(), named(LoopSettings.Overrun.values())),
                timeValues("value-of-time-limit", usual.timeLimits()),
                tariffs());
        for (Map.Entry<String, PolicyValue> entry : values.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                List<String> known = asked.stream().sorted().toList();
                throw new InvalidInput("%s: `%s` (%s) is not known%s one of %s"
                        .formatted(
                                entry.getValue().place(),
                                entry.getKey(),
                                entry.getValue().text(),
                                Suggestion.nearestKey(entry.getKey(), known)
                                        .map("; did you mean `%s`? Expected"::formatted)
                                        .orElse(": expected"),
                                String.join(", ", known)));
            }
        }
        return settings;
    }

    /** Prices of the nodes that selectors select, in the order in which they count. */
    private List<NodeTariff> tariffs() {
        PolicyValue whole = value("tariffs");
        if (whole != null
                && (whole.form() != PolicyValue.Form.SEQUENCE || !whole.items().isEmpty())) {
            throw invalid("tariffs", whole, "expected a list of mappings with nodes and calendar");
        }
        List<NodeTariff> tariffs = new ArrayList<>();
        for (String place = "tariffs[0]"; values.containsKey(place); place = "tariffs[%d]".formatted(tariffs.size())) {
            PolicyValue tariff = Objects.requireNonNull(value(place));
            List<Requirement> nodes = read(place + ".nodes", null, LabelSelectors::parse);
            String calendar = read(place + ".calendar", null, PolicyReader::calendar);
            if (nodes == null || calendar == null) {
                throw invalid(
                        place,
                        tariff,
                        "expected both nodes, a label selector such as pool=batch, and calendar, a price calendar");
            }
            tariffs.add(new NodeTariff(nodes, calendar));
        }
        return tariffs;
    }

    private static String calendar(String text) {
        PriceCalendar.parse(text);
        return text;
    }

    /** Values of an hour: the default, and by PriorityClass and namespace. */
    private TimeValues timeValues(String key, TimeValues usual) {
        PolicyValue whole = value(key);
        if (whole != null
                && whole.form() != PolicyValue.Form.MAPPING
                && !whole.text().equals("{}")) {
            throw invalid(key, whole, "expected a mapping with default, priority-classes and namespaces");
        }
        return new TimeValues(
                read(key + ".default", usual.usual(), ValueOfTime::parseHour),
                hours(key + ".priority-classes"),
                hours(key + ".namespaces"));
    }

    /** Values of an hour by the names below a key. */
    private Map<String, Money> hours(String key) {
        Map<String, Money> hours = new HashMap<>();
        eachBelow(
                key,
                "expected a mapping of names to currency units an hour",
                (name, full) -> hours.put(name, read(full, Money.ZERO, ValueOfTime::parseHour)));
        return hours;
    }

    /**
     * Goes through the names below a key.
     *
     * @param expected what is said where the key is no mapping
     * @param each is given a name and the whole key of its value
     */
    private void eachBelow(String key, String expected, BiConsumer<String, String> each) {
        PolicyValue whole = value(key);
        if (whole != null
                && whole.form() != PolicyValue.Form.MAPPING
                && !whole.text().equals("{}")) {
            throw invalid(key, whole, expected);
        }
        String prefix = key + ".";
        for (String full : values.tailMap(prefix, true).keySet()) {
            if (!full.startsWith(prefix)) {
                break;
            }
            each.accept(full.substring(prefix.length()), full);
        }
    }

    private static Currency currency(String text) {
        if (text.equals(NO_CURRENCY)) {
            return Currency.NONE;
        }
        if (!Currency.isOne(text)) {
            throw new IllegalArgumentException("expected %s, or up to 8 letters such as EUR".formatted(NO_CURRENCY));
        }
        return new Currency(text);
    }

    private RuntimePredictor prediction(RuntimePredictor usual) {
        PolicyValue whole = value("runtime-prediction");
        if (whole != null && whole.form() != PolicyValue.Form.MAPPING) {
            throw invalid("runtime-prediction", whole, "expected a mapping with quantile, history and fallback");
        }
        return new RuntimePredictor(
                read("runtime-prediction.quantile", usual.quantile(), PolicyReader::positivePart),
                read("runtime-prediction.history", usual.history(), text ->
                        (int) number(text, 0, RunHistory.MOST_RUNS)),
                choice("runtime-prediction.fallback", usual.fallback(), by(Fallback.values(), Fallback::key)));
    }

    private static int positivePart(String text) {
        int part = millionths(text, 1);
        if (part == 0) {
            throw new IllegalArgumentException("expected a number above 0 and up to 1");
        }
        return part;
    }

    private Policy policy(Policy usual) {
        Policy.Replan replan = choice("replan", usual.replan(), named(Policy.Replan.values()));
        PromiseSlack slack = slack(usual.slack());
        return new Policy(
                duration("horizon", usual.horizon(), 1, LONGEST_HORIZON),
                batch(usual.batch()),
                choice("backfill", usual.backfill(), named(Policy.Backfill.values())),
                queue(usual.queue()),
                choice("charge", usual.charge(), named(Policy.Charge.values())),
                duration("turnover", usual.turnover(), 0, Durations.LONGEST),
                replan,
                read("replan-gain", usual.replanGain(), text -> millionths(text, 1)),
                read("improve-limit", usual.improveLimit(), text -> (int) number(text, 0, MOST_GANGS)),
                replan == Policy.Replan.IMPROVE ? slack : PromiseSlack.NONE,
                read("expected-use", usual.expectedUse(), PolicyReader::positivePart),
                read("least-saving", usual.leastSaving(), PolicyReader::times),
                online(usual.online()),
                mobility(usual.migration()),
                preemption(usual.preemption()),
                provisioning(usual.provisioning()));
    }

    /** Whether nodes are bought: a mapping. */
    private Provisioning provisioning(Provisioning usual) {
        PolicyValue whole = value("provisioning");
        if (whole != null
                && whole.form() != PolicyValue.Form.MAPPING
                && !whole.text().equals("{}")) {
            throw invalid(
                    "provisioning",
                    whole,
                    "expected a mapping with mode, max-nodes, "
                            + "max-spend, spot-risk, headroom, headroom-time and keep-idle");
        }
        return new Provisioning(
                choice("provisioning.mode", usual.mode(), by(Provisioning.Mode.values(), Provisioning.Mode::key)),
                read("provisioning.max-nodes", usual.maxNodes(), text -> (int) number(text, 0, MOST_NODES)),
                read("provisioning.max-spend", usual.maxSpend(), PolicyReader::spending),
                read("provisioning.spot-risk", usual.spotRisk(), PolicyReader::risk),
                new Headroom(
                        headroom(),
                        duration("provisioning.headroom-time", usual.headroom().time(), 1, Billing.LONGEST)),
                duration("provisioning.keep-idle", usual.keepIdle(), 0, Billing.LONGEST));
    }

    /** How many nodes are bought ahead, by the names of their offers. */
    private SortedMap<String, Integer> headroom() {
        SortedMap<String, Integer> nodes = new TreeMap<>();
        eachBelow("provisioning.headroom", "expected a mapping of offers to numbers of nodes", (offer, key) -> {
            int count = read(key, 0, text -> (int) number(text, 0, MOST_NODES));
            if (count > 0) {
                nodes.put(offer, count);
            }
        });
        return nodes;
    }

    private static @Nullable Spending spending(String text) {
        if (text.equals(NO_LIMIT)) {
            return null;
        }
        Allotment most = Allotment.parse(text);
        return new Spending(most.amount(), most.period());
    }

    private static int risk(String text) {
        int risk = millionths(text, 1);
        if (risk > Provisioning.MOST_RISK) {
            throw new IllegalArgumentException("expected a number between 0 and 0.9");
        }
        return risk;
    }

    /**
     * How much later than expected a promised gang may start where promises are improved: 0, or a mapping; what that
     * does not say is as in the chart.
     */
    private PromiseSlack slack(PromiseSlack usual) {
        PolicyValue whole = value("promise-slack");
        if (whole != null
                && whole.form() != PolicyValue.Form.MAPPING
                && !whole.text().equals("0")
                && !whole.text().equals("{}")) {
            throw invalid(
                    "promise-slack", whole, "expected 0, or a mapping with wait, runtime, at-least, cost and dearer");
        }
        if (whole != null && whole.text().equals("0")) {
            return PromiseSlack.NONE;
        }
        boolean isStated = Stream.of("wait", "runtime", "at-least", "cost", "dearer")
                .anyMatch(part -> values.containsKey("promise-slack." + part));
        PromiseSlack stated = isStated ? PromiseSlack.DEFAULT : usual;
        return new PromiseSlack(
                read("promise-slack.wait", stated.ofWait(), PolicyReader::part),
                read("promise-slack.runtime", stated.ofRuntime(), PolicyReader::part),
                duration("promise-slack.at-least", stated.atLeast(), 0, PromiseSlack.MOST_SECONDS),
                read("promise-slack.cost", stated.ofCost(), PolicyReader::part),
                read("promise-slack.dearer", stated.dearer(), PolicyReader::part));
    }

    /** A part of ten times the whole at most, as millionths of the whole, rounded down. */
    private static int part(String text) {
        return floored(text, PromiseSlack.MOST_PART);
    }

    private static int times(String text) {
        return floored(text, Policy.MOST_SAVING);
    }

    /** A number as millionths of one, of which there are so many at most, rounded down. */
    private static int floored(String text, int millionths) {
        int most = millionths / Policy.Split.ALL;
        return decimal(text, 0, most)
                .multiply(BigDecimal.valueOf(Policy.Split.ALL))
                .setScale(0, RoundingMode.FLOOR)
                .intValueExact();
    }

    private MigrationPolicy mobility(MigrationPolicy usual) {
        return new MigrationPolicy(
                choice("migration", usual.reach(), by(Reach.values(), Reach::key)),
                read("migration-limit", usual.limit(), text -> (int) number(text, 0, MOST_MOVES)),
                duration("min-run", usual.minRun(), 0, Durations.LONGEST),
                duration("migration-overhead", usual.overhead(), 0, Durations.LONGEST));
    }

    private Policy.Preempting preemption(Policy.Preempting usual) {
        return choice("preemption", usual, by(Policy.Preempting.values(), Policy.Preempting::key));
    }

    private Policy.Online online(Policy.Online usual) {
        CriterionWeights weights = usual.weights();
        PolicyValue whole = value("weights");
        if (whole != null && whole.form() != PolicyValue.Form.MAPPING) {
            throw invalid("weights", whole, "expected a mapping with time, cost and fragmentation");
        }
        double time = read("weights.time", weights.time(), PolicyReader::weight);
        double cost = read("weights.cost", weights.cost(), PolicyReader::weight);
        double fragmentation = read("weights.fragmentation", weights.fragmentation(), PolicyReader::weight);
        try {
            weights = new CriterionWeights(time, cost, fragmentation);
        } catch (IllegalArgumentException e) {
            PolicyValue value = Stream.of("weights.time", "weights.cost", "weights.fragmentation")
                    .map(values::get)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            throw new InvalidInput(
                    "%s: `weights` (time %s, cost %s, fragmentation %s) is not valid: expected a sum of 1"
                            .formatted(value.place(), time, cost, fragmentation));
        }
        return new Policy.Online(
                choice("mode", usual.manner(), by(Manner.values(), Manner::key)),
                weights,
                read("domain-key", usual.domainKey(), PolicyReader::labelKey));
    }

    private static String labelKey(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("expected a node label's key");
        }
        return text;
    }

    private static double weight(String text) {
        return decimal(text, 0, 1).doubleValue();
    }

    private Policy.Anticipating anticipating(Policy.Anticipating usual) {
        Map<String, Optional<Form>> forms = new LinkedHashMap<>();
        forms.put("none", Optional.empty());
        Arrays.stream(Form.values()).forEach(form -> forms.put(form.key(), Optional.of(form)));
        Optional<Form> form = choice("anticipation", Optional.ofNullable(usual.form()), forms);
        PolicyValue value = value("anticipation-criteria");
        if (value == null) {
            return new Policy.Anticipating(form.orElse(null), usual.criteria());
        }
        Map<String, Criterion> known = by(WITHOUT_PREFERENCES, Criterion::key);
        if (value.form() != PolicyValue.Form.SEQUENCE
                || value.items().isEmpty()
                || !known.keySet().containsAll(value.items())) {
            throw invalid("anticipation-criteria", value, "expected a list of " + String.join(", ", known.keySet()));
        }
        Set<Criterion> criteria = new HashSet<>();
        value.items().forEach(item -> criteria.add(Objects.requireNonNull(known.get(item))));
        return new Policy.Anticipating(form.orElse(null), criteria);
    }

    private Policy.Batch batch(Policy.Batch usual) {
        return new Policy.Batch(
                choice("objective", usual.objective(), by(Objective.values(), Objective::key)),
                limit(),
                read("alternatives", usual.alternatives(), text -> (int) number(text, 1, MOST_ALTERNATIVES)),
                read("search-limit", usual.searchLimit(), text -> number(text, 0, MOST_VISITS)),
                choice("window-search", usual.searching(), by(Policy.Searching.values(), Policy.Searching::key)),
                split(usual.split()),
                read("shift", usual.shift(), PolicyReader::trueOrFalse),
                anticipating(usual.anticipating()));
    }

    private Policy.Split split(Policy.Split usual) {
        return new Policy.Split(
                read("sub-batches", usual.subBatches(), text -> (int) number(text, 1, MOST_SUB_BATCHES)),
                read("cyclic-fraction", usual.cyclicMillionths(), text -> millionths(text, 1)),
                choice("cyclic-choice", usual.choice(), named(Policy.Split.Choice.values())));
    }

    private Policy.Queue queue(Policy.Queue usual) {
        return new Policy.Queue(
                choice("queue", usual.order(), named(Policy.Order.values())),
                duration("aging", usual.aging(), 1, Durations.LONGEST),
                read("passing-limit", usual.passingLimit(), text -> (int) number(text, 0, MOST_PASSING)),
                new HalfLife(duration("fair-half-life", usual.halfLife().seconds(), 1, Durations.LONGEST)));
    }

    /** The limit on the batch: at most one measure. */
    private Limit limit() {
        asked.add("limit");
        PolicyValue whole = values.get("limit");
        if (whole != null
                && whole.form() != PolicyValue.Form.MAPPING
                && !whole.text().equals("{}")) {
            throw invalid(
                    "limit", whole, "expected a mapping with one of cost, processor-time and average-utility, or {}");
        }
        Limit limit = Limit.NONE;
        limit = limit(limit, Limit.Measure.COST, "cost", PolicyReader::costFigure);
        limit = limit(limit, Limit.Measure.PROCESSOR_TIME, "processor-time", PolicyReader::secondsFigure);
        return limit(limit, Limit.Measure.AVERAGE_UTILITY, "average-utility", PolicyReader::percentFigure);
    }

    private Limit limit(
            Limit before, Limit.Measure measure, String name, Function<String, @Nullable OptionalLong> parser) {
        String key = "limit." + name;
        @Nullable OptionalLong figure = read(key, null, parser);
        if (figure == null) {
            return before;
        }
        PolicyValue value = values.get(key);
        if (before.measure() != Limit.Measure.NOTHING && value != null) {
            String other = before.measure() == Limit.Measure.COST ? "cost" : "processor-time";
            throw invalid(key, value, "expected one limit, and there is one on " + other);
        }
        return new Limit(measure, figure);
    }

    /** The criterion of a gang that states none; both names of the key are known. */
    private Criterion criterion(Criterion usual) {
        String name = "criterion";
        String longName = "default-criterion";
        PolicyValue other = values.get(longName);
        if (other != null && values.containsKey(name)) {
            throw invalid(longName, other, "expected only one of %s and %s".formatted(name, longName));
        }
        return criterion(longName, criterion(name, usual));
    }

    private Criterion criterion(String key, Criterion usual) {
        return read(
                key,
                usual,
                text -> Arrays.stream(WITHOUT_PREFERENCES)
                        .filter(criterion -> criterion.key().equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("expected one of "
                                + String.join(
                                        ", ",
                                        by(WITHOUT_PREFERENCES, Criterion::key).keySet()))));
    }

    private <T> T choice(String key, T usual, Map<String, T> choices) {
        return read(key, usual, text -> {
            T chosen = choices.get(text);
            if (chosen == null) {
                throw new IllegalArgumentException("expected one of " + String.join(", ", choices.keySet()));
            }
            return chosen;
        });
    }

    private long duration(String key, long usual, long least, long most) {
        return read(key, usual, text -> {
            long seconds = Durations.parse(text);
            if (seconds < least || seconds > most) {
                throw new IllegalArgumentException("expected a duration between %s and %s"
                        .formatted(Durations.brief(least), Durations.brief(most)));
            }
            return seconds;
        });
    }

    private <T extends @Nullable Object> T read(String key, T usual, Function<String, T> parser) {
        PolicyValue value = value(key);
        if (value == null) {
            return usual;
        }
        if (value.form() != PolicyValue.Form.SCALAR) {
            throw invalid(key, value, "expected a plain value");
        }
        try {
            return parser.apply(value.text());
        } catch (IllegalArgumentException e) {
            throw invalid(key, value, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable PolicyValue value(String key) {
        asked.add(key);
        return values.get(key);
    }

    private static OptionalLong costFigure(String text) {
        return text.equals("auto")
                ? OptionalLong.empty()
                : OptionalLong.of(Cost.of(Money.parse(text)).microSecondsPerHour());
    }

    private static OptionalLong secondsFigure(String text) {
        if (text.equals("auto")) {
            return OptionalLong.empty();
        }
        boolean plain = !text.isEmpty() && text.chars().allMatch(Character::isDigit);
        return OptionalLong.of(plain ? number(text, 0, MOST_PROCESSOR_SECONDS) : Durations.parse(text));
    }

    /** Percent as millionths of the whole, rounded down so that the limit is never passed. */
    private static OptionalLong percentFigure(String text) {
        return text.equals("auto") ? OptionalLong.empty() : OptionalLong.of(millionths(text, 100));
    }

    /** A decimal between 0 and {@code whole} as millionths of the whole, rounded down. */
    private static int millionths(String text, int whole) {
        return decimal(text, 0, whole)
                .multiply(BigDecimal.valueOf(Policy.Split.ALL))
                .divide(BigDecimal.valueOf(whole), 0, RoundingMode.FLOOR)
                .intValueExact();
    }

    private static long number(String text, long least, long most) {
        try {
            long number = Long.parseLong(PlainDigits.of(text));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected(least, most), e);
        }
        throw new IllegalArgumentException(expected(least, most));
    }

    private static String expected(long least, long most) {
        return "expected a whole number between %d and %d".formatted(least, most);
    }

    private static BigDecimal decimal(String text, long least, long most) {
        String expected = "expected a number between %d and %d".formatted(least, most);
        try {
            BigDecimal number = new BigDecimal(PlainDigits.of(text));
            if (number.compareTo(BigDecimal.valueOf(least)) >= 0 && number.compareTo(BigDecimal.valueOf(most)) <= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expected, e);
        }
        throw new IllegalArgumentException(expected);
    }

    private static boolean trueOrFalse(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    /** Choices by their keys, in the order in which messages list them. */
    private static <T> Map<String, T> by(T[] choices, Function<T, String> key) {
        Map<String, T> byKey = new LinkedHashMap<>();
        Arrays.stream(choices).forEach(choice -> byKey.put(key.apply(choice), choice));
        return byKey;
    }

    /** Choices whose keys are their names. */
    private static <T extends Enum<T>> Map<String, T> named(T[] choices) {
        return by(choices, choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private static InvalidInput invalid(String key, PolicyValue value, String expected) {
        return new InvalidInput("%s: `%s` (%s) is not valid: %s".formatted(value.place(), key, value.text(), expected));
    }
}
