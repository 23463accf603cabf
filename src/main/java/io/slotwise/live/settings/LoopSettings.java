package io.slotwise.live.settings;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.record.MigrationHistory;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * What an admin may set: the planner's policy, and what only a host that runs gangs needs. All durations in seconds.
 *
 * @param policy the planner's part
 * @param cycle the longest wait between two cycles, positive
 * @param collect how long arrivals are collected before a cycle
 * @param defaultRuntime the runtime of a pod that states none, on the reference node, positive
 * @param overrun what becomes of a member past its promised end
 * @param overrunGrace how long at a time a pod past its expected end holds its place, positive
 * @param startTimeout a gang that is not whole this long after its start is rolled back, positive
 * @param memberLoss what becomes of a running gang that loses a member
 * @param reservationTtl how long a Reservation stays after its gang's end
 * @param holdGrace how long after its start an advance reservation keeps its room for a gang that has not come
 * @param reservationSeats the most seats of all advance reservations of one namespace
 * @param defaultCriterion the criterion of a gang that states none
 * @param searchTime the part of {@code cycle} after which the search for more than one alternative of each gang ends,
 *     millionths; 0: it never does
 * @param runtimePrediction what the runtime is told from of a gang that states none; {@code defaultRuntime} is what
 *     nothing is told of
 * @param currency what stands beside money where it is shown
 * @param timeValues what an hour is worth to gangs that do not say it
 * @param unpaidOverrun what becomes of a member past its promised end whose namespace cannot pay its next grace
 * @param timeLimits the most that gangs may say an hour is worth
 * @param tariffs of nodes without a price calendar of their own; of those that select a node the first counts
 */
@RecordBuilder
public record LoopSettings(
        Policy policy,
        long cycle,
        long collect,
        long defaultRuntime,
        Overrun overrun,
        long overrunGrace,
        long startTimeout,
        MemberLoss memberLoss,
        long reservationTtl,
        long holdGrace,
        int reservationSeats,
        Criterion defaultCriterion,
        int searchTime,
        RuntimePredictor runtimePrediction,
        Currency currency,
        TimeValues timeValues,
        Overrun unpaidOverrun,
        TimeValues timeLimits,
        List<NodeTariff> tariffs)
        implements LoopSettingsBuilder.With {
    /** {@link #recordTtl} at least, seconds. */
    private static final long SHORTEST_TTL = 120;

    /** What a policy means that says nothing. */
    public static final LoopSettings DEFAULT = new LoopSettings(
            Policy.DEFAULT,
            10,
            1,
            3600,
            Overrun.EXTEND,
            60,
            10,
            MemberLoss.CONTINUE,
            3600,
            900,
            10_000,
            Criterion.START,
            500_000,
            RuntimePredictor.DEFAULT,
            Currency.NONE,
            TimeValues.NONE,
            Overrun.EXTEND,
            TimeValues.NO_LIMIT,
            List.of());

    /** The defaults with the papers' exact promises. */
    public static final LoopSettings EXACT = DEFAULT.withPolicy(Policy.EXACT);

    public LoopSettings {
        tariffs = List.copyOf(tariffs);
        positive("cycle", cycle);
        positive("default runtime", defaultRuntime);
        positive("overrun grace", overrunGrace);
        positive("start timeout", startTimeout);
        notNegative("collecting time", collect);
        notNegative("time to live of reservations", reservationTtl);
        notNegative("grace of advance reservations", holdGrace);
        notNegative("number of seats of advance reservations", reservationSeats);
        if (searchTime < 0 || searchTime > Policy.Split.ALL) {
            throw new IllegalArgumentException("The search time (%d) must be between 0 and %d millionths of the cycle."
                    .formatted(searchTime, Policy.Split.ALL));
        }
    }

    /** What becomes of a member that runs past its promised end. */
    public enum Overrun {
        /** It runs on, and its room is held for it. */
        EXTEND,
        /** After the grace it is evicted; disruption budgets keep it for {@link MigrationHistory#KEPT_SECONDS} more. */
        EVICT
    }

    /** What becomes of a running gang that loses a member. */
    public enum MemberLoss {
        /** The others go on; a replacement is placed singly. */
        CONTINUE,
        /** The others are evicted and the gang is planned again, if a controller makes its pods again. */
        RESTART
    }

    /**
     * Until when a pod holds its place that should end at a second: its next end by the {@link OverrunGrace} once the
     * turnover after the last one has passed.
     *
     * @param start when it began, seconds since the epoch
     * @param expected the second, since the epoch
     * @param now since the epoch
     */
    public long graced(long start, long expected, long now) {
        return graced(start, expected, now, true);
    }

    /**
     * The same.
     *
     * @param stated whether a user stated how long it runs: a guess is taken to be the further off the longer it is
     *     passed
     */
    public long graced(long start, long expected, long now, boolean stated) {
        long late = now - expected - policy.turnover();
        OverrunGrace grace = stated ? new OverrunGrace(overrunGrace) : OverrunGrace.unstated();
        return late < 0 ? expected : grace.until(start, expected, late);
    }

    /**
     * From this second on a member is evicted whose promised end was at {@code end}; {@link Interval#FOREVER}: it never
     * is.
     */
    public long evictedFrom(long end) {
        return overrun == Overrun.EVICT ? end + overrunGrace : Interval.FOREVER;
    }

    /**
     * How long a record stays after its gang's end while the gang's pods are there, seconds: longer than what they
     * carry of the start counts without one.
     */
    public long recordTtl() {
        return Math.max(reservationTtl, SHORTEST_TTL);
    }

    /**
     * How late a promised gang may still be released, seconds: half of the time in which it has to be whole, and the
     * turnover at least. What ran before it may end a little late, and it is not sent before its room is free.
     */
    public long tolerance() {
        return Math.clamp(Math.max(policy.turnover(), startTimeout / 2), 1, startTimeout);
    }

    /** When a cycle that begins at {@code began} is to look for no more alternatives. */
    public StopSignal searchEnd(Instant began, InstantSource clock) {
        if (searchTime == 0) {
            return StopSignal.NEVER;
        }
        Instant end = began.plusNanos(Math.multiplyExact(cycle, searchTime) * 1000L);
        return _ -> !clock.instant().isBefore(end);
    }

    private static void positive(String name, long seconds) {
        if (seconds <= 0) {
            throw new IllegalArgumentException("The %s (%d s) must be positive.".formatted(name, seconds));
        }
    }

    private static void notNegative(String name, long seconds) {
        if (seconds < 0) {
            throw new IllegalArgumentException("The %s (%d s) must not be negative.".formatted(name, seconds));
        }
    }
}
