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

/** Moves chosen windows, in start order, into the gaps that unchosen alternatives leave. */
public record BatchShift(Bookings bookings, SearchObserver observer) {
    public void shift(List<PlanningGang> moving) {
        KeyOrder.of(
                        moving,
                        gang -> Objects.requireNonNull(gang.window()).start(),
                        Comparator.comparing((PlanningGang gang) -> gang.gang.id()))
                .forEach(this::shift);
    }

    /** Shifts a gang. A shift into another period must find the money there. */
    private void shift(PlanningGang gang) {
        Window before = Objects.requireNonNull(gang.window());
        SlotTerms terms = gang.terms();
        WindowShift shift = new WindowShift(bookings.timeline(), observer);
        if (before.start() <= terms.earliest()) {
            return;
        }
        if (!shift.mayBeEarlier(gang.gang, before, terms)) {
            gang.accept(before, gang.via());
            return;
        }
        int mark = bookings.mark();
        bookings.giveUp(gang.gang, before);
        Window after = shift.earlier(gang.gang, before, gang::eligibility, terms);
        boolean better = !after.equals(before) && (!gang.promised() || gang.takes(after)) && bookings.pay(after);
        if (better) {
            gang.take(bookings, after, gang.via());
        } else {
            bookings.rollbackTo(mark);
            gang.accept(before, gang.via());
        }
    }
}
