package io.slotwise.web.board;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.record.GangRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The input of a rendering.
 *
 * @param now the second that is shown, since the epoch
 * @param snapshot the nodes, running pods and requests
 * @param records the records of all gangs, in any order
 * @param holds the advance reservations among them that no gang has taken over
 * @param pending the reasons of the last plan, including gangs that records must not name
 */
public record BoardInput(
        long now,
        Policy policy,
        Snapshot snapshot,
        List<GangRecord> records,
        Set<GangId> holds,
        Planner planner,
        Map<GangId, Refusal> pending,
        Currency currency) {
    public BoardInput {
        records = List.copyOf(records);
        holds = Set.copyOf(holds);
        pending = Map.copyOf(pending);
    }

    public BoardInput(long now, Policy policy, Snapshot snapshot, Collection<GangRecord> records, Planner planner) {
        this(now, policy, snapshot, List.copyOf(records), holds(records), planner, Map.of(), Currency.NONE);
    }

    BoardInput pending(List<Pending> planned) {
        return new BoardInput(
                now,
                policy,
                snapshot,
                records,
                holds,
                planner,
                planned.stream().collect(Collectors.toMap(Pending::gang, Pending::refusal, (first, _) -> first)),
                currency);
    }

    public BoardInput in(Currency currency) {
        return new BoardInput(now, policy, snapshot, records, holds, planner, pending, currency);
    }

    ReasonStatement why(GangRecord record) {
        Refusal refusal = record.reason(pending.get(record.gang()));
        return refusal == null ? ReasonStatement.of(record.plannedAspect().message()) : refusal.in(currency);
    }

    private static Set<GangId> holds(Collection<GangRecord> records) {
        return records.stream()
                .filter(record -> record.ownership().isHeld() && !record.phase().started())
                .map(GangRecord::gang)
                .collect(Collectors.toSet());
    }

    /** The state of a planner, with the outcomes of promises since it started. */
    public record Planner(boolean planning, FirstPromise.Outcomes outcomes, List<String> notes) {
        public Planner(boolean planning, List<String> notes) {
            this(planning, FirstPromise.Outcomes.NONE, notes);
        }

        public Planner {
            notes = List.copyOf(notes);
        }
    }
}
