package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Placing;
import io.slotwise.core.gang.Placing.Manner;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
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
    static final int LARGEST = 100_000;

    private static final int SECONDS_PER_HOUR = 3600;
    private static final Money MOST_MONEY = new Money(1_000_000_000L * Money.MICROS_PER_UNIT);
    private static final BigDecimal MOST_BYTES = BigDecimal.valueOf(1L << 60);
    private static final Pattern LABEL_KEY =
            Pattern.compile("([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

    private static final int LONGEST_NAME = 253;
    private static final Pattern OBJECT_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** The terms, or what is wrong with them. */
    sealed interface Reading {
        /** All could be read. */
        record Clear(GangTerms terms) implements Reading {}

        /** Something could not. */
        record Unclear(String problem) implements Reading {}

        /** The same for a gang that was moved; null: it was not. */
        default Reading left(@Nullable Past past) {
            return past != null && this instanceof Clear(GangTerms terms) ? new Clear(terms.left(past)) : this;
        }

        /** The same for a single pod of the gang. */
        default Reading single() {
            return switch (this) {
                case Clear(GangTerms terms) -> new Clear(terms.single());
                case Unclear unclear -> unclear;
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
     * @param usual for what is not stated
     */
    static Reading read(List<Pod> pods, Usual usual) {
        Stated stated = new Stated();
        for (Pod pod : pods) {
            stated.add(
                    "pod " + Pods.name(pod),
                    pod.getMetadata().getLabels(),
                    pod.getMetadata().getAnnotations(),
                    Keys.POD_LABELS,
                    Keys.POD_ANNOTATIONS);
        }
        GangTerms terms = terms(stated, pods.getFirst(), usual);
        return stated.problems().isEmpty()
                ? new Reading.Clear(terms)
                : new Reading.Unclear(stated.problems().getFirst());
    }

    private static GangTerms terms(Stated stated, Pod first, Usual usual) {
        int size = size(stated, first);
        Long runtime = stated.readOrNull(Keys.RUNTIME, Durations::parsePositive);
        Long limit = first.getSpec().getActiveDeadlineSeconds();
        boolean nodeIndependent = stated.text(Keys.RUNTIME) == null && limit != null;
        long seconds = runtime != null ? runtime : nodeIndependent ? limit : usual.runtime();
        long earliestStart = stated.read(Keys.EARLIEST_START, Long.MIN_VALUE, Intervals::parseUp);
        long deadline = stated.read(Keys.DEADLINE, Interval.FOREVER, Intervals::parseDown);
        if (earliestStart >= deadline) {
            stated.problem("`%s` (%s) must lie after `%s` (%s)"
                    .formatted(
                            Keys.DEADLINE,
                            stated.text(Keys.DEADLINE),
                            Keys.EARLIEST_START,
                            stated.text(Keys.EARLIEST_START)));
        }
        return new GangTerms(
                size,
                Math.max(seconds, 1),
                nodeIndependent,
                budget(stated, seconds, size),
                stated.read(Keys.CRITERION, usual.criterion(), GangTerms::criterion),
                earliestStart,
                deadline,
                stated.readOrNull(Keys.TOPOLOGY, GangTerms::labelKey),
                stated.read(Keys.MAX_PER_NODE, Integer.MAX_VALUE, text -> number(text, Integer.MAX_VALUE)),
                stated.read(Keys.LOCKSTEP, false, GangTerms::trueOrFalse),
                placing(stated),
                stated.read(Keys.MIGRATABLE, false, GangTerms::trueOrFalse),
                stated.readOrNull(Keys.RESERVATION, GangTerms::objectName));
    }

    private static int size(Stated stated, Pod first) {
        int size = stated.read(Keys.GANG_SIZE, 1, text -> number(text, LARGEST));
        String gang = stated.text(Keys.GANG);
        if (gang == null && size != 1) {
            stated.problem("`%s` (%d) of pod %s needs the label `%s`: expected the gang's name"
                    .formatted(Keys.GANG_SIZE, size, Pods.name(first), Keys.GANG));
        } else if (gang != null && gang.isEmpty()) {
            stated.problem(
                    "`%s` () of pod %s is not valid: expected the gang's name".formatted(Keys.GANG, Pods.name(first)));
        } else if (gang != null && stated.text(Keys.GANG_SIZE) == null) {
            stated.problem("`%s` (%s) of pod %s has no size: expected the annotation `%s` on one of the gang's pods"
                    .formatted(Keys.GANG, gang, Pods.name(first), Keys.GANG_SIZE));
        }
        return size;
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
            stated.problem("`%s` (%s) needs `%s`: expected the highest price per hour and pod"
                    .formatted(Keys.PRICE_LIMIT, stated.text(Keys.PRICE_LIMIT), Keys.MAX_PRICE));
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
            stated.problem("`%s` (%s) times %d s times %d pods is too much: expected at most %s in all"
                    .formatted(Keys.MAX_PRICE, maxPrice.brief(), runtime, size, MOST_MONEY.brief()));
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

    private static int number(String text, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(expectedNumber(most), e);
        }
        throw new IllegalArgumentException(expectedNumber(most));
    }

    private static String expectedNumber(int most) {
        return "expected a whole number between 1 and " + most;
    }

    private static boolean trueOrFalse(String text) {
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
            bytes = Quantity.getAmountInBytes(new Quantity(text));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("expected a number of bytes such as 10Gi", e);
        }
        if (bytes.signum() < 0 || bytes.compareTo(MOST_BYTES) > 0) {
            throw new IllegalArgumentException("expected a number of bytes between 0 and 1Ei");
        }
        return bytes.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    private static String objectName(String text) {
        if (text.length() > LONGEST_NAME || !OBJECT_NAME.matcher(text).matches()) {
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
