package io.slotwise.live;

import io.slotwise.core.ledger.Charge;
import io.slotwise.core.migration.Mobility;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Window;
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
 * @param back the second by which they are there again, as far as that is known of whoever makes them, since the epoch
 * @param times how often the gang was moved
 */
public record Past(
        List<Leg> legs,
        long work,
        long overhead,
        Cost spent,
        Resources request,
        SortedSet<String> leaving,
        long back,
        int times) {
    /** How long after a move the gang's pods are waited for at least, seconds: not every controller is known. */
    static final long AWAITED_SECONDS = 900;

    /** How long they are waited for after the second by which they should be there, seconds. */
    static final long LATE_SECONDS = 60;

    public Past {
        legs = List.copyOf(legs);
        leaving = Collections.unmodifiableSortedSet(new TreeSet<>(leaving));
        if (legs.isEmpty() || work <= 0 || overhead < 0) {
            throw new IllegalArgumentException(
                    "A gang that was moved must have a run behind it (%s), work (%d s) before it and an overhead (%d s) that is not negative."
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
     */
    public record Leg(long start, long end, Cost promised, Charge charge, long endedAt) {}

    /** The seconds in which it was moved, as far as a limit per hour looks back. */
    public List<Long> moves() {
        return legs.stream().map(Leg::endedAt).toList();
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
     * @param run as it stood until then
     * @param window in which it ran
     * @param ends of the members that had ended before, by pod, seconds since the epoch
     * @param left how it goes on
     * @param leaving the pods that have to go
     * @param now the second in which it is stopped
     */
    static Past of(
            Standing run, Window window, Map<String, Long> ends, Rest left, SortedSet<String> leaving, long now) {
        Past before = run.history().past();
        Charge.Course course = new Charge.Course(
                run.history().startedAt().orElse(window.start()),
                ends,
                now,
                run.terms().lockstep());
        Charge charge = Charge.of(window, run.tariff(), course);
        Leg leg = new Leg(window.start(), window.end(), window.cost(), charge, now);
        return new Past(
                after(before == null ? List.of() : before.legs(), leg),
                left.work(),
                left.overhead(),
                before == null ? charge.total() : before.spent().plus(charge.total()),
                left.request(),
                leaving,
                left.back(),
                before == null ? 1 : before.times() + 1);
    }

    /**
     * How a gang goes on that is stopped.
     *
     * @param work see {@link Past}
     * @param overhead see {@link Past}
     * @param request see {@link Past}
     * @param back see {@link Past}
     */
    record Rest(long work, long overhead, Resources request, long back) {}

    /** The legs after one more; those that no limit looks back at any more were charged long since. */
    private static List<Leg> after(List<Leg> before, Leg leg) {
        List<Leg> legs = new ArrayList<>(before);
        legs.removeIf(old -> old.endedAt() <= leg.endedAt() - Mobility.HOUR);
        legs.add(leg);
        return legs;
    }
}
