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
 * @param standings of all gangs that are known, in any order
 * @param holds those of them that are advance reservations which no gang has taken over
 * @param pending why gangs wait, as it was planned last: with the gangs that records do not name
 */
public record BoardInput(
        long now,
        Policy policy,
        Snapshot snapshot,
        List<GangRecord> standings,
        Set<GangId> holds,
        Planner planner,
        Map<GangId, Refusal> pending,
        Currency currency) {
    public BoardInput {
        standings = List.copyOf(standings);
        holds = Set.copyOf(holds);
        pending = Map.copyOf(pending);
    }

    /** A scene whose advance reservations are told by their records. */
    public BoardInput(long now, Policy policy, Snapshot snapshot, Collection<GangRecord> standings, Planner planner) {
        this(now, policy, snapshot, List.copyOf(standings), holds(standings), planner, Map.of(), Currency.NONE);
    }

    /** The same with why gangs wait, as it was planned last. */
    BoardInput pending(List<Pending> planned) {
        return new BoardInput(
                now,
                policy,
                snapshot,
                standings,
                holds,
                planner,
                planned.stream().collect(Collectors.toMap(Pending::gang, Pending::refusal, (first, _) -> first)),
                currency);
    }

    /** The same with what stands beside money. */
    public BoardInput in(Currency money) {
        return new BoardInput(now, policy, snapshot, standings, holds, planner, pending, money);
    }

    /** Why a gang waits, or that it is promised. */
    ReasonStatement why(GangRecord standing) {
        Refusal reason = standing.reason(pending.get(standing.gang()));
        return reason == null ? ReasonStatement.of(standing.planned().message()) : reason.in(currency);
    }

    private static Set<GangId> holds(Collection<GangRecord> standings) {
        return standings.stream()
                .filter(standing ->
                        standing.tenure().isHeld() && !standing.phase().started())
                .map(GangRecord::gang)
                .collect(Collectors.toSet());
    }

    /**
     * What a planner says of itself.
     *
     * @param promises what became of them since it began
     */
    public record Planner(boolean planning, FirstPromise.Outcomes promises, List<String> notes) {
        /** One that has promised nothing. */
        public Planner(boolean planning, List<String> notes) {
            this(planning, FirstPromise.Outcomes.NONE, notes);
        }

        public Planner {
            notes = List.copyOf(notes);
        }
    }
}
