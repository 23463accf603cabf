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
 * The start, end and cost that a gang would like, without insisting, each with a weight.
 *
 * <p>The distance D of a window is the sum of three weighted errors. The first is the hours between its start and the
 * preferred one, either way. The second is the hours by which it ends after the preferred end. The third is the part of
 * the preferred cost by which it costs more. With equal weights an hour off equals paying double. D is never negative,
 * and 0 if all is as preferred.
 *
 * <p>The compared figure is exact: D times the preferred cost over its weight, an amount of money in 1/3600 millionths
 * of the currency unit ({@link #distance}). An hour off is then worth the preferred cost times the quotient of the two
 * weights, rounded down to a millionth once. Each millionth above the preferred cost counts as itself. Without a
 * preferred cost an hour off by the weight 1 counts as one currency unit.
 *
 * <p>Source: the paper on anticipation, section 3 (the linear distance of a window from a reference), and section 5,
 * which leaves references from users' expectations and weights of the errors for later. Deviations: times are measured
 * in hours, not in parts of the reference, which would depend on the creation time of the gang. An earlier end and a
 * lower cost than preferred are no errors, since no user is worse off with them. A window whose cost approaches a
 * reference from below would need a sum of subsets, and waste money.
 *
 * @param preferredStart the preferred first second, since the epoch, or null for any
 * @param preferredFinish the preferred end, seconds since the epoch, or null for any
 * @param preferredCost the preferred cost, positive, or null for any
 * @param spent what the gang pays besides its window, which counts as a part of its cost
 */
@RecordBuilder
public record Preferences(
        @Nullable Preferred<Long> preferredStart,
        @Nullable Preferred<Long> preferredFinish,
        @Nullable Preferred<Money> preferredCost,
        Cost spent)
        implements PreferencesBuilder.With {
    public static final Preferences NONE = new Preferences(null, null, null, Cost.ZERO);

    /** The most that one error counts, so that the sum of all errors and any cost fits a long. */
    private static final long MOST_ERROR = Long.MAX_VALUE / 4;

    /** Some ten thousand years, seconds. */
    private static final long LONGEST = 1L << 40;

    private static final Cost MOST_SPENT = new Cost(MOST_ERROR);

    /** The unit of an hour off if no cost is preferred. */
    private static final Preferred<Money> UNIT = new Preferred<>(new Money(Money.MICROS_PER_UNIT), Preferred.ONE);

    private static final long SECONDS_PER_HOUR = 3600;

    /** The number of decimals with which a distance is shown. */
    private static final int SCALE = 3;

    public Preferences {
        if (preferredCost != null && preferredCost.reference().micros() <= 0) {
            throw new IllegalArgumentException("The preferred cost (%s) must be positive."
                    .formatted(preferredCost.reference().brief()));
        }
    }

    /** Returns a copy for a gang that pays this much more besides its window. */
    public Preferences spending(Cost moreCost) {
        return new Preferences(preferredStart, preferredFinish, preferredCost, spent.plus(moreCost));
    }

    /**
     * Returns a copy for one pod of a gang of {@code pods} that are planned individually, with its equal part of the
     * preferred cost, rounded down to a millionth.
     */
    public Preferences part(int pods) {
        return preferredCost == null
                ? this
                : withPreferredCost(new Preferred<>(
                        new Money(Math.max(1, preferredCost.reference().micros() / pods)), preferredCost.weight()));
    }

    /** Returns the preferences as stated, without money spent besides the window. */
    public Preferences stated() {
        return new Preferences(preferredStart, preferredFinish, preferredCost, Cost.ZERO);
    }

    public boolean isNone() {
        return preferredStart == null && preferredFinish == null && preferredCost == null;
    }

    /** Returns the distance of a window, 1/3600 millionths of the currency unit; see the class. */
    public long distance(long first, long end, long micros) {
        long sum = timeError(first, end) + costError(micros);
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Returns the part of the distance from start and end, seconds since the epoch. Never falls with the end. */
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
     * Returns the least possible part of the distance that start and end cause, if the longest pod takes {@code
     * longest} seconds. That part is convex in the start, and its slope changes only where the start or the end is as
     * preferred.
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

    /** Returns whether from this start on a later start never brings a window nearer. */
    public boolean isRisingFrom(long first) {
        return preferredStart == null || first >= preferredStart.reference();
    }

    /** Returns the starts of windows no further away by the start alone, seconds since the epoch. Empty: any start. */
    public Optional<Interval> starts(long distance) {
        if (preferredStart == null || hour(preferredStart.weight()) == 0) {
            return Optional.empty();
        }
        long reach = distance / hour(preferredStart.weight());
        return distance >= MOST_ERROR || reach > LONGEST
                ? Optional.empty()
                : Optional.of(new Interval(preferredStart.reference() - reach, preferredStart.reference() + reach + 1));
    }

    /** Returns the part of the distance from a cost, 1/3600 millionths. Never falls with the cost. */
    public long costError(long exact) {
        long most = mostCost();
        long over = exact - most;
        return exact <= most ? 0 : over < 0 ? Long.MAX_VALUE : over;
    }

    /** Returns the cost above which a window has an error, 1/3600 millionths. Negative if that much is spent. */
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

    /** Returns the worth of an hour off, millionths: weight x cost / weight of the cost, rounded down. */
    private long hour(int weight) {
        Preferred<Money> preferredUnit = preferredCost == null ? UNIT : preferredCost;
        long micros = preferredUnit.reference().micros();
        long whole = micros / preferredUnit.weight();
        long rest = micros % preferredUnit.weight();
        return whole > MOST_ERROR / weight ? MOST_ERROR : weight * whole + weight * rest / preferredUnit.weight();
    }

    /** Returns the distance D without unit, with three digits, from the result of {@link #distance}. */
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
