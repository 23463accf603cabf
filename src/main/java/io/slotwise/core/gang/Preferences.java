package io.slotwise.core.gang;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a gang would like its window to be, without insisting: about this start, done by about this instant, for about
 * this cost, each with a weight.
 *
 * <p>The distance D of a window is the sum of three weighted errors: the hours between its start and the preferred one,
 * either way; the hours by which it ends after the preferred end; and the part of the preferred cost that it costs
 * more. So by equal weights an hour off is as far as paying double. Never negative, and 0 if all is as preferred.
 *
 * <p>What is compared is exact: D times the preferred cost over its weight, which is an amount of money, in 1/3600
 * millionths of the currency unit ({@link #distance}). An hour off is then worth the preferred cost times the quotient
 * of the two weights, rounded down to a millionth once, and each millionth above the preferred cost counts as itself.
 * Without a preferred cost an hour off by the weight 1 counts as one currency unit.
 *
 * <p>Source: the paper on anticipation, section 3 (the linear distance of a window from a reference), and section 5,
 * which leaves references from users' expectations and weights of the errors for later. Deviations: times are measured
 * in hours, not in parts of the reference, which would depend on when the gang was created; an earlier end and a lower
 * cost than preferred are no errors, since nobody is worse off with them (a window whose cost is as near as can be to a
 * reference from below would be a sum of subsets, and waste money).
 *
 * @param preferredStart the preferred first second, since the epoch; null: any
 * @param preferredFinish the preferred end, seconds since the epoch; null: any
 * @param preferredCost the preferred cost, positive; null: any
 * @param spent what the gang pays beside its window, which counts as a part of its cost
 */
@RecordBuilder
public record Preferences(
        @Nullable Preferred<Long> preferredStart,
        @Nullable Preferred<Long> preferredFinish,
        @Nullable Preferred<Money> preferredCost,
        Cost spent)
        implements PreferencesBuilder.With {
    public static final Preferences NONE = new Preferences(null, null, null, Cost.ZERO);

    /** One error counts at most so much: the sum of all and of any cost fits a long. */
    private static final long MOST_ERROR = Long.MAX_VALUE / 4;

    /** Some ten thousand years, seconds. */
    private static final long LONGEST = 1L << 40;

    private static final Cost MOST_SPENT = new Cost(MOST_ERROR);

    /** What an hour off is measured by where no cost is preferred. */
    private static final Preferred<Money> UNIT = new Preferred<>(new Money(Money.MICROS_PER_UNIT), Preferred.ONE);

    private static final long SECONDS_PER_HOUR = 3600;

    /** Digits of a distance that are shown. */
    private static final int SCALE = 3;

    public Preferences {
        if (preferredCost != null && preferredCost.reference().micros() <= 0) {
            throw new IllegalArgumentException("The preferred cost (%s) must be positive."
                    .formatted(preferredCost.reference().brief()));
        }
    }

    /** The same for a gang that pays this much more beside its window. */
    public Preferences spending(Cost moreCost) {
        return new Preferences(preferredStart, preferredFinish, preferredCost, spent.plus(moreCost));
    }

    /** For one of so many pods that are planned apart: its part of the cost, rounded down to a millionth. */
    public Preferences part(int pods) {
        return preferredCost == null
                ? this
                : withPreferredCost(new Preferred<>(
                        new Money(Math.max(1, preferredCost.reference().micros() / pods)), preferredCost.weight()));
    }

    /** What the gang itself says, whatever it pays beside its window. */
    public Preferences stated() {
        return new Preferences(preferredStart, preferredFinish, preferredCost, Cost.ZERO);
    }

    public boolean isNone() {
        return preferredStart == null && preferredFinish == null && preferredCost == null;
    }

    /** The distance of a window, 1/3600 millionths of the currency unit; see the class. */
    public long distance(long first, long end, long micros) {
        long sum = timeError(first, end) + costError(micros);
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** The part of the distance that the start and the end make, seconds since the epoch; never falls with the end. */
    public long timeError(long first, long end) {
        long early = preferredStart == null
                ? 0
                : error(preferredStart.weight(), Math.abs(first - preferredStart.reference()));
        return early
                + (preferredFinish == null
                        ? 0
                        : error(preferredFinish.weight(), Math.max(0, end - preferredFinish.reference())));
    }

    /**
     * The least part of the distance that time makes where the longest pod takes so many seconds: it is convex in the
     * start, and its slope changes only where the start or the end is as preferred.
     *
     * @param from no earlier start, seconds since the epoch
     * @param to no later start
     */
    public long leastTimeError(long longest, long from, long to) {
        long last = Math.max(from, to);
        long least = timeError(from, from + longest);
        if (preferredStart != null) {
            long t = Math.clamp(preferredStart.reference(), from, last);
            least = Math.min(least, timeError(t, t + longest));
        }
        if (preferredFinish != null) {
            long t = Math.clamp(preferredFinish.reference() - longest, from, last);
            least = Math.min(least, timeError(t, t + longest));
        }
        return least;
    }

    /** Whether no window that starts at this second or later is nearer for starting later than it could. */
    public boolean isRisingFrom(long first) {
        return preferredStart == null || first >= preferredStart.reference();
    }

    /** Where windows start that are no further away by the start alone, seconds since the epoch; empty: anywhere. */
    public Optional<Interval> starts(long distance) {
        if (preferredStart == null || hour(preferredStart.weight()) == 0) {
            return Optional.empty();
        }
        long reach = distance / hour(preferredStart.weight());
        return distance >= MOST_ERROR || reach > LONGEST
                ? Optional.empty()
                : Optional.of(new Interval(preferredStart.reference() - reach, preferredStart.reference() + reach + 1));
    }

    /** The part of the distance that a cost makes, 1/3600 millionths; never falls with it. */
    public long costError(long exact) {
        long most = mostCost();
        long over = exact - most;
        return exact <= most ? 0 : over < 0 ? Long.MAX_VALUE : over;
    }

    /** A higher cost of the window is an error, 1/3600 millionths; less than nothing where that much is spent. */
    public long mostCost() {
        return preferredCost == null
                ? Long.MAX_VALUE
                : Cost.of(preferredCost.reference()).microSecondsPerHour()
                        - spent.min(MOST_SPENT).microSecondsPerHour();
    }

    private long error(int weight, long seconds) {
        long hour = hour(weight);
        return hour > 0 && seconds > MOST_ERROR / hour ? MOST_ERROR : hour * seconds;
    }

    /** What an hour off counts, millionths: weight x cost / weight of the cost, rounded down. */
    private long hour(int weight) {
        Preferred<Money> preferredUnit = preferredCost == null ? UNIT : preferredCost;
        long micros = preferredUnit.reference().micros();
        long whole = micros / preferredUnit.weight();
        long rest = micros % preferredUnit.weight();
        return whole > MOST_ERROR / weight ? MOST_ERROR : weight * whole + weight * rest / preferredUnit.weight();
    }

    /** The distance D without unit, with three digits, of what {@link #distance} tells. */
    public BigDecimal shown(long distance) {
        Preferred<Money> preferredUnit = preferredCost == null ? UNIT : preferredCost;
        return new BigDecimal(BigInteger.valueOf(distance).multiply(BigInteger.valueOf(preferredUnit.weight())))
                .divide(
                        new BigDecimal(
                                BigInteger.valueOf(preferredUnit.reference().micros())
                                        .multiply(BigInteger.valueOf(SECONDS_PER_HOUR * Preferred.ONE))),
                        SCALE,
                        RoundingMode.HALF_EVEN);
    }
}
