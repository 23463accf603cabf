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
 * All that a board is drawn from.
 *
 * @param now the second that is shown, since the epoch
 * @param snapshot the nodes, what runs on them, and what gangs ask for
 * @param records of all gangs that are known, in any order
 * @param holds those of them that are advance reservations which no gang has taken over
 * @param pending why gangs wait, as it was planned last: with the gangs that records do not name
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

    /** A scene whose advance reservations are told by their records. */
    public BoardInput(long now, Policy policy, Snapshot snapshot, Collection<GangRecord> records, Planner planner) {
        this(now, policy, snapshot, List.copyOf(records), holds(records), planner, Map.of(), Currency.NONE);
    }

    /** The same with why gangs wait, as it was planned last. */
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

    /** The same with what stands beside money. */
    public BoardInput in(Currency currency) {
        return new BoardInput(now, policy, snapshot, records, holds, planner, pending, currency);
    }

    /** Why a gang waits, or that it is promised. */
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

    /**
     * What a planner says of itself.
     *
     * @param outcomes what became of them since it began
     */
    public record Planner(boolean planning, FirstPromise.Outcomes outcomes, List<String> notes) {
        /** One that has promised nothing. */
        public Planner(boolean planning, List<String> notes) {
            this(planning, FirstPromise.Outcomes.NONE, notes);
        }

        public Planner {
            notes = List.copyOf(notes);
        }
    }
}
