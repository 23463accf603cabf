package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchExtent;
import java.util.List;

/**
 * A plan in the figures that are shown: what every form of output is written from.
 *
 * @param now the second in which it was planned, since the epoch
 * @param horizon how far ahead windows are planned, seconds
 * @param windows in the plan's order: by start, then gang
 * @param pending by gang
 * @param totals over all windows
 * @param notes what a reader should know of this plan
 * @param moves of running gangs, by gang
 * @param search how far the search for alternatives went
 * @param currency what its money is in
 * @param buying what gangs would have with nodes that are bought, in the order of the queue
 * @param inputNotes what a reader should know of the objects that were planned
 */
public record PlanReport(
        long now,
        long horizon,
        List<WindowRow> windows,
        List<PendingRow> pending,
        PlanTotals totals,
        List<String> notes,
        List<MoveRow> moves,
        SearchExtent search,
        Currency currency,
        List<BuyingRow> buying,
        List<InputNote> inputNotes) {
    /**
     * A gang without a window as shown.
     *
     * @param gang {@code namespace/name}
     * @param reason in one sentence without a full stop
     */
    public record PendingRow(String gang, String reason) {}

    public PlanReport {
        windows = List.copyOf(windows);
        pending = List.copyOf(pending);
        notes = List.copyOf(notes);
        moves = List.copyOf(moves);
        buying = List.copyOf(buying);
        inputNotes = List.copyOf(inputNotes);
    }

    /** The same of objects of which a reader should know this. */
    public PlanReport noting(List<InputNote> input) {
        return new PlanReport(now, horizon, windows, pending, totals, notes, moves, search, currency, buying, input);
    }

    /** The figures of a plan that was made from {@code snapshot} under {@code policy}. */
    public static PlanReport of(Plan plan, Snapshot snapshot, Policy policy) {
        return of(plan, snapshot, policy, Currency.NONE);
    }

    /** The same with what its money is in. */
    public static PlanReport of(Plan plan, Snapshot snapshot, Policy policy, Currency currency) {
        List<WindowRow> windows = plan.windows().stream()
                .map(planned -> WindowRow.of(planned, currency))
                .toList();
        List<PendingRow> pending = plan.pending().stream()
                .map(gang ->
                        new PendingRow(gang.gang().toString(), gang.refusal().message(currency)))
                .toList();
        return new PlanReport(
                plan.now(),
                policy.horizon(),
                windows,
                pending,
                PlanTotals.of(windows, plan, snapshot.cluster()),
                plan.notes(),
                plan.moves().stream().map(MoveRow::of).toList(),
                plan.search(),
                currency,
                plan.buying().stream().map(BuyingRow::of).toList(),
                List.of());
    }
}
