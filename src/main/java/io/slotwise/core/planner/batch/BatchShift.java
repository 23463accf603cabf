package io.slotwise.core.planner.batch;

import io.slotwise.core.backfill.WindowShift;
import io.slotwise.core.booking.Bookings;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.KeyOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Closes the holes that the alternatives leave that were not chosen. */
public record BatchShift(Bookings bookings, SearchObserver searches) {
    /** Moves chosen windows, in start order, into the holes before them. */
    public void shift(List<PlanningGang> moving) {
        KeyOrder.of(
                        moving,
                        contender -> Objects.requireNonNull(contender.window()).start(),
                        Comparator.comparing((PlanningGang contender) -> contender.gang.id()))
                .forEach(this::shift);
    }

    /** A shift into another period must find the money there. */
    private void shift(PlanningGang contender) {
        Window before = Objects.requireNonNull(contender.window());
        SlotTerms terms = contender.terms();
        WindowShift shifting = new WindowShift(bookings.timeline(), searches);
        if (before.start() <= terms.earliest()) {
            return;
        }
        if (!shifting.mayBeEarlier(contender.gang, before, terms)) {
            contender.accept(before, contender.via());
            return;
        }
        int mark = bookings.mark();
        bookings.giveUp(contender.gang, before);
        Window after = shifting.earlier(contender.gang, before, contender::eligibility, terms);
        boolean better =
                !after.equals(before) && (!contender.promised() || contender.takes(after)) && bookings.pay(after);
        if (better) {
            contender.take(bookings, after, contender.via());
        } else {
            bookings.rollbackTo(mark);
            contender.accept(before, contender.via());
        }
    }
}
