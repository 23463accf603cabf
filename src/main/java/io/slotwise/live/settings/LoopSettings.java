package io.slotwise.live.settings;

import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.TopologyLevels;
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
 * The settings of an admin: the planner's policy, and the settings of hosts that run gangs. All durations in seconds.
 *
 * @param cycle the longest wait between two cycles, positive
 * @param collect how long arrivals are collected before a cycle
 * @param defaultRuntime the runtime of a pod that states none, on the reference node, positive
 * @param overrun what happens to a member past its promised end
 * @param overrunGrace by how much at a time a pod past its expected end keeps its room, positive
 * @param startTimeout the time after its start within which a gang must be complete, or it is rolled back, positive
 * @param memberLoss what happens to a running gang that loses a member
 * @param reservationTtl how long a Reservation stays after its gang's end
 * @param holdGrace how long after its start an advance reservation keeps its room for a gang that has not come
 * @param reservationSeats the most seats of all advance reservations of one namespace
 * @param defaultCriterion the criterion of a gang that states none
 * @param searchTime the part of {@code cycle} after which the search for further alternatives ends, millionths; 0 for
 *     no limit
 * @param runtimePrediction the source of runtimes for gangs that state none; without a prediction {@code
 *     defaultRuntime} applies
 * @param currency shown next to money
 * @param timeValues the value of an hour for gangs that state none
 * @param unpaidOverrun what happens to a member past its promised end whose namespace cannot pay the next grace
 * @param timeLimits the highest value of an hour that gangs may state
 * @param tariffs of nodes without a price calendar of their own; the first one whose selector matches counts
 * @param topology the levels at which gangs run near each other
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
        List<NodeTariff> tariffs,
        TopologyLevels topology)
        implements LoopSettingsBuilder.With {
    /** The shortest time for which a record stays, seconds: the pods of its gang name their start for less. */
    public static final long LEAST_RECORD_TTL = 120;

    /** The settings of an empty policy. */
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
            List.of(),
            TopologyLevels.NONE);

    /** The defaults with the papers' exact promises. */
    public static final LoopSettings EXACT = DEFAULT.withPolicy(Policy.EXACT);

    public LoopSettings {
        tariffs = List.copyOf(tariffs);
        positive("cycle", cycle);
        positive("default runtime", defaultRuntime);
        positive("overrun grace", overrunGrace);
        positive("start timeout", startTimeout);
        notNegative("collecting time", collect);
        if (reservationTtl < LEAST_RECORD_TTL) {
            throw new IllegalArgumentException("The time to live of reservations (%d s) must be at least %d s."
                    .formatted(reservationTtl, LEAST_RECORD_TTL));
        }
        notNegative("grace of advance reservations", holdGrace);
        notNegative("number of seats of advance reservations", reservationSeats);
        if (searchTime < 0 || searchTime > Policy.Split.ALL) {
            throw new IllegalArgumentException("The search time (%d) must be between 0 and %d millionths of the cycle."
                    .formatted(searchTime, Policy.Split.ALL));
        }
    }

    /** The treatment of members that run past their promised ends. */
    public enum Overrun {
        /** Keeps the member running, and its room held. */
        EXTEND,
        /** Evicts the member after the grace, or {@link MigrationHistory#KEPT_SECONDS} later if budgets keep it. */
        EVICT
    }

    /** The treatment of running gangs that lose a member. */
    public enum MemberLoss {
        /** Keeps the others running, and places a replacement on its own. */
        CONTINUE,
        /** Evicts the others and plans the gang again, if a controller recreates its pods. */
        RESTART
    }

    /**
     * Returns until when a pod past its expected end keeps its room: its next end by {@link OverrunGrace}, once the
     * turnover after the last one has passed.
     *
     * @param start of the pod, seconds since the epoch
     * @param expected end, seconds since the epoch
     * @param now seconds since the epoch
     */
    public long graced(long start, long expected, long now) {
        return graced(start, expected, now, true);
    }

    /**
     * Returns the second until which a pod keeps its room, for a runtime that a user {@code stated} or that is a guess.
     * The longer a guess is exceeded, the further off it is assumed to be.
     */
    public long graced(long start, long expected, long now, boolean stated) {
        long late = now - expected - policy.turnover();
        OverrunGrace grace = stated ? new OverrunGrace(overrunGrace) : OverrunGrace.unstated();
        return late < 0 ? expected : grace.until(start, expected, late);
    }

    /**
     * Returns the second from which on a member with the promised end {@code end} is evicted. {@link Interval#FOREVER}
     * if it never is.
     */
    public long evictedFrom(long end) {
        return overrun == Overrun.EVICT ? end + overrunGrace : Interval.FOREVER;
    }

    /**
     * Returns how late a promised gang may still be released, seconds: half of the start timeout, but at least the
     * turnover. The gang is not released before its room is free, and its predecessor there may end a little late.
     */
    public long tolerance() {
        return Math.clamp(Math.max(policy.turnover(), startTimeout / 2), 1, startTimeout);
    }

    /** Returns when the search for further alternatives ends in a cycle that begins at {@code began}. */
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
