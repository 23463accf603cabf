package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.gangs.GangSize;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.MigrationHistory;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigInteger;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the pods of a gang say about it, in whatever pod they say it.
 *
 * @param whole how many pods must start together, and which
 * @param runtime seconds
 * @param nodeIndependent whether the runtime is the same on every node
 * @param statesRuntime whether a user states the runtime
 * @param demand what it asks for as a whole, in seconds since the epoch
 * @param reservation the advance reservation that it takes over; null: none
 */
@RecordBuilder
public record AnnotatedGang(
        GangSize.Together whole,
        long runtime,
        boolean nodeIndependent,
        boolean statesRuntime,
        Demand demand,
        PlacementRequest placing,
        @Nullable String reservation)
        implements AnnotatedGangBuilder.With {
    private static final int SECONDS_PER_HOUR = 3600;
    private static final GangSize.Together ONE = new GangSize.Together(1);
    private static final Money MOST_MONEY = new Money(1_000_000_000L * Money.MICROS_PER_UNIT);

    /** The terms, or what is wrong with them. */
    public sealed interface Reading {
        record Clear(AnnotatedGang terms) implements Reading {}

        record Unclear(ManifestFlaw flaw) implements Reading {}

        /** All could be read, and the pods are no gang: these are the terms of each of them. */
        record Apart(AnnotatedGang terms) implements Reading {}

        /**
         * All could be read but the size, for which an object is missing; the terms are those of the pods that are
         * there.
         */
        record Lacking(AnnotatedGang terms, Refusal.WaitingForGroup reason) implements Reading {}

        /** The same for a gang that was moved; null: it was not. */
        default Reading left(@Nullable MigrationHistory past) {
            return past == null ? this : with(terms -> terms.left(past));
        }

        private Reading with(UnaryOperator<AnnotatedGang> change) {
            return switch (this) {
                case Clear(AnnotatedGang terms) -> new Clear(change.apply(terms));
                case Apart(AnnotatedGang terms) -> new Apart(change.apply(terms));
                case Lacking(AnnotatedGang terms, Refusal.WaitingForGroup reason) ->
                    new Lacking(change.apply(terms), reason);
                case Unclear unclear -> unclear;
            };
        }

        /** The same for a single pod of the gang. */
        default Reading single() {
            return single(Money.ZERO);
        }

        /** The same for one that may spend so much at least. */
        default Reading single(Money least) {
            AnnotatedGang terms = known();
            return terms == null ? this : new Clear(terms.single(least));
        }

        /** The same for a pod that comes in place of one of a gang that has started: what that was after is over. */
        default Reading afterNone() {
            return with(AnnotatedGang::afterNone);
        }

        /** The terms as far as they could be read; null: they could not. */
        default @Nullable AnnotatedGang known() {
            return switch (this) {
                case Clear(AnnotatedGang terms) -> terms;
                case Apart(AnnotatedGang terms) -> terms;
                case Lacking lacking -> lacking.terms();
                case Unclear _ -> null;
            };
        }
    }

    /** How many pods must start together. */
    public int size() {
        return whole.size();
    }

    /** How many members have ended and are not made again; {@code finished}: those that have succeeded. O(pods). */
    public int done(List<Pod> finished) {
        return whole.ended().with(finished);
    }

    /** Whether it may be evicted while it runs, and placed again. */
    public boolean migratable() {
        return demand.migratable();
    }

    /** The terms of one pod of the gang that is planned by itself, with its share of the budget, rounded down. */
    public AnnotatedGang single(Money least) {
        Money total = demand.budget().total();
        Money share = total == null ? null : new Money(Math.max(least.micros(), total.micros() / size()));
        return with(copy -> copy.whole(ONE)
                .demand(demand.withBudget(new Budget(share, demand.budget().slotPrice()))
                        .withValueOfTime(demand.valueOfTime().part(size()))
                        .withPreferences(demand.preferences().part(size()))
                        .withMigratable(false))
                .reservation(null));
    }

    private AnnotatedGang afterNone() {
        return withDemand(demand.withAfter(Predecessors.NONE));
    }

    /**
     * The terms of what a move has left of the gang: work with the overhead of a restart, and budget. A reservation was
     * for its start, and what it was after is over.
     */
    private AnnotatedGang left(MigrationHistory past) {
        return with(copy -> copy.runtime(past.runtime())
                .demand(demand.withBudget(demand.budget().after(past.spent()))
                        .withPreferences(demand.preferences().spending(past.spent()))
                        .withAfter(Predecessors.NONE))
                .reservation(null));
    }

    /**
     * Reads the terms of one gang.
     *
     * @param pods all pods that carry its name, at least one
     * @param groups where other projects and owners say its size
     */
    public static Reading read(List<Pod> pods, GroupObjects groups, GangDefaults usual) {
        AnnotationReader stated = new AnnotationReader();
        for (Pod pod : pods) {
            stated.add(
                    "pod " + Pods.name(pod),
                    pod.getMetadata().getLabels(),
                    pod.getMetadata().getAnnotations(),
                    AnnotationKeys.POD_LABELS,
                    AnnotationKeys.POD_ANNOTATIONS);
        }
        RecognisedGang recognised = RecognisedGang.read(stated, pods, groups);
        GangSize.Together whole = switch (recognised.extent()) {
            case GangSize.Together together -> together;
            case GangSize.Apart _, GangSize.Unstated _ -> ONE;
            case GangSize.Missing _ -> new GangSize.Together(Math.min(pods.size(), GangSize.LARGEST));
        };
        Set<String> classes = new TreeSet<>();
        for (Pod pod : pods) {
            String priorityClass = pod.getSpec() == null ? null : pod.getSpec().getPriorityClassName();
            if (priorityClass != null) {
                classes.add(priorityClass);
            }
        }
        GangDefaults.Hour hour = usual.hour(pods.getFirst().getMetadata().getNamespace(), classes);
        AnnotatedGang terms = read(stated, whole, recognised.timeLimit(), usual, hour);
        return stated.flaws().isEmpty()
                ? reading(terms, recognised.extent(), pods.getFirst())
                : new Reading.Unclear(stated.flaws().getFirst());
    }

    private static Reading reading(AnnotatedGang terms, GangSize extent, Pod first) {
        return switch (extent) {
            case GangSize.Together _, GangSize.Unstated _ -> new Reading.Clear(terms);
            case GangSize.Apart _ -> new Reading.Apart(terms);
            case GangSize.Missing(GroupKind kind, String name) ->
                new Reading.Lacking(
                        terms,
                        new Refusal.WaitingForGroup(
                                kind.kind(),
                                kind.apiGroup(),
                                first.getMetadata().getNamespace() + "/" + name));
        };
    }

    /**
     * Reads the terms under whatever keys they are stated; what cannot be read becomes a problem.
     *
     * @param whole how many pods start together
     * @param limit how long one may run on any node, seconds; null: not stated
     * @param hour what an hour is worth that is not stated, and the most that may be stated
     */
    public static AnnotatedGang read(
            AnnotationReader stated,
            GangSize.Together whole,
            @Nullable Long limit,
            GangDefaults usual,
            GangDefaults.Hour hour) {
        Long runtime = stated.readOrNull(GangKey.RUNTIME);
        long seconds = runtime != null ? runtime : limit != null ? limit : usual.runtime();
        return new AnnotatedGang(
                whole,
                Math.max(seconds, 1),
                limit != null,
                runtime != null || limit != null,
                demand(stated, seconds, whole.size(), usual, hour),
                placing(stated),
                stated.readOrNull(GangKey.RESERVATION));
    }

    private static Demand demand(
            AnnotationReader stated, long seconds, int size, GangDefaults usual, GangDefaults.Hour hour) {
        Demand demand = within(stated);
        ValueOfTime worth = stated.readOrNull(GangKey.VALUE_OF_TIME);
        if (worth != null && worth.hour().compareTo(hour.most()) > 0) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.VALUE_OF_TIME)
                    .and((" (%s) is above what the policy (gangs.value-of-time.limit) and the namespace's budget "
                                    + "allow: expected at most %s")
                            .formatted(
                                    SafeText.value(stated.text(AnnotationKeys.VALUE_OF_TIME)),
                                    hour.most().brief())));
        }
        demand = demand.withBudget(budget(stated, seconds, size))
                .withCriterion(stated.read(GangKey.CRITERION, unstated(stated, worth != null, usual)))
                .withValueOfTime(worth == null ? ValueOfTime.always(hour.unstated()) : worth);
        demand = demand.withAfter(after(stated));
        for (GangKey<?> key : GangKey.ALL) {
            demand = key.set(demand, stated);
        }
        agrees(stated, demand);
        return demand;
    }

    /** Who says what he prefers, or what his time is worth, and nothing else wants it to count. */
    private static Criterion unstated(AnnotationReader stated, boolean valued, GangDefaults usual) {
        boolean prefers = AnnotationKeys.PREFERENCES.stream().anyMatch(key -> stated.text(key) != null);
        return prefers ? Criterion.PREFERENCE : valued ? Criterion.VALUE : usual.criterion();
    }

    /** Preferences count by the criterion {@code preference}, which goes by nothing else. */
    private static void agrees(AnnotationReader stated, Demand demand) {
        String criterion = stated.text(AnnotationKeys.CRITERION);
        List<String> preferred = AnnotationKeys.PREFERENCES.stream()
                .filter(key -> stated.text(key) != null)
                .toList();
        if (criterion == null) {
            return;
        }
        if (demand.criterion() == Criterion.PREFERENCE && preferred.isEmpty()) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.CRITERION)
                    .and(" (%s) needs ".formatted(SafeText.value(criterion)))
                    .andField(AnnotationKeys.PREFERRED_START)
                    .and(", ")
                    .andField(AnnotationKeys.PREFERRED_FINISH)
                    .and(" or ")
                    .andField(AnnotationKeys.PREFERRED_COST)
                    .and(": expected what the gang prefers"));
        } else if (demand.criterion() != Criterion.PREFERENCE && !preferred.isEmpty()) {
            String key = preferred.getFirst();
            stated.flaw(ManifestFlaw.field(key)
                    .and(" (%s) cannot be combined with ".formatted(SafeText.value(stated.text(key))))
                    .andField(AnnotationKeys.CRITERION)
                    .and(" (%s): expected the criterion preference, or none".formatted(SafeText.value(criterion))));
        }
    }

    /** A transfer needs a gang that it comes from, and a reservation has a start of its own. */
    private static Predecessors after(AnnotationReader stated) {
        Predecessors after = stated.read(GangKey.AFTER, Predecessors.NONE);
        long bytes = stated.read(GangKey.AFTER_TRANSFER, 0L);
        if (stated.text(AnnotationKeys.AFTER_TRANSFER) != null && stated.text(AnnotationKeys.AFTER) == null) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.AFTER_TRANSFER)
                    .and(" (%s) needs ".formatted(SafeText.value(stated.text(AnnotationKeys.AFTER_TRANSFER))))
                    .andField(AnnotationKeys.AFTER)
                    .and(": expected the gangs after whose end the gang starts"));
        }
        if (!after.isNone() && stated.text(AnnotationKeys.RESERVATION) != null) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.AFTER)
                    .and(" (%s) cannot be combined with ".formatted(SafeText.value(stated.text(AnnotationKeys.AFTER))))
                    .andField(AnnotationKeys.RESERVATION)
                    .and(" (%s): expected one of them, as a reservation has a start of its own"
                            .formatted(SafeText.value(stated.text(AnnotationKeys.RESERVATION)))));
        }
        return after.moving(bytes);
    }

    private static Demand within(AnnotationReader stated) {
        long earliestStart = stated.read(GangKey.EARLIEST_START, Long.MIN_VALUE);
        long deadline = stated.read(GangKey.DEADLINE, Interval.FOREVER);
        if (earliestStart >= deadline) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.DEADLINE)
                    .and(" (%s) must lie after ".formatted(SafeText.value(stated.text(AnnotationKeys.DEADLINE))))
                    .andField(AnnotationKeys.EARLIEST_START)
                    .and(" (%s)".formatted(SafeText.value(stated.text(AnnotationKeys.EARLIEST_START)))));
        }
        return Demand.NONE.withEarliestStart(earliestStart).withDeadline(deadline);
    }

    /**
     * Without a budget of its own, a gang with a highest price F pays at most {@code S = F x runtime x size}, rounded
     * up to a millionth, so that a window at exactly this price is affordable. A limit on the slots alone leaves the
     * sum free.
     */
    private static Budget budget(AnnotationReader stated, long runtime, int size) {
        Money total = stated.readOrNull(GangKey.BUDGET);
        Money maxPrice = stated.readOrNull(GangKey.MAX_PRICE);
        boolean perSlot = stated.read(GangKey.PRICE_LIMIT, false);
        if (perSlot && stated.text(AnnotationKeys.MAX_PRICE) == null) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.PRICE_LIMIT)
                    .and(" (%s) needs ".formatted(stated.text(AnnotationKeys.PRICE_LIMIT)))
                    .andField(AnnotationKeys.MAX_PRICE)
                    .and(": expected the highest price per hour and pod"));
        }
        if (perSlot || maxPrice == null) {
            return new Budget(total, perSlot ? maxPrice : null);
        }
        return new Budget(total == null ? product(stated, maxPrice, runtime, size) : total, null);
    }

    private static @Nullable Money product(AnnotationReader stated, Money maxPrice, long runtime, int size) {
        BigInteger exact = BigInteger.valueOf(maxPrice.micros())
                .multiply(BigInteger.valueOf(runtime))
                .multiply(BigInteger.valueOf(size));
        BigInteger micros =
                exact.add(BigInteger.valueOf(SECONDS_PER_HOUR - 1)).divide(BigInteger.valueOf(SECONDS_PER_HOUR));
        if (micros.compareTo(BigInteger.valueOf(MOST_MONEY.micros())) > 0) {
            stated.flaw(ManifestFlaw.field(AnnotationKeys.MAX_PRICE)
                    .and(" (%s) times %d s times %d pods is too much: expected at most %s in all"
                            .formatted(maxPrice.brief(), runtime, size, MOST_MONEY.brief())));
            return null;
        }
        return new Money(micros.longValueExact());
    }

    private static PlacementRequest placing(AnnotationReader stated) {
        return new PlacementRequest(
                stated.readOrNull(GangKey.MODE),
                stated.read(GangKey.DATA_SIZE, 0L),
                stated.read(GangKey.TIME_WEIGHT, OptionalDouble.empty()),
                stated.read(GangKey.COST_WEIGHT, OptionalDouble.empty()));
    }
}
