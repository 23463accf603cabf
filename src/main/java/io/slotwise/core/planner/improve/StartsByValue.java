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
 * <p>In that order each gang starts now if it can beside the first one that cannot, whose earliest window is reserved;
 * if it cannot, that reservation may make way to other nodes in a window that starts no later. A gang that weighs money
 * against time (the criteria {@code value} and {@code cost}) does not start now if waiting saves more than {@code
 * least-saving} times what the delay is worth, both by what is expected: {@link ExpectedRoom}. Those that do not start
 * get windows after all that: who waits for a better one the earliest that costs no more than that, the others their
 * earliest ones, and each keeps its former window where that is as good.
 *
 * <p>All windows are of whole runtimes and beside each other. So whatever the runs take, each gang that waits has a
 * window that keeps its promise, and what starts now endangers none. In a round in which all stay, what can start now
 * beside them does, which always comes out.
 *
 * <p>The gangs' criteria are times, {@code cost} or {@code value}. At most six searches for each gang.
 *
 * <p>Sources: those of {@link io.slotwise.core.backfill.EasyBackfilling}; W. E. Smith, "Various Optimizers for
 * Single-Stage Production", Naval Research Logistics Quarterly 3, 1956, for the order. There nobody but the first is
 * told a start, and nobody waits for a cheaper node.
 */
final class StartsByValue implements Neighbourhood {
    private final long now;
    private final ExpectedRoom expected;
    private final List<PlanningGang> gangs;
    /** Better windows that gangs wait for. */
    private final Map<PlanningGang, Window> awaited = new LinkedHashMap<>();

    private @Nullable PlanningGang headGang;

    /**
     * A start now beside another reservation.
     *
     * @param startWindow the window
     * @param headGang whose reservation makes way
     * @param reservationWindow what that gang gets instead, which starts no later
     */
    private record Detour(Window startWindow, PlanningGang headGang, Window reservationWindow) {}

    /**
     * Before anything is placed.
     *
     * @param expected the room as it is expected to become, in which the gangs have nothing
     * @param gangs in the order of value
     */
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

    /** Whether it starts now, as it can and does not wait for a better window. */
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

    /** A start now for which the reservation of the first gang that waits makes way; null: there is none. */
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

    /** Whether a better window than this one is worth waiting for, which it then awaits. */
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

    /** The first that cannot start now, and does not wait for a better window, has its earliest one reserved. */
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

    /** Whether there is a window after now that keeps what it was promised, for who does not start. */
    private boolean isPlacedLater(RepairedWindows repaired, PlanningGang gang) {
        SlotTerms terms = repaired.terms(gang).from(now + 1);
        Window betterWindow = awaited.get(gang);
        Window foundWindow = null;
        if (betterWindow != null) {
            Cost limit = expected.whole(gang.gang, betterWindow).min(repaired.most(gang));
            foundWindow = repaired.best(gang, gang.search(), Criterion.START, terms, limit);
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
        return repaired.best(gang, gang.search(), criterion, terms, repaired.most(gang));
    }
}
