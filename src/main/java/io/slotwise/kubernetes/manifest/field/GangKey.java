package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.gang.Provision;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.crd.v1alpha1.HoldSpec;
import io.slotwise.kubernetes.gangs.GangSize;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A key under which the owner of a gang states a property. This is the one table of the keys: the values of each, and
 * what it sets.
 *
 * <p>All readers and writers use it. {@code AnnotatedGang} reads the values from pods, advance reservations and
 * questions; {@code ManifestWriter} writes them. The fields of {@code spec.hold}, of {@code /api/v1/quote} and of
 * {@code /api/v1/reservation-manifest} and the options of {@code slotwise quote} and {@code slotwise reserve} are made
 * from it. A key that alone sets a field of {@link Demand} has a {@code sets}, and needs nothing else to be read.
 * {@code AnnotatedGang} combines the other keys.
 *
 * @param <T> the type of the parsed value
 */
public final class GangKey<T> {
    public static final GangKey<Integer> SIZE = new GangKey<>(
                    AnnotationKeys.GANG_SIZE, text -> AnnotationReader.number(text, GangSize.LARGEST))
            .held("size", HoldSpec::size);

    public static final GangKey<Long> RUNTIME = new GangKey<>(AnnotationKeys.RUNTIME, Durations::parsePositive)
            .held("runtime", HoldSpec::runtime)
            .asked("The runtime of a pod on a node of performance 1, such as 1h30m.")
            .reserved(
                    "DURATION",
                    "The runtime, such as 1h30m: on every node with --start, otherwise on a node of performance 1.");

    public static final GangKey<Money> BUDGET = new GangKey<>(AnnotationKeys.BUDGET, Money::parse)
            .says(demand -> GangWords.brief(demand.budget().total()))
            .held("budget", HoldSpec::budget)
            .asked("The maximum cost of the whole gang.")
            .reserved("AMOUNT", "The maximum cost.");

    public static final GangKey<Money> MAX_PRICE = new GangKey<>(AnnotationKeys.MAX_PRICE, Money::parse)
            .says(demand -> GangWords.brief(demand.budget().slotPrice()))
            .asked("The maximum price per hour and pod.");

    public static final GangKey<Boolean> PRICE_LIMIT = new GangKey<>(AnnotationKeys.PRICE_LIMIT, GangWords::isPerSlot)
            .says(demand -> demand.budget().slotPrice() == null ? null : "slot")
            .asked("What max-price limits: total or slot.");

    public static final GangKey<Criterion> CRITERION = new GangKey<>(AnnotationKeys.CRITERION, GangWords::criterion)
            .says(demand -> demand.criterion().key())
            .held("criterion", HoldSpec::criterion)
            .asked(GangWords.criteria())
            .reserved("VALUE", GangWords.criteria());

    public static final GangKey<ValueOfTime> VALUE_OF_TIME = new GangKey<>(
                    AnnotationKeys.VALUE_OF_TIME, GangWords::valueOfTime)
            .says(demand -> GangWords.spelled(demand.valueOfTime()))
            .asked("The value of ending the gang an hour earlier, such as 2.50 or 2.50 until 2030-01-01T18:00:00Z.");

    static final GangKey<Preferred<Long>> PREFERRED_START = new GangKey<>(
                    AnnotationKeys.PREFERRED_START, text -> GangWords.preferred(text, Intervals::parseUp))
            .sets((demand, preferred) ->
                    demand.withPreferences(demand.preferences().withPreferredStart(preferred)))
            .says(demand -> GangWords.spelled(demand.preferences().preferredStart(), GangWords::instant))
            .held("preferredStart", HoldSpec::preferredStart)
            .asked("The preferred start (RFC 3339), and its weight: 2030-01-01T14:00:00Z weight 2.")
            .reserved("INSTANT", "The preferred start (RFC 3339), and its weight: 2030-01-01T14:00:00Z weight 2.");

    static final GangKey<Preferred<Long>> PREFERRED_FINISH = new GangKey<>(
                    AnnotationKeys.PREFERRED_FINISH, text -> GangWords.preferred(text, Intervals::parseDown))
            .sets((demand, preferred) ->
                    demand.withPreferences(demand.preferences().withPreferredFinish(preferred)))
            .says(demand -> GangWords.spelled(demand.preferences().preferredFinish(), GangWords::instant))
            .held("preferredFinish", HoldSpec::preferredFinish)
            .asked("The preferred latest end (RFC 3339), and its weight.")
            .reserved("INSTANT", "The preferred latest end (RFC 3339), and its weight.");

    static final GangKey<Preferred<Money>> PREFERRED_COST = new GangKey<>(
                    AnnotationKeys.PREFERRED_COST, text -> GangWords.preferred(text, GangWords::positive))
            .sets((demand, preferred) ->
                    demand.withPreferences(demand.preferences().withPreferredCost(preferred)))
            .says(demand -> GangWords.spelled(demand.preferences().preferredCost(), Money::brief))
            .held("preferredCost", HoldSpec::preferredCost)
            .asked("The preferred maximum cost of the whole gang, and its weight: 5 weight 2.")
            .reserved("AMOUNT", "The preferred maximum cost, and its weight: 5 weight 2.");

    public static final GangKey<Long> EARLIEST_START = new GangKey<>(AnnotationKeys.EARLIEST_START, Intervals::parseUp)
            .says(demand -> demand.earliestStart() == Long.MIN_VALUE ? null : GangWords.instant(demand.earliestStart()))
            .held("earliest", HoldSpec::earliest)
            .heldInWindow("start", HoldSpec.Span::start)
            .asked("The earliest start (RFC 3339).")
            .reserved("INSTANT", "The earliest start (RFC 3339).");

    public static final GangKey<Long> DEADLINE = new GangKey<>(AnnotationKeys.DEADLINE, Intervals::parseDown)
            .says(demand -> demand.deadline() == Interval.FOREVER ? null : GangWords.instant(demand.deadline()))
            .held("deadline", HoldSpec::deadline)
            .heldInWindow("end", HoldSpec.Span::end)
            .asked("The latest end (RFC 3339).")
            .reserved("INSTANT", "The latest end (RFC 3339).");

    public static final GangKey<Predecessors> AFTER = new GangKey<>(AnnotationKeys.AFTER, Predecessors::parse)
            .says(demand -> demand.after().isNone() ? null : GangWords.words(demand.after()))
            .asked("The gangs after whose end it starts: GANG or NAMESPACE/GANG, separated by commas.");

    public static final GangKey<Long> AFTER_TRANSFER = new GangKey<>(AnnotationKeys.AFTER_TRANSFER, GangWords::bytes)
            .says(demand -> demand.after().transferBytes() == 0
                    ? null
                    : Long.toString(demand.after().transferBytes()))
            .asked("The bytes to move to its domain once those have ended, such as 10Gi.");

    public static final GangKey<String> TOPOLOGY = new GangKey<>(AnnotationKeys.TOPOLOGY, GangWords::labelKey)
            .says(demand -> DistanceCost.isOf(demand.topology())
                    ? null
                    : demand.topology().key())
            .held("topology", HoldSpec::topology)
            .asked("The key of a node label: all pods run on nodes with the same value of it.")
            .reserved("KEY", "The key of a node label: all seats are on nodes with the same value of it.");

    public static final GangKey<String> TOPOLOGY_PREFERRED = new GangKey<>(
                    AnnotationKeys.TOPOLOGY_PREFERRED, GangWords::labelKey)
            .says(demand -> GangWords.preferred(demand.topology()))
            .asked("The key of a node label: the pods run on nodes with the same value, if that delays them little.");

    public static final GangKey<Patience> TOPOLOGY_PATIENCE = new GangKey<>(
                    AnnotationKeys.TOPOLOGY_PATIENCE, Patience::parse)
            .says(demand -> demand.topology().patience() == null
                    ? null
                    : Durations.brief(demand.topology().patience()))
            .asked("The longest delay for a narrower level, such as 20m or 50% of the runtime.");

    public static final GangKey<List<DistanceCost>> DISTANCE_COST = new GangKey<>(
                    AnnotationKeys.DISTANCE_COST, DistanceCost::parse)
            .says(demand -> DistanceCost.spelled(demand.topology()))
            .asked("The factor of the runtime by the level of the pods, such as rack=1, block=1.15, cluster=1.6.");

    public static final GangKey<List<SliceSize>> TOPOLOGY_SLICE = new GangKey<>(
                    AnnotationKeys.TOPOLOGY_SLICE, SliceSize::parse)
            .says(demand -> SliceSize.spelled(demand.topology()))
            .asked("The levels in one domain of which each part of the gang runs, with its pods, such as rack/16.");

    static final GangKey<Integer> MAX_PER_NODE = new GangKey<>(
                    AnnotationKeys.MAX_PER_NODE, text -> AnnotationReader.number(text, Integer.MAX_VALUE))
            .sets(Demand::withMaxPerNode)
            .says(demand -> demand.maxPerNode() == Integer.MAX_VALUE ? null : Integer.toString(demand.maxPerNode()))
            .held("maxPerNode", HoldSpec::maxPerNode, GangWords::anyNumber)
            .asked("The maximum number of pods on one node.")
            .reserved("N", "The maximum number of seats on one node.");

    static final GangKey<Boolean> LOCKSTEP = new GangKey<>(AnnotationKeys.LOCKSTEP, GangWords::trueOrFalse)
            .sets(Demand::withLockstep)
            .says(demand -> demand.lockstep() ? "true" : null)
            .held("lockstep", HoldSpec::lockstep, GangWords::trueOrFalse)
            .asked("true: every pod stays until the slowest ends.")
            .reserved("VALUE", "true: every seat is kept until the slowest ends.");

    public static final GangKey<Provision> PROVISION = new GangKey<>(AnnotationKeys.PROVISION, GangWords::provision)
            .sets(Demand::withProvision)
            .says(demand -> demand.provision() == Provision.ALLOWED
                    ? null
                    : demand.provision().key());

    public static final GangKey<Manner> MODE = new GangKey<>(AnnotationKeys.MODE, GangWords::manner);
    public static final GangKey<Long> DATA_SIZE = new GangKey<>(AnnotationKeys.DATA_SIZE, GangWords::bytes);
    public static final GangKey<OptionalDouble> TIME_WEIGHT =
            new GangKey<>(AnnotationKeys.TIME_WEIGHT, GangWords::weight);
    public static final GangKey<OptionalDouble> COST_WEIGHT =
            new GangKey<>(AnnotationKeys.COST_WEIGHT, GangWords::weight);
    static final GangKey<Boolean> MIGRATABLE = new GangKey<>(AnnotationKeys.MIGRATABLE, GangWords::trueOrFalse)
            .sets(Demand::keepingWork)
            .says(demand -> demand.migratable() ? "true" : null);
    public static final GangKey<String> QUEUE = new GangKey<>(AnnotationKeys.QUEUE, GangWords::queueName)
            .sets(Demand::withQueue)
            .says(Demand::queue)
            .asked("Another queue for the gang. A gang that is only described is by default in none.");
    static final GangKey<Boolean> PREEMPTIBLE = new GangKey<>(AnnotationKeys.PREEMPTIBLE, GangWords::trueOrFalse)
            .sets(Demand::withPreemptible)
            .says(demand -> demand.preemptible() ? "true" : null);
    public static final GangKey<String> RESERVATION = new GangKey<>(AnnotationKeys.RESERVATION, GangWords::objectName);

    /** All keys, in the order in which they are read and shown. */
    public static final List<GangKey<?>> ALL = List.of(
            SIZE,
            RUNTIME,
            BUDGET,
            MAX_PRICE,
            PRICE_LIMIT,
            CRITERION,
            VALUE_OF_TIME,
            PREFERRED_START,
            PREFERRED_FINISH,
            PREFERRED_COST,
            EARLIEST_START,
            DEADLINE,
            AFTER,
            AFTER_TRANSFER,
            TOPOLOGY,
            TOPOLOGY_PREFERRED,
            TOPOLOGY_PATIENCE,
            DISTANCE_COST,
            TOPOLOGY_SLICE,
            MAX_PER_NODE,
            LOCKSTEP,
            MODE,
            DATA_SIZE,
            TIME_WEIGHT,
            COST_WEIGHT,
            MIGRATABLE,
            RESERVATION,
            QUEUE,
            PREEMPTIBLE,
            PROVISION);

    private final String key;
    private final Function<String, T> parser;
    private @Nullable BiFunction<Demand, T, Demand> sets;
    private Function<Demand, @Nullable String> says = _ -> null;
    private @Nullable Held held;
    private @Nullable Bound bound;
    private @Nullable String question;
    private @Nullable Option option;

    /** The field of an advance reservation for the key. */
    private record Held(
            String field, Function<HoldSpec, @Nullable Object> value, Function<String, ? extends Object> written) {}

    /** The field of {@code spec.hold.window} for the key, in an advance reservation with a fixed window. */
    private record Bound(String field, Function<HoldSpec.Span, @Nullable String> value) {}

    /**
     * An option of {@code slotwise reserve}.
     *
     * @param label the placeholder for its value in the help
     * @param description one sentence
     */
    public record Option(String label, String description) {}

    private GangKey(String key, Function<String, T> parser) {
        this.key = key;
        this.parser = parser;
    }

    private GangKey<T> sets(BiFunction<Demand, T, Demand> field) {
        sets = field;
        return this;
    }

    private GangKey<T> says(Function<Demand, @Nullable String> word) {
        says = word;
        return this;
    }

    private GangKey<T> held(String field, Function<HoldSpec, @Nullable Object> value) {
        return held(field, value, Function.identity());
    }

    private GangKey<T> held(
            String field, Function<HoldSpec, @Nullable Object> value, Function<String, ? extends Object> written) {
        held = new Held(field, value, written);
        return this;
    }

    private GangKey<T> heldInWindow(String field, Function<HoldSpec.Span, @Nullable String> value) {
        bound = new Bound(field, value);
        return this;
    }

    private GangKey<T> asked(String description) {
        question = description;
        return this;
    }

    private GangKey<T> reserved(String label, String description) {
        option = new Option(label, description);
        return this;
    }

    public String key() {
        return key;
    }

    /** Returns the key without Slotwise's prefix, as questions and options use it. */
    public String word() {
        return key.substring(AnnotationKeys.PREFIX.length());
    }

    /** Returns one sentence about the key in a question for a quote. Null if a question has no such field. */
    public @Nullable String question() {
        return question;
    }

    /** Returns the option of {@code slotwise reserve}, or null. */
    public @Nullable Option option() {
        return option;
    }

    /** Returns the keys of questions for a quote. */
    public static Stream<GangKey<?>> asked() {
        return ALL.stream().filter(key -> key.question != null);
    }

    /** Returns the keys of advance reservations. */
    public static Stream<GangKey<?>> reserved() {
        return ALL.stream().filter(key -> key.option != null);
    }

    /**
     * Parses the text of this key.
     *
     * @throws IllegalArgumentException with a message that says what was expected
     */
    public T parse(String text) {
        return parser.apply(text);
    }

    /**
     * Returns the demand with the value stated under this key, if the key alone sets a field. A value that cannot be
     * read becomes a problem.
     */
    public Demand set(Demand demand, AnnotationReader annotations) {
        if (sets == null) {
            return demand;
        }
        T value = annotations.readOrNull(this);
        return value == null ? demand : sets.apply(demand, value);
    }

    /** Returns the text for the value in a demand, or null if none is needed. */
    @Nullable
    public String textOf(Demand demand) {
        return says.apply(demand);
    }

    /** Returns the text for the value in an advance reservation, or null. */
    @Nullable
    public String textOf(HoldSpec hold) {
        HoldSpec.Span span = hold.window();
        Object value =
                bound != null && span != null ? bound.value.apply(span) : held == null ? null : held.value.apply(hold);
        return value == null ? null : value.toString();
    }

    /** Returns the field of an advance reservation for the key, with its path. */
    public String field(HoldSpec hold) {
        return bound != null && hold.window() != null
                ? "spec.hold.window." + bound.field
                : held == null ? key : "spec.hold." + held.field;
    }

    /** Returns the field of {@code spec.hold} without its path. */
    public String heldAs() {
        return Objects.requireNonNull(held, key).field;
    }

    /**
     * Returns the field's value for a text.
     *
     * @throws IllegalArgumentException if the manifest cannot have it; the message says what was expected
     */
    public Object written(String text) {
        return Objects.requireNonNull(held, key).written.apply(text);
    }

    @Override
    public String toString() {
        return key;
    }
}
