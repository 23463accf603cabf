package io.slotwise.core.planner.preemption;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.MoveBeneficiary;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * <p>A level is the number of queues from a gang's own up to below A.
 *
 * <p>Source: Kueue's {@code reclaimWithinCohort}, applied to seconds.
 */
final class DisplacementRules {
    /** The order in which displaced gangs are planned again. */
    static final Comparator<PlanningGang> ORDER = Comparator.comparingInt((PlanningGang gang) -> -gang.gang.priority())
            .thenComparingLong(gang -> gang.gang.arrival())
            .thenComparing(gang -> gang.gang.id());

    private final Policy policy;
    private final CycleResources resources;
    private final @Nullable QueueTimeline queues;
    /** The lowest priority of all gangs. Stopped gangs do not change it, as they are among the running ones. */
    private final int lowest;
    /** The queues of all gangs. */
    private final Set<String> used;
    /** The answers of {@link #reach} while the same queues borrow, by queue. */
    private final Map<String, Set<String>> reaches = new HashMap<>();

    private Map<String, Set<String>> reachedFrom = Map.of();

    /** Creates the rules for these gangs, waiting and running ones. */
    DisplacementRules(Policy policy, CycleResources resources, List<Gang> gangs) {
        this.lowest = gangs.stream().mapToInt(Gang::priority).min().orElse(Integer.MAX_VALUE);
        this.used = gangs.stream().map(Gang::queue).flatMap(Stream::ofNullable).collect(Collectors.toSet());
        this.policy = policy;
        this.resources = resources;
        this.queues = resources.timeline().queues();
    }

    /** Returns whether no gang may displace another one. */
    boolean areOff() {
        return policy.preemption() == Preempting.NONE && queues == null;
    }

    /** Returns whether a gang is in a queue that may reclaim. */
    boolean mayReclaim(Gang gang) {
        return queues != null && gang.queue() != null && queues.tree().has(gang.queue());
    }

    /** Returns whether some gang may have to make way because of its priority. */
    boolean outranks(Gang gang) {
        return gang.preempts() && lowest < gang.priority();
    }

    /** Returns the queues of gangs from which a gang may reclaim: all up to below a queue above its own borrow. */
    Set<String> reach(Gang gang) {
        if (queues == null || gang.queue() == null || !mayReclaim(gang)) {
            return Set.of();
        }
        Map<String, Set<String>> borrowing = queues.borrowing();
        if (!borrowing.equals(reachedFrom)) {
            reachedFrom = borrowing;
            reaches.clear();
        }
        return reaches.computeIfAbsent(gang.queue(), queue -> reach(queue, borrowing, queues.tree()));
    }

    private Set<String> reach(String queue, Map<String, Set<String>> borrowing, QueueTree tree) {
        Set<String> names = new HashSet<>();
        tree.path(queue).forEach(above -> names.addAll(borrowing.getOrDefault(above, Set.of())));
        names.remove(queue);
        names.retainAll(used);
        return names;
    }

    /** Returns whether two gangs are in different queues. */
    boolean isAcross(Gang gang, Gang other) {
        return mayReclaim(gang)
                && mayReclaim(other)
                && !Objects.requireNonNull(gang.queue()).equals(other.queue());
    }

    /**
     * Returns whether a gang may displace another one that has not started. A gang that keeps its promise reclaims from
     * gangs after it in {@link #ORDER} alone, so no two gangs reclaim the same room in turn.
     */
    boolean mayDisplace(PlanningGang gang, PlanningGang other) {
        boolean keepsPromise = gang.promised() && gang.window() != null;
        return mayDisplace(
                gang.gang,
                other.gang,
                policy.preemption() != Preempting.NONE,
                !keepsPromise || ORDER.compare(gang, other) < 0);
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

    /** Returns whether a victim of another queue borrows in some second of an interval; true for the same queue. */
    boolean mayBorrow(Gang gang, Victim victim, Interval interval) {
        Interval victimInterval = victim.interval();
        long from = Math.max(victimInterval.start(), interval.start());
        long to = Math.min(victimInterval.end(), interval.end());
        Gang other = victim.gang();
        return queues == null
                || !isAcross(gang, other)
                || (from < to && queues.borrows(below(other, gang), other.total(), new Interval(from, to)));
    }

    /** Returns whether each victim of another queue still borrows in the interval when the others have left. */
    boolean stillBorrow(Gang gang, List<Victim> victims, Interval interval) {
        return victims.stream()
                .filter(victim -> isAcross(gang, victim.gang()))
                .allMatch(victim -> resources.bookings().trying(() -> {
                    List<Victim> others = new ArrayList<>(victims);
                    others.remove(victim);
                    others.forEach(Victim::leave);
                    return mayBorrow(gang, victim, interval);
                }));
    }

    /** Returns the seconds in which a gang of a queue may run if it starts by {@code last}. O(nodes). */
    Interval range(PlanningGang gang, long last) {
        long longest = !mayReclaim(gang.gang)
                ? 1
                : gang.eligibility().stream()
                        .flatMap(eligibility -> eligibility.offers().stream())
                        .mapToLong(Offer::duration)
                        .max()
                        .orElse(1);
        long first = gang.terms().earliest();
        return new Interval(first, Math.max(first, last) + longest);
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
