package io.slotwise.core.planner.improve;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * EASY backfilling in the order of value, within what gangs were promised.
 *
 * <p>In that order each gang starts now if it can. The first gang that cannot has its earliest window reserved. A later
 * gang may start now if the reservation moves to other nodes without starting later. A gang that weighs money against
 * time (the criteria {@code value} and {@code cost}) does not start now if waiting saves more than {@code least-saving}
 * times what the delay is worth, both as expected: {@link ExpectedRoom}. Gangs that do not start get windows
 * afterwards. A gang that waits for a better window gets the earliest that costs no more than that, the others their
 * earliest. Each keeps its former window if that is as good.
 *
 * <p>All windows have whole runtimes and fit together. So however long the runs take, each waiting gang has a window
 * that keeps its promise, and no start now endangers it. In a round in which all gangs stay, those that can start now
 * next to the former windows do, which always succeeds.
 *
 * <p>The gangs' criteria are times, {@code cost} or {@code value}. At most six requests for a window of each gang.
 *
 * <p>Sources: those of {@link io.slotwise.core.backfill.EasyBackfilling}; W. E. Smith, "Various Optimizers for
 * Single-Stage Production", Naval Research Logistics Quarterly 3, 1956, for the order. There only the first job is told
 * a start, and no job waits for a cheaper node.
 */
final class StartsByValue implements Neighbourhood {
    private final long now;
    private final ExpectedRoom expected;
    private final List<PlanningGang> gangs;
    /** The better windows for which gangs wait. */
    private final Map<PlanningGang, Window> awaited = new LinkedHashMap<>();

    private @Nullable PlanningGang headGang;

    /**
     * A start now for which the reservation moves.
     *
     * @param startWindow the window that starts now
     * @param headGang the gang whose reservation moves
     * @param reservationWindow its new window, which starts no later
     */
    private record Detour(Window startWindow, PlanningGang headGang, Window reservationWindow) {}

    /** The gangs are in the order of value. The expected room is without their windows. */
    StartsByValue(long now, ExpectedRoom expected, List<PlanningGang> gangs) {
        this.now = now;
        this.expected = expected;
        this.gangs = gangs;
    }

    @Override
    public List<PlanningGang> gangs() {
        return gangs;
    }

    @Override
    public List<PlanningGang> place(RepairedWindows repaired) {
        headGang = null;
        awaited.clear();
        List<PlanningGang> waiting = gangs.stream()
                .filter(gang -> !startsNow(repaired, gang) && !repaired.stays(gang) && !becomesHead(repaired, gang))
                .toList();
        return waiting.stream().filter(gang -> !isPlacedLater(repaired, gang)).toList();
    }

    /** Starts a gang now if it can and does not wait for a better window. Returns whether it starts. */
    private boolean startsNow(RepairedWindows repaired, PlanningGang gang) {
        if (gang.terms().earliest() > now) {
            return false;
        }
        int mark = repaired.bookings().mark();
        repaired.bookings().giveUp(gang.gang, repaired.window(gang));
        Window window = now(repaired, gang);
        Detour detour = window == null ? aroundHead(repaired, gang) : null;
        window = detour == null ? window : detour.startWindow();
        boolean starts = window != null && !waits(repaired, gang, window);
        repaired.bookings().rollbackTo(mark);
        if (!starts) {
            return false;
        }
        if (detour != null) {
            repaired.put(detour.headGang(), detour.reservationWindow());
        }
        repaired.put(gang, Objects.requireNonNull(window));
        expected.take(gang.gang, window, repaired.bookings());
        return true;
    }

    private @Nullable Window now(RepairedWindows repaired, PlanningGang gang) {
        Criterion criterion = gang.gang.criterion();
        return best(
                repaired,
                gang,
                criterion == Criterion.START ? Criterion.COST : criterion,
                repaired.terms(gang).between(now, now));
    }

    /** Returns a start now for which the reservation moves; null if there is none. */
    private @Nullable Detour aroundHead(RepairedWindows repaired, PlanningGang gang) {
        PlanningGang first = headGang;
        Window reservedWindow = first == null ? null : repaired.window(first);
        if (first == null || reservedWindow == null) {
            return null;
        }
        return repaired.bookings().<@Nullable Detour>trying(() -> {
            repaired.bookings().giveUp(first.gang, reservedWindow);
            Window window = now(repaired, gang);
            if (window == null) {
                return null;
            }
            repaired.bookings().take(gang.gang, window);
            Window movedWindow =
                    best(repaired, first, Criterion.START, repaired.terms(first).between(now, reservedWindow.start()));
            return movedWindow == null ? null : new Detour(window, first, movedWindow);
        });
    }

    /** Returns whether a better window is worth waiting for, and notes that window. */
    private boolean waits(RepairedWindows repaired, PlanningGang gang, Window soonerWindow) {
        Criterion criterion = gang.gang.criterion();
        if (criterion != Criterion.VALUE && criterion != Criterion.COST) {
            return false;
        }
        Window betterWindow = expected.best(gang.gang, repaired.terms(gang), repaired.most(gang))
                .orElse(null);
        if (betterWindow == null || !expected.isWorthWaiting(gang.gang, soonerWindow, betterWindow)) {
            return false;
        }
        awaited.put(gang, betterWindow);
        return true;
    }

    /** Reserves the earliest window of the first gang that neither starts now nor waits for a better window. */
    private boolean becomesHead(RepairedWindows repaired, PlanningGang gang) {
        if (headGang != null || awaited.containsKey(gang) || gang.terms().earliest() > now) {
            return false;
        }
        Window window = repaired.best(gang, Criterion.START);
        if (window == null || waits(repaired, gang, window)) {
            return false;
        }
        headGang = gang;
        repaired.put(gang, window);
        return true;
    }

    /** Places a gang that does not start now later, if some window then keeps its promise. Returns whether. */
    private boolean isPlacedLater(RepairedWindows repaired, PlanningGang gang) {
        SlotTerms terms = repaired.terms(gang).from(now + 1);
        Window betterWindow = awaited.get(gang);
        Window foundWindow = null;
        if (betterWindow != null) {
            Cost limit = expected.whole(gang.gang, betterWindow).min(repaired.most(gang));
            foundWindow = repaired.best(gang, repaired.search(gang), Criterion.START, terms, limit);
            foundWindow = foundWindow == null
                    ? best(repaired, gang, Criterion.COST, terms.from(betterWindow.start()))
                    : foundWindow;
        }
        foundWindow = foundWindow == null ? best(repaired, gang, Criterion.START, terms) : foundWindow;
        if (foundWindow == null) {
            return false;
        }
        Window ownWindow = RepairedWindows.former(gang);
        boolean keeps = ownWindow.start() > now
                && ownWindow.start() <= foundWindow.start()
                && ownWindow.cost().compareTo(foundWindow.cost()) <= 0
                && repaired.isFree(gang);
        repaired.put(gang, keeps ? ownWindow : foundWindow);
        return true;
    }

    private static @Nullable Window best(
            RepairedWindows repaired, PlanningGang gang, Criterion criterion, SlotTerms terms) {
        return repaired.best(gang, repaired.search(gang), criterion, terms, repaired.most(gang));
    }
}
