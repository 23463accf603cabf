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
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The terms of a gang, stated on any of its pods.
 *
 * @param runtime seconds
 * @param nodeIndependent whether the runtime is the same on every node
 * @param statesRuntime whether a user states the runtime
 * @param demand the request of the whole gang, in seconds since the epoch
 * @param reservation the advance reservation that it takes over, or null
 * @param localQueues the names of Kueue's LocalQueue that the gang states: none, one, or several if pods disagree
 */
@RecordBuilder
public record AnnotatedGang(
        GangSize.Together together,
        long runtime,
        boolean nodeIndependent,
        boolean statesRuntime,
        Demand demand,
        PlacementRequest request,
        @Nullable String reservation,
        SortedSet<String> localQueues)
        implements AnnotatedGangBuilder.With {
    private static final int SECONDS_PER_HOUR = 3600;
    private static final GangSize.Together ONE = new GangSize.Together(1);
    private static final Money MOST_MONEY = new Money(1_000_000_000L * Money.MICROS_PER_UNIT);

    public sealed interface Reading {
        record Clear(AnnotatedGang annotated) implements Reading {}

        record Unclear(ManifestFlaw flaw) implements Reading {}

        /** Readable terms of pods that form no gang; they apply to each pod. */
        record Apart(AnnotatedGang annotated) implements Reading {}

        /** Readable terms of the existing pods without the size, for which an object is missing. */
        record Lacking(AnnotatedGang annotated, Refusal.WaitingForGroup waiting) implements Reading {}

        /** Returns the reading for a moved gang; unchanged if the history is null. */
        default Reading left(@Nullable MigrationHistory history) {
            return history == null ? this : with(annotated -> annotated.left(history));
        }

        private Reading with(UnaryOperator<AnnotatedGang> change) {
            return switch (this) {
                case Clear(AnnotatedGang annotated) -> new Clear(change.apply(annotated));
                case Apart(AnnotatedGang annotated) -> new Apart(change.apply(annotated));
                case Lacking(AnnotatedGang annotated, Refusal.WaitingForGroup waiting) ->
                    new Lacking(change.apply(annotated), waiting);
                case Unclear unclear -> unclear;
            };
        }

        default Reading single() {
            return single(Money.ZERO);
        }

        /** Returns the reading for a single pod that may spend at least this amount. */
        default Reading single(Money money) {
            AnnotatedGang annotated = known();
            return annotated == null ? this : new Clear(annotated.single(money));
        }

        /** Returns the reading for a replacement in a started gang, whose predecessors have ended. */
        default Reading afterNone() {
            return with(AnnotatedGang::afterNone);
        }

        /** Returns the terms, or null if they could not be read. */
        default @Nullable AnnotatedGang known() {
            return switch (this) {
                case Clear(AnnotatedGang annotated) -> annotated;
                case Apart(AnnotatedGang annotated) -> annotated;
                case Lacking lacking -> lacking.annotated();
                case Unclear _ -> null;
            };
        }
    }

    public int size() {
        return together.size();
    }

    /**
     * Returns the number of members that have ended and are not recreated. O(pods).
     *
     * @param finished the members that have succeeded
     */
    public int done(List<Pod> finished) {
        return together.ended().with(finished);
    }

    public boolean migratable() {
        return demand.migratable();
    }

    /** Returns the terms of one pod that is planned individually, with its share of the budget, rounded down. */
    public AnnotatedGang single(Money leastMoney) {
        Money total = demand.budget().total();
        Money shareMoney = total == null ? null : new Money(Math.max(leastMoney.micros(), total.micros() / size()));
        return with(copy -> copy.together(ONE)
                .demand(demand.withBudget(new Budget(shareMoney, demand.budget().slotPrice()))
                        .withValueOfTime(demand.valueOfTime().part(size()))
                        .withPreferences(demand.preferences().part(size()))
                        .withMigratable(false))
                .reservation(null));
    }

    private AnnotatedGang afterNone() {
        return withDemand(demand.withAfter(Predecessors.NONE));
    }

    /**
     * Returns the terms after a move: the remaining work with the overhead of a restart, and the remaining budget. The
     * advance reservation was for the first start, and the predecessors have ended.
     */
    private AnnotatedGang left(MigrationHistory history) {
        return with(copy -> copy.runtime(history.runtime())
                .demand(demand.withBudget(demand.budget().after(history.spent()))
                        .withPreferences(demand.preferences().spending(history.spent()))
                        .withAfter(Predecessors.NONE))
                .reservation(null));
    }

    /**
     * Reads what the pods of a gang ask for.
     *
     * @param pods all pods with the gang's name, at least one
     * @param groups the objects of other projects and owners that state its size
     */
    public static Reading read(List<Pod> pods, GroupObjects groups, GangDefaults defaults) {
        AnnotationReader annotations = new AnnotationReader();
        for (Pod pod : pods) {
            annotations.add(
                    "pod " + Pods.name(pod),
                    pod.getMetadata().getLabels(),
                    pod.getMetadata().getAnnotations(),
                    AnnotationKeys.POD_LABELS,
                    AnnotationKeys.POD_ANNOTATIONS);
        }
        RecognisedGang recognised = RecognisedGang.read(annotations, pods, groups, defaults.topology());
        GangSize.Together startsTogether = switch (recognised.size()) {
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
        GangDefaults.Hour hour = defaults.hour(pods.getFirst().getMetadata().getNamespace(), classes);
        AnnotatedGang annotated = read(annotations, startsTogether, recognised.timeLimit(), defaults, hour)
                .withLocalQueues(recognised.localQueues());
        return annotations.flaws().isEmpty()
                ? reading(annotated, recognised.size(), pods.getFirst())
                : new Reading.Unclear(annotations.flaws().getFirst());
    }

    private static Reading reading(AnnotatedGang annotated, GangSize size, Pod first) {
        return switch (size) {
            case GangSize.Together _, GangSize.Unstated _ -> new Reading.Clear(annotated);
            case GangSize.Apart _ -> new Reading.Apart(annotated);
            case GangSize.Missing(GroupKind kind, String name) ->
                new Reading.Lacking(
                        annotated,
                        new Refusal.WaitingForGroup(
                                kind.kind(),
                                kind.apiGroup(),
                                first.getMetadata().getNamespace() + "/" + name));
        };
    }

    /**
     * Reads the terms. A value that cannot be read becomes a problem.
     *
     * @param limit the longest runtime on any node, seconds, or null
     * @param hour the default value of an hour, and the most that may be stated
     */
    public static AnnotatedGang read(
            AnnotationReader annotations,
            GangSize.Together together,
            @Nullable Long limit,
            GangDefaults defaults,
            GangDefaults.Hour hour) {
        Long runtime = annotations.readOrNull(GangKey.RUNTIME);
        long seconds = runtime != null ? runtime : limit != null ? limit : defaults.runtime();
        return new AnnotatedGang(
                together,
                Math.max(seconds, 1),
                limit != null,
                runtime != null || limit != null,
                demand(annotations, seconds, together.size(), defaults, hour),
                placing(annotations),
                annotations.readOrNull(GangKey.RESERVATION),
                Collections.emptySortedSet());
    }

    private static Demand demand(
            AnnotationReader annotations, long seconds, int size, GangDefaults defaults, GangDefaults.Hour hour) {
        Demand demand = within(annotations);
        ValueOfTime value = annotations.readOrNull(GangKey.VALUE_OF_TIME);
        if (value != null && value.hour().compareTo(hour.maxMoney()) > 0) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.VALUE_OF_TIME)
                    .and((" (%s) is above what the policy (gangs.value-of-time.limit) and the namespace's budget "
                                    + "allow: expected at most %s")
                            .formatted(
                                    SafeText.value(annotations.text(AnnotationKeys.VALUE_OF_TIME)),
                                    hour.maxMoney().brief())));
        }
        demand = demand.withBudget(budget(annotations, seconds, size))
                .withCriterion(annotations.read(GangKey.CRITERION, unstated(annotations, value != null, defaults)))
                .withValueOfTime(value == null ? ValueOfTime.always(hour.money()) : value);
        demand = demand.withAfter(after(annotations));
        for (GangKey<?> key : GangKey.ALL) {
            demand = key.set(demand, annotations);
        }
        agrees(annotations, demand);
        return demand.withTopology(new TopologyReader(annotations, defaults.topology()).read(seconds, size));
    }

    /**
     * Returns the criterion of a gang that states none: that of its preferences or its value of time, else the default.
     */
    private static Criterion unstated(AnnotationReader annotations, boolean valued, GangDefaults defaults) {
        boolean prefers = AnnotationKeys.PREFERENCES.stream().anyMatch(key -> annotations.text(key) != null);
        return prefers ? Criterion.PREFERENCE : valued ? Criterion.VALUE : defaults.criterion();
    }

    /** Checks that preferences and the criterion {@code preference} occur together. */
    private static void agrees(AnnotationReader annotations, Demand demand) {
        String criterion = annotations.text(AnnotationKeys.CRITERION);
        List<String> preferred = AnnotationKeys.PREFERENCES.stream()
                .filter(key -> annotations.text(key) != null)
                .toList();
        if (criterion == null) {
            return;
        }
        if (demand.criterion() == Criterion.PREFERENCE && preferred.isEmpty()) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.CRITERION)
                    .and(" (%s) needs ".formatted(SafeText.value(criterion)))
                    .andField(AnnotationKeys.PREFERRED_START)
                    .and(", ")
                    .andField(AnnotationKeys.PREFERRED_FINISH)
                    .and(" or ")
                    .andField(AnnotationKeys.PREFERRED_COST)
                    .and(": expected what the gang prefers"));
        } else if (demand.criterion() != Criterion.PREFERENCE && !preferred.isEmpty()) {
            String key = preferred.getFirst();
            annotations.flaw(ManifestFlaw.field(key)
                    .and(" (%s) cannot be combined with ".formatted(SafeText.value(annotations.text(key))))
                    .andField(AnnotationKeys.CRITERION)
                    .and(" (%s): expected the criterion preference, or none".formatted(SafeText.value(criterion))));
        }
    }

    /**
     * Reads the predecessors. A transfer needs one, and an advance reservation, which has its own start, excludes them.
     */
    private static Predecessors after(AnnotationReader annotations) {
        Predecessors after = annotations.read(GangKey.AFTER, Predecessors.NONE);
        long bytes = annotations.read(GangKey.AFTER_TRANSFER, 0L);
        if (annotations.text(AnnotationKeys.AFTER_TRANSFER) != null && annotations.text(AnnotationKeys.AFTER) == null) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.AFTER_TRANSFER)
                    .and(" (%s) needs ".formatted(SafeText.value(annotations.text(AnnotationKeys.AFTER_TRANSFER))))
                    .andField(AnnotationKeys.AFTER)
                    .and(": expected the gangs after whose end the gang starts"));
        }
        if (!after.isNone() && annotations.text(AnnotationKeys.RESERVATION) != null) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.AFTER)
                    .and(" (%s) cannot be combined with "
                            .formatted(SafeText.value(annotations.text(AnnotationKeys.AFTER))))
                    .andField(AnnotationKeys.RESERVATION)
                    .and(" (%s): expected one of them, as a reservation has a start of its own"
                            .formatted(SafeText.value(annotations.text(AnnotationKeys.RESERVATION)))));
        }
        return after.moving(bytes);
    }

    private static Demand within(AnnotationReader annotations) {
        long earliestStart = annotations.read(GangKey.EARLIEST_START, Long.MIN_VALUE);
        long deadline = annotations.read(GangKey.DEADLINE, Interval.FOREVER);
        if (earliestStart >= deadline) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.DEADLINE)
                    .and(" (%s) must lie after ".formatted(SafeText.value(annotations.text(AnnotationKeys.DEADLINE))))
                    .andField(AnnotationKeys.EARLIEST_START)
                    .and(" (%s)".formatted(SafeText.value(annotations.text(AnnotationKeys.EARLIEST_START)))));
        }
        return Demand.NONE.withEarliestStart(earliestStart).withDeadline(deadline);
    }

    /**
     * Reads the budget. Without one, a gang with a highest price F pays at most {@code S = F x runtime x size}, rounded
     * up to a millionth, so that a window at exactly this price is affordable. A price limit on the slots alone leaves
     * the sum unlimited.
     */
    private static Budget budget(AnnotationReader annotations, long runtime, int size) {
        Money total = annotations.readOrNull(GangKey.BUDGET);
        Money maxPrice = annotations.readOrNull(GangKey.MAX_PRICE);
        boolean perSlot = annotations.read(GangKey.PRICE_LIMIT, false);
        if (perSlot && annotations.text(AnnotationKeys.MAX_PRICE) == null) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.PRICE_LIMIT)
                    .and(" (%s) needs ".formatted(annotations.text(AnnotationKeys.PRICE_LIMIT)))
                    .andField(AnnotationKeys.MAX_PRICE)
                    .and(": expected the highest price per hour and pod"));
        }
        if (perSlot || maxPrice == null) {
            return new Budget(total, perSlot ? maxPrice : null);
        }
        return new Budget(total == null ? product(annotations, maxPrice, runtime, size) : total, null);
    }

    private static @Nullable Money product(AnnotationReader annotations, Money maxPrice, long runtime, int size) {
        BigInteger exact = BigInteger.valueOf(maxPrice.micros())
                .multiply(BigInteger.valueOf(runtime))
                .multiply(BigInteger.valueOf(size));
        BigInteger micros =
                exact.add(BigInteger.valueOf(SECONDS_PER_HOUR - 1)).divide(BigInteger.valueOf(SECONDS_PER_HOUR));
        if (micros.compareTo(BigInteger.valueOf(MOST_MONEY.micros())) > 0) {
            annotations.flaw(ManifestFlaw.field(AnnotationKeys.MAX_PRICE)
                    .and(" (%s) times %d s times %d pods is too much: expected at most %s in all"
                            .formatted(maxPrice.brief(), runtime, size, MOST_MONEY.brief())));
            return null;
        }
        return new Money(micros.longValueExact());
    }

    private static PlacementRequest placing(AnnotationReader annotations) {
        return new PlacementRequest(
                annotations.readOrNull(GangKey.MODE),
                annotations.read(GangKey.DATA_SIZE, 0L),
                annotations.read(GangKey.TIME_WEIGHT, OptionalDouble.empty()),
                annotations.read(GangKey.COST_WEIGHT, OptionalDouble.empty()));
    }
}
