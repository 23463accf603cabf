package io.slotwise.core.planner.preemption;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.MoveBeneficiary;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of which gang may displace which.
 *
 * <p>In one queue, and without queues, a gang displaces gangs of strictly lower priority, unless its pods displace
 * none. Between two queues the guarantees decide. Let A be the lowest queue that is above both or is one of them. The
 * gang reclaims if each queue from its own up to below A stays within its guarantee with it, in each second of its new
 * window. The other gang borrows if each queue from its own up to below A uses more than its guarantee, all in one
 * second in which the gang may run. In a set of such gangs each still borrows when the others have left.
 * Gangs of A itself are guaranteed nothing, and reclaim from no queue below A. A gang that runs is reclaimed if it says
 * that it may be stopped. It is also reclaimed if it has a lower priority and the policy stops running gangs.
 *
 * <p>Gangs that have not started use the guarantee of their queue one after the other, in the fixed {@link #ORDER}:
 * what later gangs of the same queue use does not count against a gang. So reclaims alone come to an end. A gang that
 * reclaimed a window is within the guarantee there, and borrows again only if a gang that is before it in this order,
 * or a gang of a queue below, moves into its seconds. The first gang of all never borrows again: it only moves to
 * earlier starts, of which there are finitely many. When it stays, the same holds for the next gang. So no two gangs
 * displace each other in turn.
 *
 * <p>A level is the number of queues from a gang's own up to below A.
 *
 * <p>Source: Kueue's {@code reclaimWithinCohort}, applied to seconds.
 */
final class DisplacementRules {
    /** The order in which gangs of a queue use its guarantee, and in which displaced gangs are planned again. */
    static final Comparator<PlanningGang> ORDER = Comparator.comparingInt(
                    (PlanningGang gang) -> -gang.gang.priority())
            .thenComparingLong(gang -> gang.gang.arrival())
            .thenComparing(gang -> gang.gang.id());

    private final Policy policy;
    private final CycleResources resources;
    private final @Nullable QueueTimeline queues;

    /** The gangs of each queue that have not started. */
    private final Map<String, List<PlanningGang>> byQueue;

    DisplacementRules(Policy policy, CycleResources resources, List<PlanningGang> gangs) {
        this.policy = policy;
        this.resources = resources;
        this.queues = resources.timeline().queues();
        this.byQueue = gangs.stream()
                .filter(gang -> mayReclaim(gang.gang))
                .collect(Collectors.groupingBy(gang -> Objects.requireNonNull(gang.gang.queue())));
    }

    /** Returns whether no gang may displace another one. */
    boolean areOff() {
        return policy.preemption() == Preempting.NONE && queues == null;
    }

    /** Returns whether a gang is in a queue that may reclaim. */
    boolean mayReclaim(Gang gang) {
        return queues != null && gang.queue() != null && queues.tree().has(gang.queue());
    }

    /** Returns whether two gangs are in different queues. */
    boolean isAcross(Gang gang, Gang other) {
        return mayReclaim(gang)
                && mayReclaim(other)
                && !Objects.requireNonNull(gang.queue()).equals(other.queue());
    }

    /** Returns whether a gang may displace another one that has not started. */
    boolean mayDisplace(Gang gang, Gang other) {
        return mayDisplace(gang, other, policy.preemption() != Preempting.NONE, true);
    }

    /** Returns whether a gang may displace another one that runs. */
    boolean mayStop(Gang gang, Gang other) {
        return mayDisplace(gang, other, policy.preemption() == Preempting.RUNNING, other.preemptible());
    }

    private boolean mayDisplace(Gang gang, Gang other, boolean byPriority, boolean reclaimable) {
        boolean lower = byPriority && other.priority() < gang.priority() && gang.preempts();
        return isAcross(gang, other) ? (lower || reclaimable) && level(gang, other) > 0 : lower;
    }

    /** Returns the level on which a gang reclaims from another one, or 0 for the same queue. */
    int level(Gang gang, Gang other) {
        return isAcross(gang, other) ? below(gang, other).size() : 0;
    }

    private List<String> below(Gang x, Gang y) {
        return Objects.requireNonNull(queues)
                .tree()
                .below(Objects.requireNonNull(x.queue()), Objects.requireNonNull(y.queue()));
    }

    /**
     * Returns whether a victim of another queue borrows in some second of an interval when these gangs have left; true
     * for the same queue.
     */
    private boolean borrows(Gang gang, Victim victim, Interval interval, List<Victim> gone) {
        Gang other = victim.gang();
        if (queues == null || !isAcross(gang, other)) {
            return true;
        }
        long from = Math.max(victim.interval().start(), interval.start());
        long to = Math.min(victim.interval().end(), interval.end());
        return from < to && resources.bookings().trying(() -> {
            gone.stream().filter(left -> left != victim).forEach(Victim::leave);
            Interval common = new Interval(from, to);
            List<String> names = below(other, gang);
            if (!queues.borrows(names, other.total(), common)) {
                return false;
            }
            List<PlanningGang> followers = followers(victim, common)
                    .filter(follower -> gone.stream().noneMatch(left -> left.gang().equals(follower.gang)))
                    .toList();
            followers.forEach(this::leaveQueue);
            return followers.isEmpty() || queues.borrows(names, other.total(), common);
        });
    }

    /** Returns the gangs that use the guarantee of a victim's queue after the victim, in some second of an interval. */
    private Stream<PlanningGang> followers(Victim victim, Interval interval) {
        return victim instanceof Victim.Placed(PlanningGang placedGang, CycleResources _)
                ? byQueue.getOrDefault(Objects.requireNonNull(placedGang.gang.queue()), List.of()).stream()
                        .filter(other -> ORDER.compare(placedGang, other) < 0)
                        .filter(other -> other.window() != null
                                && !other.released()
                                && other.window().interval().overlaps(interval))
                : Stream.empty();
    }

    private void leaveQueue(PlanningGang gang) {
        String queue = Objects.requireNonNull(gang.gang.queue());
        Interval interval = Objects.requireNonNull(gang.window()).interval();
        QueueTimeline timeline = Objects.requireNonNull(queues);
        resources.bookings().change(
                () -> timeline.giveUp(queue, gang.gang.total(), interval),
                () -> timeline.take(queue, gang.gang.total(), interval));
    }

    /** Returns whether a victim of another queue borrows in some second of an interval; true for the same queue. */
    boolean mayBorrow(Gang gang, Victim victim, Interval interval) {
        return borrows(gang, victim, interval, List.of());
    }

    /** Returns whether each victim of another queue still borrows in the interval when the others have left. */
    boolean stillBorrow(Gang gang, List<Victim> victims, Interval interval) {
        return victims.stream().allMatch(victim -> borrows(gang, victim, interval, victims));
    }

    /**
     * Returns the seconds that a window of a gang may need if it starts from {@code from} to {@code last}, with the
     * turnover before and after it. O(nodes).
     */
    Interval range(PlanningGang gang, long from, long last) {
        long first = Math.max(gang.terms().earliest(), from);
        if (!mayReclaim(gang.gang)) {
            return new Interval(first, Math.max(first, last) + 1);
        }
        long longest = gang.eligibility().stream()
                .flatMap(eligibility -> eligibility.offers().stream())
                .mapToLong(Offer::duration)
                .max()
                .orElse(1);
        return new Interval(first - resources.turnover(), Math.max(first, last) + longest + resources.turnover());
    }

    /** Returns whether a victim may keep a gang from a window in the interval that starts by {@code last}. */
    boolean isInTheWay(PlanningGang gang, Victim victim, Interval interval, long last) {
        boolean queued = mayReclaim(gang.gang) && mayReclaim(victim.gang());
        return queued
                ? victim.interval().overlaps(interval) && mayBorrow(gang.gang, victim, interval)
                : victim.isInTheWayOf(gang, interval.start(), last, resources.turnover());
    }

    /** Returns the beneficiary whose windows stay within the guarantees of its lowest queues, as many as the level. */
    MoveBeneficiary within(MoveBeneficiary beneficiary, int level) {
        SlotTerms terms = beneficiary.terms();
        Gang gang = beneficiary.gang();
        if (queues == null || gang.queue() == null || level == 0 || terms.earliest() >= terms.deadline()) {
            return beneficiary;
        }
        List<String> names = queues.tree().path(gang.queue()).subList(0, level);
        Interval interval = new Interval(terms.earliest(), terms.deadline());
        List<Interval> closed = resources.bookings().trying(() -> {
            resources.bookings().giveUp(gang, beneficiary.window());
            return queues.unguaranteed(names, gang.total(), interval);
        });
        return beneficiary.on(terms.closedIn(closed));
    }
}
