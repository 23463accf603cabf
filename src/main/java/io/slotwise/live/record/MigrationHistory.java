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
 * What a gang did before it was moved: how much is left, what that has cost, and which pods have to go.
 *
 * @param legs the runs that were ended by a move within an hour of the last one, oldest first; at least one
 * @param work seconds on the reference node that were left at the last move
 * @param overhead seconds on the reference node that the next run spends on its restart
 * @param spent what all runs until the last move were charged
 * @param request no pod of the gang takes more of any resource
 * @param leaving the pods that the last move evicts, by their identity
 * @param back the second by which they are there again, as far as that is known of the controller that makes them,
 *     since the epoch
 * @param times how often the gang was moved
 * @param cost what each second costs for which its pods stay after the last move, since disruption budgets keep
 *     them
 * @param lost the work that all moves have lost, pod-seconds: what was run for nothing, or the restart of a gang that
 *     keeps its work
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
    /** So long disruption budgets may keep a gang that has to go; then it goes all the same. Seconds. */
    public static final long KEPT_SECONDS = 60;

    /** Pods that are not on their way out so long after a move are kept, seconds. */
    private static final long ASKED_SECONDS = 3;

    /** How long after a move the gang's pods are waited for at least, seconds: not every controller is known. */
    static final long AWAITED_SECONDS = 900;

    /** How long they are waited for after the second by which they should be there, seconds. */
    static final long LATE_SECONDS = 60;

    /** More lost pod-seconds count as so many: those of all gangs add up to a long. */
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
     * One run that a move ended.
     *
     * @param start the first second of its window, which says the period that pays
     * @param end the first second after its planned end
     * @param promised what its window was to cost
     * @param charge what the seconds until the move cost at the promised prices
     * @param endedAt the second of the move, since the epoch
     * @param stay whether this is no run but a while after one for which disruption budgets kept the pods
     */
    public record Leg(long start, long end, Cost promised, Charge charge, long endedAt, boolean stay) {
        /** A run. */
        public Leg(long start, long end, Cost promised, Charge charge, long endedAt) {
            this(start, end, promised, charge, endedAt, false);
        }
    }

    /** The seconds in which it was moved, as far as a limit per hour looks back. */
    public List<Long> moves() {
        return legs.stream().filter(leg -> !leg.stay()).map(Leg::endedAt).toList();
    }

    /**
     * Its pods are still there at second {@code now}: they were asked to go and a disruption budget has kept them. Each
     * second of that costs what the last one of the run did, beyond what was promised, and the period that paid for the
     * run pays for it. The legs of stays begin at seconds of the run before them, one after the other, at which no
     * other run can begin: by its first second a ledger tells one from another.
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

    /** Whether the last move evicts the pod with this identity. */
    public boolean evicts(String uid) {
        return leaving.contains(uid);
    }

    /**
     * From which second on the pods of {@link #leaving} that are still there are on their way out, as far as is known
     * at {@code now}. Their room is nobody's before.
     */
    public long leavingFrom(long now) {
        List<Long> moves = moves();
        long asked = moves.isEmpty() ? now : moves.getLast();
        return now < asked + ASKED_SECONDS ? now : Math.max(now, asked + KEPT_SECONDS);
    }

    /** The seconds that its next or present run reserves on the reference node. */
    public long runtime() {
        return work + overhead;
    }

    /** Whether pods that are missing at {@code now} may be on their way. */
    boolean awaits(long now) {
        return now < Math.max(legs.getLast().endedAt() + AWAITED_SECONDS, back + LATE_SECONDS);
    }

    /**
     * What a gang has done once it is stopped.
     *
     * @param record as it stood until then
     * @param window in which it ran
     * @param ends of the members that had ended before, by pod, seconds since the epoch
     * @param left how it goes on
     * @param leaving the pods that have to go
     * @param now the second in which it is stopped
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

    /** A gang that has as much work left as before this run has run for nothing. */
    private static long lost(GangRecord record, Window window, Rest left, long now) {
        MigrationHistory before = record.history().history();
        long work = before == null ? record.terms().runtime() : before.work();
        long elapsed = Math.max(0, now - record.history().startedAt().orElse(now));
        return window.placements().size() * (left.work() < work ? left.overhead() : elapsed);
    }

    private static Charge charge(GangRecord record, Window window, Map<String, Long> ends, long end) {
        return Charge.of(window, record.tariff(), record.course(window, ends, end));
    }

    /**
     * How a gang goes on that is stopped.
     *
     * @param work see {@link MigrationHistory}
     * @param overhead see {@link MigrationHistory}
     * @param request see {@link MigrationHistory}
     * @param back see {@link MigrationHistory}
     */
    public record Rest(long work, long overhead, Resources request, long back) {}

    /** The legs after one more; those that no limit looks back at any more were charged long since. */
    private static List<Leg> after(List<Leg> before, Leg leg) {
        List<Leg> legs = new ArrayList<>(before);
        legs.removeIf(oldLeg -> oldLeg.endedAt() <= leg.endedAt() - MigrationPolicy.HOUR);
        legs.add(leg);
        return legs;
    }
}
