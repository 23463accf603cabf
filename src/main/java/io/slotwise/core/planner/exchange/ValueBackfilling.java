package io.slotwise.core.planner.exchange;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * EASY backfilling in the order of value, within what gangs were promised.
 *
 * <p>In that order each gang starts now if it can beside the first one that cannot, whose earliest window is reserved;
 * if it cannot, that reservation may make way to other nodes in a window that starts no later. A gang that weighs money
 * against time (the criteria {@code value} and {@code cost}) does not start now if waiting saves more than {@code
 * batch.max-value.least-saving} times what the delay is worth, both by what is expected: {@link ExpectedRoom}. Those that do not start
 * get windows after all that: who waits for a better one the earliest that costs no more than that, the others their
 * earliest ones, and each keeps its former window where that is as good.
 *
 * <p>All windows are of whole runtimes and beside each other. So whatever the runs take, each gang that waits has a
 * window that keeps its promise, and what starts now endangers none. A gang that finds none goes back into its former
 * window, and the others are placed anew around it; in the last round all have theirs, and what can start now beside
 * them does, which always comes out.
 *
 * <p>The gangs' criteria are times, {@code cost} or {@code value}. At most {@value #MOST_ROUNDS} rounds of six searches
 * for each gang.
 *
 * <p>Sources: those of {@link io.slotwise.core.backfill.EasyBackfilling}; W. E. Smith, "Various Optimizers for
 * Single-Stage Production", Naval Research Logistics Quarterly 3, 1956, for the order. There nobody but the first is
 * told a start, and nobody waits for a cheaper node.
 */
final class ValueBackfilling {
    private static final int MOST_ROUNDS = 6;

    private final long now;
    private final Bookings bookings;
    private final SlackMoves moves;
    private final ExpectedRoom expected;
    private final Map<PlanningGang, Window> before;
    private final Map<PlanningGang, Window> after = new LinkedHashMap<>();
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
     * @param bookings in which the gangs have nothing
     * @param expected the same room as it is expected to become, in which they have nothing either
     * @param before their windows, which fit beside each other and keep what they were promised
     */
    ValueBackfilling(
            long now, Bookings bookings, SlackMoves moves, ExpectedRoom expected, Map<PlanningGang, Window> before) {
        this.now = now;
        this.bookings = bookings;
        this.moves = moves;
        this.expected = expected;
        this.before = before;
    }

    /**
     * Gives all of them windows, whose room and money are taken then.
     *
     * @param order of value
     */
    Map<PlanningGang, Window> place(List<PlanningGang> order) {
        Set<PlanningGang> staying = new LinkedHashSet<>();
        int mark = bookings.mark();
        for (int round = 2; true; round++) {
            List<PlanningGang> late = attempt(order, staying);
            if (late.isEmpty()) {
                return after;
            }
            bookings.rollbackTo(mark);
            after.clear();
            staying.addAll(round < MOST_ROUNDS ? late : order);
        }
    }

    /** Places all, those that stay where they were if they do not start now; those that find nothing. */
    private List<PlanningGang> attempt(List<PlanningGang> order, Set<PlanningGang> staying) {
        head = null;
        awaited.clear();
        staying.forEach(contender -> take(contender, former(before, contender)));
        List<PlanningGang> waiting = new ArrayList<>();
        for (PlanningGang contender : order) {
            boolean stays = staying.contains(contender);
            int mark = bookings.mark();
            if (stays) {
                bookings.giveUp(contender.gang, former(before, contender));
            }
            boolean settled = startsNow(contender);
            if (!settled && stays) {
                bookings.rollbackTo(mark);
            } else if (!settled && !becomesHead(contender)) {
                waiting.add(contender);
            }
        }
        List<PlanningGang> late = new ArrayList<>();
        for (PlanningGang contender : waiting) {
            Window window = later(contender);
            if (window == null) {
                late.add(contender);
            } else {
                take(contender, window);
            }
        }
        return late;
    }

    /** Whether it starts now, as it can and does not wait for a better window. */
    private boolean startsNow(PlanningGang contender) {
        if (contender.terms().earliest() > now) {
            return false;
        }
        Window start = now(contender);
        Detour detour = start == null ? aroundHead(contender) : null;
        start = detour == null ? start : detour.start();
        if (start == null || waits(contender, start)) {
            return false;
        }
        if (detour != null) {
            bookings.giveUp(detour.head().gang, former(after, detour.head()));
            take(detour.head(), detour.reservation());
        }
        take(contender, start);
        expected.take(contender.gang, start, bookings);
        return true;
    }

    private @Nullable Window now(PlanningGang contender) {
        Criterion criterion = contender.gang.criterion();
        return find(
                contender,
                criterion == Criterion.START ? Criterion.COST : criterion,
                terms(contender).between(now, now));
    }

    /** A start now for which the reservation of the first gang that waits makes way; null: there is none. */
    private @Nullable Detour aroundHead(PlanningGang contender) {
        PlanningGang first = head;
        if (first == null) {
            return null;
        }
        Window reserved = former(after, first);
        return bookings.<@Nullable Detour>trying(() -> {
            bookings.giveUp(first.gang, reserved);
            Window start = now(contender);
            if (start == null) {
                return null;
            }
            bookings.take(contender.gang, start);
            Window moved = find(first, Criterion.START, terms(first).between(now, reserved.start()));
            return moved == null ? null : new Detour(start, first, moved);
        });
    }

    /** Whether a better window than this one is worth waiting for, which it then awaits. */
    private boolean waits(PlanningGang contender, Window sooner) {
        Criterion criterion = contender.gang.criterion();
        if (criterion != Criterion.VALUE && criterion != Criterion.COST) {
            return false;
        }
        Window better =
                expected.best(contender.gang, terms(contender), most(contender)).orElse(null);
        if (better == null || !expected.isWorthWaiting(contender.gang, sooner, better)) {
            return false;
        }
        awaited.put(contender, better);
        return true;
    }

    /** The first that cannot start now, and does not wait for a better window, has its earliest one reserved. */
    private boolean becomesHead(PlanningGang contender) {
        if (head != null || awaited.containsKey(contender) || contender.terms().earliest() > now) {
            return false;
        }
        Window reservation = find(contender, Criterion.START, terms(contender));
        if (reservation == null || waits(contender, reservation)) {
            return false;
        }
        head = contender;
        take(contender, reservation);
        return true;
    }

    /** A window after now for who does not start; null: there is none that keeps what it was promised. */
    private @Nullable Window later(PlanningGang contender) {
        SlotTerms terms = terms(contender).from(now + 1);
        Window better = awaited.get(contender);
        Window found = null;
        if (better != null) {
            Cost limit = expected.whole(contender.gang, better).min(most(contender));
            found = find(contender, Criterion.START, terms, limit);
            found = found == null ? find(contender, Criterion.COST, terms.from(better.start())) : found;
        }
        found = found == null ? find(contender, Criterion.START, terms) : found;
        Window own = former(before, contender);
        boolean stays = found != null
                && own.start() > now
                && own.start() <= found.start()
                && own.cost().compareTo(found.cost()) <= 0
                && bookings.holds(contender.gang, own);
        return stays ? own : found;
    }

    private @Nullable Window find(PlanningGang contender, Criterion criterion, SlotTerms terms) {
        return find(contender, criterion, terms, most(contender));
    }

    private @Nullable Window find(PlanningGang contender, Criterion criterion, SlotTerms terms, Cost most) {
        return moves.find(contender.search(), criterion, terms, most);
    }

    /** Where its windows may lie to keep what it was promised. */
    private static SlotTerms terms(PlanningGang contender) {
        return SlackMoves.terms(contender, contender.bound());
    }

    private static Cost most(PlanningGang contender) {
        return SlackMoves.most(contender, contender.bound());
    }

    private static Window former(Map<PlanningGang, Window> windows, PlanningGang contender) {
        return Objects.requireNonNull(windows.get(contender));
    }

    private void take(PlanningGang contender, Window window) {
        bookings.take(contender.gang, window);
        after.put(contender, window);
    }
}
