package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Placing;
import io.slotwise.core.gang.Placing.Manner;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.Shown;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationName;
import io.slotwise.kubernetes.gangs.Extent;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.Groups;
import io.slotwise.live.Past;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the pods of a gang say about it, in whatever pod they say it.
 *
 * @param size how many pods must start together
 * @param runtime seconds
 * @param nodeIndependent whether the runtime is the same on every node
 * @param statesRuntime whether somebody states the runtime
 * @param budget what the whole gang may pay
 * @param criterion what it wants to be least
 * @param earliestStart seconds since the epoch; {@link Long#MIN_VALUE}: no limit
 * @param deadline seconds since the epoch; {@link Interval#FOREVER}: no limit
 * @param topology a node label's key, or null
 * @param maxPerNode the most pods on one node
 * @param lockstep whether every pod stays until the slowest ends
 * @param placing with the batch or online
 * @param migratable whether it may be evicted while it runs, and placed again
 * @param reservation the advance reservation that it takes over; null: none
 */
record GangTerms(
        int size,
        long runtime,
        boolean nodeIndependent,
        boolean statesRuntime,
        Budget budget,
        Criterion criterion,
        long earliestStart,
        long deadline,
        @Nullable String topology,
        int maxPerNode,
        boolean lockstep,
        Placing placing,
        boolean migratable,
        @Nullable String reservation) {
    /** The largest gang. */
    static final int LARGEST = Extent.LARGEST;

    private static final int SECONDS_PER_HOUR = 3600;
    private static final Money MOST_MONEY = new Money(1_000_000_000L * Money.MICROS_PER_UNIT);
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(1L << 60);
    private static final Pattern LABEL_KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    /** The terms, or what is wrong with them. */
    sealed interface Reading {
        /** All could be read. */
        record Clear(GangTerms terms) implements Reading {}

        /** Something could not. */
        record Unclear(Flaw flaw) implements Reading {}

        /** All could be read, and the pods are no gang: these are the terms of each of them. */
        record Apart(GangTerms terms) implements Reading {}

        /** All could be read but the size, for which an object is missing; the terms are those of the pods that are there. */
        record Lacking(GangTerms terms, Refusal.WaitingForGroup reason) implements Reading {}

        /** The same for a gang that was moved; null: it was not. */
        default Reading left(@Nullable Past past) {
            return past == null
                    ? this
                    : switch (this) {
                        case Clear(GangTerms terms) -> new Clear(terms.left(past));
                        case Apart(GangTerms terms) -> new Apart(terms.left(past));
                        case Lacking(GangTerms terms, Refusal.WaitingForGroup reason) ->
                            new Lacking(terms.left(past), reason);
                        case Unclear unclear -> unclear;
                    };
        }

        /** The same for a single pod of the gang. */
        default Reading single() {
            return switch (this) {
                case Clear(GangTerms terms) -> new Clear(terms.single());
                case Apart(GangTerms terms) -> new Clear(terms.single());
                case Lacking lacking -> new Clear(lacking.terms().single());
                case Unclear unclear -> unclear;
            };
        }

        /** The terms as far as they could be read; null: they could not. */
        default @Nullable GangTerms known() {
            return switch (this) {
                case Clear(GangTerms terms) -> terms;
                case Apart(GangTerms terms) -> terms;
                case Lacking lacking -> lacking.terms();
                case Unclear _ -> null;
            };
        }
    }

    /** The terms of one pod of the gang that is planned by itself, with its share of the budget, rounded down. */
    GangTerms single() {
        Money total = budget.total();
        Money share = total == null ? null : new Money(total.micros() / size);
        return new GangTerms(
                1,
                runtime,
                nodeIndependent,
                statesRuntime,
                new Budget(share, budget.slotPrice()),
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                placing,
                false,
                null);
    }

    /** The terms of what a move has left of the gang: work with the overhead of a restart, and budget. A reservation was for its start. */
    private GangTerms left(Past past) {
        return new GangTerms(
                size,
                past.runtime(),
                nodeIndependent,
                statesRuntime,
                budget.after(past.spent()),
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                placing,
                migratable,
                null);
    }

    /**
     * Reads the terms of one gang.
     *
     * @param pods all pods that carry its name, at least one
     * @param groups where other projects and owners say its size
     * @param usual for what is not stated
     */
    static Reading read(List<Pod> pods, Groups groups, Usual usual) {
        Stated stated = new Stated();
        for (Pod pod : pods) {
            stated.add(
                    "pod " + Pods.name(pod),
                    pod.getMetadata().getLabels(),
                    pod.getMetadata().getAnnotations(),
                    Keys.POD_LABELS,
                    Keys.POD_ANNOTATIONS);
        }
        Recognised recognised = Recognised.read(stated, pods, groups);
        int size = switch (recognised.extent()) {
            case Extent.Together(int together) -> together;
            case Extent.Apart _, Extent.Unstated _ -> 1;
            case Extent.Missing _ -> pods.size();
        };
        GangTerms terms = terms(stated, size, recognised.timeLimit(), usual);
        return stated.flaws().isEmpty()
                ? reading(terms, recognised.extent(), pods.getFirst())
                : new Reading.Unclear(stated.flaws().getFirst());
    }

    private static Reading reading(GangTerms terms, Extent extent, Pod first) {
        return switch (extent) {
            case Extent.Together _, Extent.Unstated _ -> new Reading.Clear(terms);
            case Extent.Apart _ -> new Reading.Apart(terms);
            case Extent.Missing(GroupKind kind, String name) ->
                new Reading.Lacking(
                        terms,
                        new Refusal.WaitingForGroup(
                                kind.kind(),
                                kind.apiGroup(),
                                first.getMetadata().getNamespace() + "/" + name));
        };
    }

    private static GangTerms terms(Stated stated, int size, @Nullable Long limit, Usual usual) {
        Long runtime = stated.readOrNull(Keys.RUNTIME, Durations::parsePositive);
        long seconds = runtime != null ? runtime : limit != null ? limit : usual.runtime();
        long earliestStart = stated.read(Keys.EARLIEST_START, Long.MIN_VALUE, Intervals::parseUp);
        long deadline = stated.read(Keys.DEADLINE, Interval.FOREVER, Intervals::parseDown);
        if (earliestStart >= deadline) {
            stated.flaw(Flaw.field(Keys.DEADLINE)
                    .and(" (%s) must lie after ".formatted(Shown.value(stated.text(Keys.DEADLINE))))
                    .andField(Keys.EARLIEST_START)
                    .and(" (%s)".formatted(Shown.value(stated.text(Keys.EARLIEST_START)))));
        }
        return new GangTerms(
                size,
                Math.max(seconds, 1),
                limit != null,
                runtime != null || limit != null,
                budget(stated, seconds, size),
                stated.read(Keys.CRITERION, usual.criterion(), GangTerms::criterion),
                earliestStart,
                deadline,
                stated.readOrNull(Keys.TOPOLOGY, GangTerms::labelKey),
                stated.read(Keys.MAX_PER_NODE, Integer.MAX_VALUE, text -> Stated.number(text, Integer.MAX_VALUE)),
                stated.read(Keys.LOCKSTEP, false, GangTerms::trueOrFalse),
                placing(stated),
                stated.read(Keys.MIGRATABLE, false, GangTerms::trueOrFalse),
                stated.readOrNull(Keys.RESERVATION, GangTerms::objectName));
    }

    /**
     * Without a budget of its own, a gang with a highest price F pays at most {@code S = F x runtime x size}, rounded up to a
     * millionth, so that a window at exactly this price is affordable. A limit on the slots alone leaves the sum free.
     */
    private static Budget budget(Stated stated, long runtime, int size) {
        Money total = stated.readOrNull(Keys.BUDGET, Money::parse);
        Money maxPrice = stated.readOrNull(Keys.MAX_PRICE, Money::parse);
        boolean perSlot = stated.read(Keys.PRICE_LIMIT, false, GangTerms::isPerSlot);
        if (perSlot && stated.text(Keys.MAX_PRICE) == null) {
            stated.flaw(Flaw.field(Keys.PRICE_LIMIT)
                    .and(" (%s) needs ".formatted(stated.text(Keys.PRICE_LIMIT)))
                    .andField(Keys.MAX_PRICE)
                    .and(": expected the highest price per hour and pod"));
        }
        if (perSlot || maxPrice == null) {
            return new Budget(total, perSlot ? maxPrice : null);
        }
        return new Budget(total == null ? product(stated, maxPrice, runtime, size) : total, null);
    }

    private static @Nullable Money product(Stated stated, Money maxPrice, long runtime, int size) {
        BigInteger exact = BigInteger.valueOf(maxPrice.micros())
                .multiply(BigInteger.valueOf(runtime))
                .multiply(BigInteger.valueOf(size));
        BigInteger micros =
                exact.add(BigInteger.valueOf(SECONDS_PER_HOUR - 1)).divide(BigInteger.valueOf(SECONDS_PER_HOUR));
        if (micros.compareTo(BigInteger.valueOf(MOST_MONEY.micros())) > 0) {
            stated.flaw(Flaw.field(Keys.MAX_PRICE)
                    .and(" (%s) times %d s times %d pods is too much: expected at most %s in all"
                            .formatted(maxPrice.brief(), runtime, size, MOST_MONEY.brief())));
            return null;
        }
        return new Money(micros.longValueExact());
    }

    private static Criterion criterion(String text) {
        for (Criterion criterion : Criterion.values()) {
            if (criterion.key().equals(text)) {
                return criterion;
            }
        }
        throw new IllegalArgumentException("expected "
                + String.join(
                        " or ",
                        Arrays.stream(Criterion.values()).map(Criterion::key).toList()));
    }

    /** Reads a word that says yes or no. */
    static boolean trueOrFalse(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false");
        };
    }

    private static boolean isPerSlot(String text) {
        return switch (text) {
            case "slot" -> true;
            case "total" -> false;
            default -> throw new IllegalArgumentException("expected total or slot");
        };
    }

    private static String labelKey(String text) {
        if (!LABEL_KEY.matcher(text).matches()) {
            throw new IllegalArgumentException("expected the key of a node label such as topology.kubernetes.io/zone");
        }
        return text;
    }

    private static Placing placing(Stated stated) {
        return new Placing(
                stated.readOrNull(Keys.MODE, GangTerms::manner),
                stated.read(Keys.DATA_SIZE, 0L, GangTerms::bytes),
                stated.read(Keys.TIME_WEIGHT, OptionalDouble.empty(), GangTerms::weight),
                stated.read(Keys.COST_WEIGHT, OptionalDouble.empty(), GangTerms::weight));
    }

    private static Manner manner(String text) {
        for (Manner manner : Manner.values()) {
            if (manner.key().equals(text)) {
                return manner;
            }
        }
        throw new IllegalArgumentException("expected batch, emct or emet");
    }

    private static long bytes(String text) {
        BigDecimal bytes;
        try {
            bytes = Amounts.exact(new Quantity(text));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("expected a number of bytes such as 10Gi", e);
        }
        if (bytes.signum() < 0 || bytes.compareTo(MOST_BYTES) > 0) {
            throw new IllegalArgumentException("expected a number of bytes between 0 and 1Ei");
        }
        return bytes.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private static String objectName(String text) {
        if (!ReservationName.isValid(text)) {
            throw new IllegalArgumentException("expected the name of an advance Reservation of the same namespace");
        }
        return text;
    }

    private static OptionalDouble weight(String text) {
        try {
            BigDecimal weight = new BigDecimal(text);
            if (weight.signum() >= 0 && weight.compareTo(BigDecimal.ONE) <= 0) {
                return OptionalDouble.of(weight.doubleValue());
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number between 0 and 1", e);
        }
        throw new IllegalArgumentException("expected a number between 0 and 1");
    }
}
