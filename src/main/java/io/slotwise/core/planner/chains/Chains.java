package io.slotwise.core.planner.chains;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The chains of one cycle: which gang starts after which others.
 *
 * <p>A gang starts when all its predecessors have ended, successfully or not, and its data is transferred. The end of a
 * waiting predecessor is the end of its present window; the end of a running one is its expected end. Conversely, a
 * gang ends early enough for the windows that its successors have. Gangs whose pods are on their way are not bound:
 * their predecessors have ended.
 *
 * <p>Three kinds of gangs are not planned: gangs on a circle, gangs with a predecessor that does not exist, and gangs
 * with a predecessor that cannot be planned. All others can be ordered so that each gang comes after its predecessors.
 * O((g + e) log g) for g gangs with e predecessors, and no work where no gang has predecessors.
 */
public final class Chains {
    private static final Comparator<PlanningGang> BY_NAME = Comparator.comparing(gang -> gang.gang.id());

    private final Snapshot snapshot;
    private final long horizonEnd;
    private final Transfers transfers;
    private final Map<GangId, PlanningGang> waiting = new HashMap<>();
    private final Map<GangId, List<PlanningGang>> followers = new HashMap<>();
    private final SortedMap<GangId, Refusal> refused = new TreeMap<>();

    /** Binds the windows of these gangs from now on. Windows end before {@code horizonEnd}. */
    public Chains(Snapshot snapshot, long horizonEnd, Timeline timeline, String domainKey, List<PlanningGang> gangs) {
        this.snapshot = snapshot;
        this.horizonEnd = horizonEnd;
        this.transfers = new Transfers(timeline, domainKey);
        List<PlanningGang> behind =
                gangs.stream().filter(Chains::isBehind).sorted(BY_NAME).toList();
        if (behind.isEmpty()) {
            return;
        }
        gangs.forEach(gang -> waiting.put(gang.gang.id(), gang));
        for (PlanningGang gang : behind) {
            for (GangId before : gang.gang.after().gangs()) {
                followers.computeIfAbsent(before, _ -> new ArrayList<>()).add(gang);
            }
        }
        refuse(behind);
        refused.keySet().forEach(waiting::remove);
        followers.values().forEach(others -> others.removeIf(other -> refused.containsKey(other.gang.id())));
        followers.values().removeIf(List::isEmpty);
        waiting.values().stream()
                .filter(gang -> isBehind(gang) || followers.containsKey(gang.gang.id()))
                .forEach(gang -> gang.setBounds(terms -> bound(gang, terms)));
    }

    private static boolean isBehind(PlanningGang gang) {
        return !gang.gang.after().isNone() && !gang.released();
    }

    private void refuse(List<PlanningGang> behind) {
        SortedMap<GangId, List<GangId>> after = new TreeMap<>();
        behind.forEach(gang -> after.put(gang.gang.id(), gang.gang.after().gangs()));
        Circles.of(after).forEach((gang, next) -> refused.put(gang, new Refusal.AfterCircle(next)));
        Set<GangId> held = snapshot.held().stream().map(Pending::gang).collect(Collectors.toSet());
        List<GangId> out = new ArrayList<>(refused.keySet());
        for (PlanningGang gang : behind) {
            Refusal refusal = obstacle(gang, held);
            if (refusal != null && refused.putIfAbsent(gang.gang.id(), refusal) == null) {
                out.add(gang.gang.id());
            }
        }
        for (int i = 0; i < out.size(); i++) {
            GangId gang = out.get(i);
            for (PlanningGang follower : followers.getOrDefault(gang, List.of())) {
                if (refused.putIfAbsent(follower.gang.id(), new Refusal.AfterPending(gang)) == null) {
                    out.add(follower.gang.id());
                }
            }
        }
    }

    /** Returns the reason why a gang cannot be planned because of its predecessors, or null. */
    private @Nullable Refusal obstacle(PlanningGang gang, Set<GangId> held) {
        for (GangId before : gang.gang.after().gangs()) {
            if (!snapshot.ends().admits(gang.gang.id(), before)) {
                return new Refusal.AfterMissing(before);
            }
            if (waiting.containsKey(before)) {
                continue;
            }
            Long end = known(gang, before);
            if (end == null && !held.contains(before)) {
                return new Refusal.AfterMissing(before);
            }
            if (end == null || end == Interval.FOREVER) {
                return new Refusal.AfterPending(before);
            }
        }
        return null;
    }

    public SortedMap<GangId, Refusal> refused() {
        return Collections.unmodifiableSortedMap(refused);
    }

    /** Returns whether no waiting gang depends on another gang. */
    public boolean areNone() {
        return followers.isEmpty();
    }

    /** Returns whether a waiting gang starts after this one. */
    public boolean isAwaited(GangId gang) {
        return followers.containsKey(gang);
    }

    public boolean has(PlanningGang gang) {
        return !areNone() && (isBehind(gang) || followers.containsKey(gang.gang.id()));
    }

    List<PlanningGang> behind(PlanningGang gang) {
        return followers.getOrDefault(gang.gang.id(), List.of());
    }

    /** Adds the remainders of stopped gangs, which wait now. */
    public void renew(List<PlanningGang> queue) {
        if (!areNone()) {
            queue.forEach(gang -> waiting.put(gang.gang.id(), gang));
        }
    }

    /** Returns whether one gang is a predecessor of another, directly or through others. O(predecessors). */
    public boolean isBefore(GangId gang, PlanningGang other) {
        if (!isAwaited(gang)) {
            return false;
        }
        Set<GangId> seen = new HashSet<>();
        List<GangId> before = new ArrayList<>(other.gang.after().gangs());
        for (int i = 0; i < before.size(); i++) {
            GangId id = before.get(i);
            if (id.equals(gang)) {
                return true;
            }
            PlanningGang planningGang = waiting.get(id);
            if (planningGang != null && seen.add(id)) {
                before.addAll(planningGang.gang.after().gangs());
            }
        }
        return false;
    }

    /** Returns a gang's terms given the others' present windows; empty if a predecessor has no window. */
    private SlotTerms bound(PlanningGang gang, SlotTerms terms) {
        long ready = isBehind(gang) ? ready(gang) : Long.MIN_VALUE;
        SlotTerms boundTerms = terms;
        if (ready != Long.MIN_VALUE) {
            // The data of a predecessor that has ended is transferred too; at some point that is over.
            boundTerms = terms.from(
                    ready == Interval.FOREVER ? horizonEnd : Math.min(horizonEnd, ready + transfers.before(gang)));
        }
        long deadline = terms.deadline();
        for (PlanningGang follower : behind(gang)) {
            Window heldWindow = follower.held();
            if (heldWindow != null && !follower.released()) {
                deadline = Math.min(deadline, heldWindow.start() - transfers.before(follower.gang, heldWindow));
            }
        }
        return deadline < terms.deadline() ? boundTerms.endingBy(deadline) : boundTerms;
    }

    /** Returns when the last predecessor ends, or {@link Interval#FOREVER} if one has no window. */
    private long ready(PlanningGang gang) {
        long ready = Long.MIN_VALUE;
        for (GangId before : gang.gang.after().gangs()) {
            ready = Math.max(ready, end(gang, before));
        }
        return ready;
    }

    /** Returns when a predecessor ends at present, or {@link Interval#FOREVER} if it has no window. */
    private long end(PlanningGang gang, GangId before) {
        PlanningGang other = waiting.get(before);
        if (other == null) {
            Long end = known(gang, before);
            return end == null ? Interval.FOREVER : end;
        }
        Window heldWindow = other.held();
        return heldWindow == null ? Interval.FOREVER : heldWindow.end();
    }

    /** Returns the end of a gang that does not wait, if known or recorded by its successor, else null. */
    private @Nullable Long known(PlanningGang gang, GangId before) {
        Long end = snapshot.ends().known().get(before);
        return end == null ? gang.gang.after().over().get(before) : end;
    }

    /** Returns whether a window starts after all predecessors. A predecessor without a window delays the gang. */
    public boolean holds(PlanningGang gang, Window window) {
        long ready = isBehind(gang) ? ready(gang) : Long.MIN_VALUE;
        return ready <= snapshot.now()
                || (ready != Interval.FOREVER && window.start() - transfers.before(gang.gang, window) >= ready);
    }

    /** Returns whether a promise starts too early for its predecessors, which all have a window or an end. */
    public boolean isLate(PlanningGang gang) {
        return gang.promised()
                && isBehind(gang)
                && ready(gang) != Interval.FOREVER
                && !holds(gang, gang.promisedWindow());
    }

    /** Returns the predecessor without a window as the reason of a gang. Null if there is none. */
    public @Nullable Refusal obstacle(PlanningGang gang) {
        if (!isBehind(gang)) {
            return null;
        }
        return gang.gang.after().gangs().stream()
                .filter(before -> end(gang, before) == Interval.FOREVER)
                .findFirst()
                .map(Refusal.AfterPending::new)
                .orElse(null);
    }

    /** Returns the predecessor that ends last, as the reason of a delay. */
    public ReasonStatement delay(PlanningGang gang) {
        GangId last = gang.gang.after().gangs().stream()
                .max(Comparator.comparingLong((GangId before) -> end(gang, before))
                        .thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
        long end = end(gang, last);
        return end == Interval.FOREVER ? new Refusal.AfterPending(last) : new BrokenPromise.Delayed(last, end);
    }

    /** Returns the queue, changed only so that every gang comes after its predecessors. */
    public List<PlanningGang> order(List<PlanningGang> queue) {
        if (areNone()) {
            return queue;
        }
        Map<GangId, Integer> ranks = new HashMap<>();
        queue.forEach(gang -> ranks.put(gang.gang.id(), ranks.size()));
        Map<GangId, Integer> left = new HashMap<>();
        PriorityQueue<PlanningGang> next = new PriorityQueue<>(Comparator.comparing(gang -> ranks.get(gang.gang.id())));
        for (PlanningGang gang : queue) {
            int before = before(gang, ranks);
            left.put(gang.gang.id(), before);
            if (before == 0) {
                next.add(gang);
            }
        }
        List<PlanningGang> ordered = new ArrayList<>();
        while (!next.isEmpty()) {
            PlanningGang gang = next.remove();
            ordered.add(gang);
            for (PlanningGang follower : behind(gang)) {
                if (left.merge(follower.gang.id(), -1, Integer::sum) == 0) {
                    next.add(follower);
                }
            }
        }
        return ordered;
    }

    private static int before(PlanningGang gang, Map<GangId, Integer> ranks) {
        return isBehind(gang)
                ? (int) gang.gang.after().gangs().stream()
                        .filter(ranks::containsKey)
                        .count()
                : 0;
    }

    /**
     * Cuts the queue into stages, in its order, within which no gang starts after another. Without chains there is one
     * stage, possibly empty.
     */
    public List<List<PlanningGang>> stages(List<PlanningGang> queue) {
        if (areNone()) {
            return List.of(queue);
        }
        List<List<PlanningGang>> stages = new ArrayList<>();
        List<PlanningGang> stage = new ArrayList<>();
        Set<GangId> names = new HashSet<>();
        for (PlanningGang gang : queue) {
            if (isBehind(gang) && gang.gang.after().gangs().stream().anyMatch(names::contains)) {
                stages.add(stage);
                stage = new ArrayList<>();
                names.clear();
            }
            stage.add(gang);
            names.add(gang.gang.id());
        }
        stages.add(stage);
        return stages;
    }
}
