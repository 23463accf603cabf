package io.slotwise.live;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Spreads the starts of new gangs: kube-scheduler brings some hundred pods a second to their nodes, so gangs that would all start
 * in one second would all be late in it. A gang that comes after {@code most} pods of others is planned a second later. Whoever
 * has a promise keeps it, and a gang that finds no window later is left where it was. Belongs to one cycle.
 */
final class Rush {
    private final int most;
    private final Map<GangId, Long> earliest = new HashMap<>();
    private final Set<GangId> leftAlone = new HashSet<>();

    /**
     * Nobody held back yet.
     *
     * @param most pods that may start in one second, positive; a larger gang starts alone
     */
    Rush(int most) {
        this.most = most;
    }

    /** The snapshot in which the gangs that were held back start no earlier than that. */
    Snapshot apply(Snapshot snapshot) {
        if (earliest.isEmpty()) {
            return snapshot;
        }
        List<Request> requests = snapshot.requests().stream().map(this::later).toList();
        return snapshot.with(requests);
    }

    private Request later(Request request) {
        Gang gang = request.gang();
        Long second = earliest.get(gang.id());
        return second == null || second <= gang.earliestStart()
                ? request
                : new Request(gang.startingFrom(second), request.promise());
    }

    /**
     * Holds back what comes too much in some second of this plan. O(g (log g + s)) for g gangs that start within s seconds.
     *
     * @param promised the starts that gangs are promised already: none of these is held back beyond it
     * @return whether anything changed, so that it is worth planning again
     */
    boolean holdBack(Plan plan, Map<GangId, Long> promised) {
        boolean changed = letGo(plan);
        Map<Long, Integer> pods = new HashMap<>();
        for (Planned planned : plan.windows()) {
            if (planned.kept()) {
                pods.merge(planned.window().start(), planned.gang().size(), Integer::sum);
            }
        }
        for (Planned planned : plan.windows()) {
            if (planned.kept()) {
                continue;
            }
            GangId gang = planned.gang().id();
            long start = planned.window().start();
            int size = planned.gang().size();
            long second = leftAlone.contains(gang) ? start : firstWithRoom(pods, start, size);
            second = Math.max(start, Math.min(second, promised.getOrDefault(gang, second)));
            pods.merge(second, size, Integer::sum);
            if (second > start) {
                earliest.put(gang, second);
                changed = true;
            }
        }
        return changed;
    }

    private long firstWithRoom(Map<Long, Integer> pods, long start, int size) {
        long second = start;
        while (pods.getOrDefault(second, 0) > 0 && pods.getOrDefault(second, 0) + size > most) {
            second++;
        }
        return second;
    }

    /** Leaves alone from now on whoever was held back and found no window; whether there was one. */
    boolean letGo(Plan plan) {
        Set<GangId> inVain = new HashSet<>();
        plan.pending().forEach(pending -> inVain.add(pending.gang()));
        inVain.retainAll(earliest.keySet());
        earliest.keySet().removeAll(inVain);
        return leftAlone.addAll(inVain);
    }
}
