package io.slotwise.core.backfill;

import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.AccountBalances.Span;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import java.util.Optional;

/** A gang to be backfilled, with the search over its nodes, the terms of its slots and its namespace's balances. */
public record BackfillRequest(Gang gang, SlotSelection selection, SlotTerms terms, AccountBalances balances) {
    /** Returns the earliest window that the gang may have and its namespace can pay; of that second the best. */
    public Optional<Window> earliest() {
        return gang.preferences().isNone() ? earliest(terms) : nearest();
    }

    /** Returns the same among windows that start no later than this second. */
    public Optional<Window> earliestUntil(long second) {
        return gang.preferences().isNone()
                ? earliest(terms.within(second, terms.deadline()))
                : nearest().filter(window -> window.start() <= second);
    }

    /** Returns the account periods, or one for all if the gang has patience, whose search looks at each of them. */
    private List<Span> spans(SlotTerms slotTerms) {
        return gang.topology().patience() == null
                ? balances.spans(gang.id(), slotTerms.earliest(), slotTerms.latest() + 1)
                : List.of(new Span(slotTerms.earliest(), slotTerms.latest() + 1, Cost.UNLIMITED));
    }

    /** Returns the nearest window for a gang with preferences, which does not want an earlier start. */
    private Optional<Window> nearest() {
        return spans(terms).stream()
                .flatMap(span -> selection
                        .best(
                                gang.criterion(),
                                terms.between(span.start(), span.end() - 1),
                                span.maxCost().min(gang.budget().limit()))
                        .stream())
                .min(WindowSearch.order(gang));
    }

    /** Periods are in order of time, so the first one with a window has the earliest. */
    private Optional<Window> earliest(SlotTerms slotTerms) {
        for (Span span : spans(slotTerms)) {
            SlotTerms spanTerms = slotTerms.between(span.start(), span.end() - 1);
            Cost maxCost = span.maxCost().min(gang.budget().limit());
            Optional<Window> foundWindow = selection.best(Criterion.START, spanTerms, maxCost);
            if (foundWindow.isPresent()) {
                return Optional.of(atTheSameSecond(foundWindow.get(), slotTerms, maxCost));
            }
        }
        return Optional.empty();
    }

    private Window atTheSameSecond(Window earliestWindow, SlotTerms terms, Cost maxCost) {
        if (gang.criterion() == Criterion.START) {
            return earliestWindow;
        }
        return selection
                .best(gang.criterion(), terms.between(earliestWindow.start(), earliestWindow.start()), maxCost)
                .orElse(earliestWindow);
    }
}
