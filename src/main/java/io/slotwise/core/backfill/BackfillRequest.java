package io.slotwise.core.backfill;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.combination.AccountBalances.Span;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Optional;

/** A gang to be backfilled, with the search over its nodes, the terms of its slots and its namespace's balances. */
public record BackfillRequest(Gang gang, SlotSelection search, SlotTerms terms, AccountBalances purses) {
    /** Returns the earliest window that the gang may have and its namespace can pay; of that second the best. */
    public Optional<Window> earliest() {
        return gang.preferences().isNone() ? earliest(terms) : nearest();
    }

    /** The same among those that start no later than this second. */
    public Optional<Window> earliestUntil(long second) {
        return gang.preferences().isNone()
                ? earliest(terms.within(second, terms.deadline()))
                : nearest().filter(window -> window.start() <= second);
    }

    /** A gang that prefers something does not want to start before that. */
    private Optional<Window> nearest() {
        return purses.spans(gang.id().namespace(), terms.earliest(), terms.latest() + 1).stream()
                .flatMap(span -> search
                        .best(
                                gang.criterion(),
                                terms.between(span.start(), span.end() - 1),
                                span.most().min(gang.budget().limit()),
                                RestoredCapacity.NONE)
                        .stream())
                .min(WindowSearch.order(gang));
    }

    /** Periods follow each other, so the first one with a window has the earliest. */
    private Optional<Window> earliest(SlotTerms within) {
        for (Span span : purses.spans(gang.id().namespace(), within.earliest(), within.latest() + 1)) {
            SlotTerms there = within.between(span.start(), span.end() - 1);
            Cost most = span.most().min(gang.budget().limit());
            Optional<Window> found = search.best(Criterion.START, there, most, RestoredCapacity.NONE);
            if (found.isPresent()) {
                return Optional.of(atTheSameSecond(found.get(), within, most));
            }
        }
        return Optional.empty();
    }

    private Window atTheSameSecond(Window earliest, SlotTerms within, Cost most) {
        if (gang.criterion() == Criterion.START) {
            return earliest;
        }
        return search.best(
                        gang.criterion(),
                        within.between(earliest.start(), earliest.start()),
                        most,
                        RestoredCapacity.NONE)
                .orElse(earliest);
    }
}
