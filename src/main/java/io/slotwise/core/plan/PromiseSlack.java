package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * How much later than first expected a gang may start and end, and still have what it was promised: parts of its wait
 * and its runtime together, or as long as that delay is worth no more to it than a part of what it pays, whichever is
 * longer, and never less than {@link #atLeast}.
 *
 * @param ofWait the part of the time from the gang's arrival to its first expected start, millionths
 * @param ofRuntime the part of the first window's runtime, millionths
 * @param atLeast seconds
 * @param ofCost the part of the first window's cost that the delay is worth at most to a gang whose time has a value,
 *     millionths
 * @param dearer the part of the first window's cost by which a later window may be dearer, within the gang's budget,
 *     millionths
 */
public record PromiseSlack(int ofWait, int ofRuntime, long atLeast, int ofCost, int dearer) {
    /** The most that a part can be: ten times the whole, millionths. */
    public static final int MOST_PART = 10_000_000;

    /** The longest that at least is given, seconds. */
    public static final long MOST_SECONDS = 31 * 24 * 3600L;

    /** A promise is its window. */
    public static final PromiseSlack NONE = new PromiseSlack(0, 0, 0);

    /** Two fifths of the wait and a fifth of the runtime, as the experiment on policies chose; the chart's default. */
    public static final PromiseSlack DEFAULT = new PromiseSlack(400_000, 200_000, 0);

    public PromiseSlack {
        if (ofWait < 0 || ofWait > MOST_PART || ofRuntime < 0 || ofRuntime > MOST_PART) {
            throw new IllegalArgumentException(
                    "The parts of the wait (%d) and the runtime (%d) must be between 0 and %d millionths."
                            .formatted(ofWait, ofRuntime, MOST_PART));
        }
        if (ofCost < 0 || ofCost > MOST_PART || dearer < 0 || dearer > MOST_PART) {
            throw new IllegalArgumentException("The parts of the cost (%d and %d) must be between 0 and %d millionths."
                    .formatted(ofCost, dearer, MOST_PART));
        }
        if (atLeast < 0 || atLeast > MOST_SECONDS) {
            throw new IllegalArgumentException(
                    "The least slack (%d s) must be between 0 and %d s.".formatted(atLeast, MOST_SECONDS));
        }
    }

    /** A slack that is the same whatever the gang's time is worth. */
    public PromiseSlack(int ofWait, int ofRuntime, long atLeast) {
        this(ofWait, ofRuntime, atLeast, 0, 0);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /** Seconds between the first expected start of a gang and the latest that it is promised with it. */
    public long of(Gang gang, Window first) {
        long waits = Math.max(0, first.start() - gang.arrival());
        long time = Math.addExact(part(waits, ofWait), part(first.runtime(), ofRuntime));
        return Math.max(Math.max(atLeast, time), worth(gang, first));
    }

    /** As long as a delay is worth no more to the gang than its part of the cost. */
    private long worth(Gang gang, Window first) {
        long hour = gang.valueOfTime().hour().micros();
        return hour == 0 ? 0 : Math.min(MOST_SECONDS, part(first.cost().microSecondsPerHour(), ofCost) / hour);
    }

    private static long part(long seconds, int millionths) {
        long all = Policy.Split.ALL;
        return seconds / all * millionths + seconds % all * millionths / all;
    }

    /** What a gang is promised with its first window, bounded by its deadline; null: the window itself. */
    public @Nullable PromiseBound promised(Gang gang, Window first) {
        if (isNone()) {
            return null;
        }
        long slack = of(gang, first);
        return new PromiseBound(
                first.start() + slack,
                Math.max(first.end(), Math.min(first.end() + slack, gang.deadline())),
                most(gang, first.cost()));
    }

    private Cost most(Gang gang, Cost first) {
        Cost moreCost = new Cost(first.microSecondsPerHour() + part(first.microSecondsPerHour(), dearer));
        return dearer == 0 ? first : moreCost.min(gang.budget().limit());
    }
}
