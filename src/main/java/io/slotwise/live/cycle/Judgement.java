package io.slotwise.live.cycle;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.window.Window;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.record.Member;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Applies a plan to the record of each gang: moves first, then broken promises, then windows and reasons. So the owner
 * of a gang that loses its promise and gets another window learns of both in this order. If the update of one gang
 * fails, its record stays as it was, and the other gangs are not affected.
 *
 * @param unreadable the gangs whose records cannot be read
 */
record Judgement(PlanOutcomes outcomes, ClusterFacts facts, Set<GangId> unreadable) {
    private static final String DONE = "judged";

    void judge(Plan plan, RecordUpdates updates) {
        for (Move move : plan.moves()) {
            GangId gang = move.gang().id();
            updates.change(gang, DONE, update -> outcomes.moved(update, move, facts.membersOf(gang)));
        }
        for (BrokenPromise broken : plan.broken()) {
            updates.change(broken.gang(), DONE, update -> outcomes.broken(update, broken));
        }
        Set<GangId> taken = takenAlong(plan);
        for (Planned planned : plan.windows()) {
            GangId gang = planned.gang().id();
            if (!taken.contains(gang) && !updates.of(gang).ends()) {
                updates.change(planned.gang().id(), DONE, update -> outcomes.planned(update, planned));
            }
        }
        for (Pending pending : plan.pending()) {
            RecordUpdate update = updates.of(pending.gang());
            if (!update.ends() && !isArriving(update, pending)) {
                updates.change(pending.gang(), DONE, recordUpdate -> outcomes.pending(recordUpdate, pending));
            }
        }
        forgetUnplanned(plan, taken, updates);
        overtake(plan, updates);
    }

    /**
     * Returns whether the pods of a gang that was promised a window before they existed are being created. The gang
     * keeps its window until its start.
     */
    private boolean isArriving(RecordUpdate update, Pending pending) {
        Promise promise = update.after().promise();
        if (promise == null
                || !(pending.refusal() instanceof Refusal.WaitingForMembers)
                || update.after().terms().predecessors().isEmpty()) {
            return false;
        }
        List<Member> members = facts.membersOf(pending.gang());
        Set<String> promised = Set.copyOf(promise.window().pods());
        return !members.isEmpty()
                && members.stream().noneMatch(member -> member.isComing() || promised.contains(member.pod()));
    }

    /**
     * Returns the planned single pods that are planned again with a whole gang. Each replaces a lost member of a gang
     * that is stopped and moved.
     */
    private static Set<GangId> takenAlong(Plan plan) {
        Set<GangId> moved = new HashSet<>();
        Set<GangId> pods = new HashSet<>();
        plan.moves().forEach(move -> {
            moved.add(move.gang().id());
            pods.addAll(pods(move.gang()));
        });
        return plan.windows().stream()
                .map(Planned::gang)
                .filter(gang -> !moved.contains(gang.id()) && pods.containsAll(pods(gang)))
                .map(Gang::id)
                .collect(Collectors.toSet());
    }

    private static List<GangId> pods(Gang gang) {
        return gang.pods().stream()
                .map(pod -> new GangId(gang.id().namespace(), pod))
                .toList();
    }

    /** Marks the gangs whose records this cycle must not change, but from which the plan has taken their windows. */
    private void overtake(Plan plan, RecordUpdates updates) {
        Map<GangId, Window> kept = new HashMap<>();
        plan.windows().forEach(planned -> kept.put(planned.gang().id(), planned.window()));
        updates.byGang().forEach((gang, update) -> {
            Promise promise = update.before().promise();
            if (update.isFrozen()
                    && !unreadable.contains(gang)
                    && promise != null
                    && !update.before().phase().started()
                    && !update.before().ownership().isHeld()
                    && !promise.window().equals(kept.get(gang))) {
                update.overtake();
            }
        });
    }

    /**
     * Removes the records of gangs that are not in the plan. Every waiting gang is in the plan, so the other gangs have
     * no pods that could start. A record stays while pods still have to be evicted.
     */
    private void forgetUnplanned(Plan plan, Set<GangId> taken, RecordUpdates updates) {
        Set<GangId> planned = new HashSet<>();
        plan.windows().forEach(plannedGang -> planned.add(plannedGang.gang().id()));
        plan.pending().forEach(pending -> planned.add(pending.gang()));
        planned.removeAll(taken);
        updates.byGang().forEach((gang, update) -> {
            boolean awaited = update.after().history().awaitsPods(outcomes.now());
            boolean held = update.after().ownership().isHeld();
            boolean leaving = !update.toEvict().isEmpty() || !update.toStop().isEmpty();
            if (!held
                    && !update.isFrozen()
                    && !update.after().phase().started()
                    && !planned.contains(gang)
                    && !awaited
                    && !leaving) {
                update.remove();
            }
        });
    }
}
