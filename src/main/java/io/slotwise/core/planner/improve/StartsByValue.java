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

    private @Nullable PlanningGang head;

    /**
     * A start now beside another reservation.
     *
     * @param start the window
     * @param head whose reservation makes way
     * @param reservation what that gang gets instead, which starts no later
     */
    private record Detour(Window start, PlanningGang head, Window reservation) {}

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
    public List<PlanningGang> place(Draft draft) {
        head = null;
        awaited.clear();
        List<PlanningGang> waiting = gangs.stream()
                .filter(gang -> !startsNow(draft, gang) && !draft.stays(gang) && !becomesHead(draft, gang))
                .toList();
        return waiting.stream().filter(gang -> !isPlacedLater(draft, gang)).toList();
    }

    /** Whether it starts now, as it can and does not wait for a better window. */
    private boolean startsNow(Draft draft, PlanningGang gang) {
        if (gang.terms().earliest() > now) {
            return false;
        }
        int mark = draft.bookings().mark();
        draft.bookings().giveUp(gang.gang, draft.window(gang));
        Window start = now(draft, gang);
        Detour detour = start == null ? aroundHead(draft, gang) : null;
        start = detour == null ? start : detour.start();
        boolean starts = start != null && !waits(draft, gang, start);
        draft.bookings().rollbackTo(mark);
        if (!starts) {
            return false;
        }
        if (detour != null) {
            draft.put(detour.head(), detour.reservation());
        }
        draft.put(gang, Objects.requireNonNull(start));
        expected.take(gang.gang, start, draft.bookings());
        return true;
    }

    private @Nullable Window now(Draft draft, PlanningGang gang) {
        Criterion criterion = gang.gang.criterion();
        return best(
                draft,
                gang,
                criterion == Criterion.START ? Criterion.COST : criterion,
                draft.terms(gang).between(now, now));
    }

    /** A start now for which the reservation of the first gang that waits makes way; null: there is none. */
    private @Nullable Detour aroundHead(Draft draft, PlanningGang gang) {
        PlanningGang first = head;
        Window reserved = first == null ? null : draft.window(first);
        if (first == null || reserved == null) {
            return null;
        }
        return draft.bookings().<@Nullable Detour>trying(() -> {
            draft.bookings().giveUp(first.gang, reserved);
            Window start = now(draft, gang);
            if (start == null) {
                return null;
            }
            draft.bookings().take(gang.gang, start);
            Window moved =
                    best(draft, first, Criterion.START, draft.terms(first).between(now, reserved.start()));
            return moved == null ? null : new Detour(start, first, moved);
        });
    }

    /** Whether a better window than this one is worth waiting for, which it then awaits. */
    private boolean waits(Draft draft, PlanningGang gang, Window sooner) {
        Criterion criterion = gang.gang.criterion();
        if (criterion != Criterion.VALUE && criterion != Criterion.COST) {
            return false;
        }
        Window better =
                expected.best(gang.gang, draft.terms(gang), draft.most(gang)).orElse(null);
        if (better == null || !expected.isWorthWaiting(gang.gang, sooner, better)) {
            return false;
        }
        awaited.put(gang, better);
        return true;
    }

    /** The first that cannot start now, and does not wait for a better window, has its earliest one reserved. */
    private boolean becomesHead(Draft draft, PlanningGang gang) {
        if (head != null || awaited.containsKey(gang) || gang.terms().earliest() > now) {
            return false;
        }
        Window reservation = draft.best(gang, Criterion.START);
        if (reservation == null || waits(draft, gang, reservation)) {
            return false;
        }
        head = gang;
        draft.put(gang, reservation);
        return true;
    }

    /** Whether there is a window after now that keeps what it was promised, for who does not start. */
    private boolean isPlacedLater(Draft draft, PlanningGang gang) {
        SlotTerms terms = draft.terms(gang).from(now + 1);
        Window better = awaited.get(gang);
        Window found = null;
        if (better != null) {
            Cost limit = expected.whole(gang.gang, better).min(draft.most(gang));
            found = draft.best(gang, gang.search(), Criterion.START, terms, limit);
            found = found == null ? best(draft, gang, Criterion.COST, terms.from(better.start())) : found;
        }
        found = found == null ? best(draft, gang, Criterion.START, terms) : found;
        if (found == null) {
            return false;
        }
        Window own = Draft.former(gang);
        boolean keeps = own.start() > now
                && own.start() <= found.start()
                && own.cost().compareTo(found.cost()) <= 0
                && draft.isFree(gang);
        draft.put(gang, keeps ? own : found);
        return true;
    }

    private static @Nullable Window best(Draft draft, PlanningGang gang, Criterion criterion, SlotTerms terms) {
        return draft.best(gang, gang.search(), criterion, terms, draft.most(gang));
    }
}
