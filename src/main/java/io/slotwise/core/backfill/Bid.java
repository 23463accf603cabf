package io.slotwise.core.backfill;

import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.combination.Purses;
import io.slotwise.core.combination.Purses.Span;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Terms;
import io.slotwise.core.window.SlotSelection;
import io.slotwise.core.window.Window;
import java.util.Optional;

/**
 * A gang that is to be backfilled.
 *
 * @param gang which
 * @param search over the nodes that it may use
 * @param terms where its slots may lie
 * @param purses what its namespace may spend
 */
public record Bid(Gang gang, SlotSelection search, Terms terms, Purses purses) {
    /** The earliest window that the gang may have and its namespace can pay; of the windows at that second the gang's best. */
    public Optional<Window> earliest() {
        return earliest(terms);
    }

    /** The same among those that start no later than this second. */
    public Optional<Window> earliestUntil(long second) {
        return earliest(terms.within(second, terms.deadline()));
    }

    /** Periods follow each other, so the first one with a window has the earliest. */
    private Optional<Window> earliest(Terms within) {
        for (Span span : purses.spans(gang.id().namespace(), within.earliest(), within.latest() + 1)) {
            Terms there = within.between(span.start(), span.end() - 1);
            Cost most = span.most().min(gang.budget().limit());
            Optional<Window> found = search.best(Criterion.START, there, most, Vacancy.NONE);
            if (found.isPresent()) {
                return Optional.of(atTheSameSecond(found.get(), within, most));
            }
        }
        return Optional.empty();
    }

    private Window atTheSameSecond(Window earliest, Terms within, Cost most) {
        if (gang.criterion() == Criterion.START) {
            return earliest;
        }
        return search.best(gang.criterion(), within.between(earliest.start(), earliest.start()), most, Vacancy.NONE)
                .orElse(earliest);
    }
}
