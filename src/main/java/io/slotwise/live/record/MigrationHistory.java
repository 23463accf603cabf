package io.slotwise.live.record;

import io.slotwise.core.ledger.Charge;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The runs of a gang before its last move: its remaining work, its cost, and the pods that have to go.
 *
 * @param legs the runs that moves ended within an hour of the last one, oldest first; at least one
 * @param work that was left at the last move, seconds on the reference node
 * @param overhead of the next run's restart, seconds on the reference node
 * @param spent the charge of all runs until the last move
 * @param request an upper limit for every pod of the gang
 * @param leaving the UIDs of the pods that the last move evicts
 * @param back the second by which they are recreated, as far as their controller is known, since the epoch
 * @param cost of each second that the pods stay after the last move because disruption budgets keep them
 * @param lost the work lost by all moves, pod-seconds: useless runs, or the restarts of a gang that keeps its work
 */
public record MigrationHistory(
        List<Leg> legs,
        long work,
        long overhead,
        Cost spent,
        Resources request,
        SortedSet<String> leaving,
        long back,
        int times,
        Cost cost,
        long lost) {
    /** The longest time for which disruption budgets may keep a gang that has to go, seconds. */
    public static final long KEPT_SECONDS = 60;

    /** Pods that are not terminating so long after a move are kept by a budget, seconds. */
    private static final long ASKED_SECONDS = 3;

    /** The shortest time after a move for which the gang's pods are awaited, seconds: not every controller is known. */
    static final long AWAITED_SECONDS = 900;

    /** The time for which they are awaited after the second by which they should exist, seconds. */
    static final long LATE_SECONDS = 60;

    /** The upper limit of lost pod-seconds: the sum over all gangs must fit into a long. */
    private static final long MOST_LOST = 1L << 45;

    public MigrationHistory {
        legs = List.copyOf(legs);
        leaving = Collections.unmodifiableSortedSet(new TreeSet<>(leaving));
        lost = Math.clamp(lost, 0, MOST_LOST);
        if (legs.isEmpty() || work <= 0 || overhead < 0) {
            throw new IllegalArgumentException(
                    ("A gang that was moved must have a run behind it (%s), work (%d s) before it and an "
                                    + "overhead (%d s) that is not negative.")
                            .formatted(legs, work, overhead));
        }
    }

    /**
     * A run that a move ended.
     *
     * @param start of its window, which determines the period that pays
     * @param end the first second after its planned end
     * @param promised the cost of its window
     * @param charge of the seconds until the move at the promised prices
     * @param endedAt the second of the move, since the epoch
     * @param stay whether this is not a run, but the time after one in which disruption budgets kept the pods
     */
    public record Leg(long start, long end, Cost promised, Charge charge, long endedAt, boolean stay) {
        public Leg(long start, long end, Cost promised, Charge charge, long endedAt) {
            this(start, end, promised, charge, endedAt, false);
        }
    }

    /** Returns the seconds of the moves that a limit per hour counts. */
    public List<Long> moves() {
        return legs.stream().filter(leg -> !leg.stay()).map(Leg::endedAt).toList();
    }

    /**
     * Adds the time until {@code now} in which disruption budgets kept the pods. Each second costs as much as the last
     * one of the run, in addition to the promise, in the period that paid for the run. The legs of such stays start at
     * successive seconds after the start of the run, where no other run can start: the first second identifies a run in
     * a ledger.
     */
    public MigrationHistory stayed(long now) {
        Leg last = legs.getLast();
        if (now <= last.endedAt() || cost.equals(Cost.ZERO)) {
            return this;
        }
        Cost dueCost = Cost.of(cost.exact().multiply(BigInteger.valueOf(now - last.endedAt())));
        Leg leg = new Leg(last.start() + 1, now, Cost.ZERO, new Charge(Cost.ZERO, dueCost), now, true);
        return new MigrationHistory(
                after(legs, leg), work, overhead, spent.plus(dueCost), request, leaving, back, times, cost, lost);
    }

    public boolean evicts(String uid) {
        return leaving.contains(uid);
    }

    /**
     * Returns from which second on the remaining pods of {@link #leaving} terminate, as far as is known at {@code now}.
     * Their room is not free before.
     */
    public long leavingFrom(long now) {
        List<Long> moves = moves();
        long asked = moves.isEmpty() ? now : moves.getLast();
        return now < asked + ASKED_SECONDS ? now : Math.max(now, asked + KEPT_SECONDS);
    }

    /** Returns the seconds that the next or current run takes on the reference node. */
    public long runtime() {
        return work + overhead;
    }

    /** Returns whether pods that are missing at {@code now} may be on their way. */
    boolean awaits(long now) {
        return now < Math.max(legs.getLast().endedAt() + AWAITED_SECONDS, back + LATE_SECONDS);
    }

    /**
     * Returns the history of a gang that is stopped now.
     *
     * @param ends of the members that had ended before, by pod, seconds since the epoch
     * @param leaving the pods that have to go
     */
    public static MigrationHistory of(
            GangRecord record, Window window, Map<String, Long> ends, Rest left, SortedSet<String> leaving, long now) {
        MigrationHistory before = record.history().history();
        Charge charge = charge(record, window, ends, now);
        Cost next = charge(record, window, ends, now + 1).total().minus(charge.total());
        Leg leg = new Leg(window.start(), window.end(), window.cost(), charge, now);
        return new MigrationHistory(
                after(before == null ? List.of() : before.legs(), leg),
                left.work(),
                left.overhead(),
                before == null ? charge.total() : before.spent().plus(charge.total()),
                left.request(),
                leaving,
                left.back(),
                before == null ? 1 : before.times() + 1,
                next,
                (before == null ? 0 : before.lost()) + lost(record, window, left, now));
    }

    /** The run of a gang that has as much work left as before was useless. */
    private static long lost(GangRecord record, Window window, Rest left, long now) {
        MigrationHistory before = record.history().history();
        long work = before == null ? record.terms().runtime() : before.work();
        long elapsed = Math.max(0, now - record.history().startedAt().orElse(now));
        return window.placements().size() * (left.work() < work ? left.overhead() : elapsed);
    }

    private static Charge charge(GangRecord record, Window window, Map<String, Long> ends, long end) {
        return Charge.of(window, record.tariff(), record.course(window, ends, end));
    }

    /** The rest of a stopped gang, with components as in {@link MigrationHistory}. */
    public record Rest(long work, long overhead, Resources request, long back) {}

    /** Adds a leg, and removes legs outside the last hour, which no limit counts. Those were charged long ago. */
    private static List<Leg> after(List<Leg> before, Leg leg) {
        List<Leg> legs = new ArrayList<>(before);
        legs.removeIf(oldLeg -> oldLeg.endedAt() <= leg.endedAt() - MigrationPolicy.HOUR);
        legs.add(leg);
        return legs;
    }
}
