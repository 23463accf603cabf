package io.slotwise.core.plan;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * The time by which a gang may start and end later than first expected and still keep its promise. It is the longer of
 * two times, and at least {@link #atLeast}. One consists of parts of the gang's wait and of its runtime. The other is
 * the longest delay that is worth no more to the gang than a part of what it pays.
 *
 * @param ofWait the part of the time from the gang's arrival to its first expected start, millionths
 * @param ofRuntime the part of the first window's runtime, millionths
 * @param atLeast seconds
 * @param ofCost the part of the first window's cost that the delay may be worth to a gang whose time has a value,
 *     millionths
 * @param dearer the part of the first window's cost by which a later window may cost more, within the gang's budget,
 *     millionths
 */
public record PromiseSlack(int ofWait, int ofRuntime, long atLeast, int ofCost, int dearer) {
    /** The largest part: ten times the whole, millionths. */
    public static final int MOST_PART = 10_000_000;

    /** The largest {@link #atLeast}, seconds. */
    public static final long MOST_SECONDS = 31 * 24 * 3600L;

    /** No slack: a promise is its window. */
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

    /** A slack that ignores the value of the gang's time. */
    public PromiseSlack(int ofWait, int ofRuntime, long atLeast) {
        this(ofWait, ofRuntime, atLeast, 0, 0);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /** Returns the seconds between a gang's first expected start and its latest promised start. */
    public long of(Gang gang, Window first) {
        long waits = Math.max(0, first.start() - gang.arrival());
        long time = Math.addExact(part(waits, ofWait), part(first.runtime(), ofRuntime));
        return Math.max(Math.max(atLeast, time), worth(gang, first));
    }

    /** Returns the longest delay that is worth no more to the gang than its part of the cost. */
    private long worth(Gang gang, Window first) {
        long hour = gang.valueOfTime().hour().micros();
        return hour == 0 ? 0 : Math.min(MOST_SECONDS, part(first.cost().microSecondsPerHour(), ofCost) / hour);
    }

    private static long part(long seconds, int millionths) {
        long all = Policy.Split.ALL;
        return seconds / all * millionths + seconds % all * millionths / all;
    }

    /** Returns the bound that the first window promises, within the deadline, or null for the window itself. */
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
