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
 * What a plan means for each gang: first the ones that are stopped and moved, then broken promises, windows and
 * reasons, so that a gang whose promise is broken and that has another window is told of both in this order. An error
 * over one gang leaves it as it was; the others are judged.
 *
 * @param unreadable the gangs whose records cannot be read
 */
record Judgement(PlanOutcomes outcomes, ClusterFacts facts, Set<GangId> unreadable) {
    private static final String DONE = "judged";

    /** Writes the plan into the drafts. */
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
     * Whether the pods of a gang that was promised a window before they came are being made, one after the other: until
     * its start it keeps the window.
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
     * The gangs that are one pod each which replaces a lost member of a gang that is stopped: the pod is planned again
     * with that gang.
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

    /**
     * Tells of the gangs that this cycle leaves alone which of them the plan has no longer where they stand: because
     * their records are being written, they are being started, or there was an error over them.
     */
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
     * A gang that waits is in every plan; one that is in none has no pod left that could start, unless some have to go
     * first.
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
