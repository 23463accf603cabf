package io.slotwise.core.planner.exchange;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives windows to gangs that find none beside the others, by moving these within the slack of their promises.
 *
 * <p>Such a gang is placed first, as if all windows that may move were not there. Those that do not stand in its way
 * stay; each of the others goes where it is best by what it was promised, those with the least slack left first. Who
 * finds nothing stays where it was, and the gang is placed anew beside those that stay, {@value #MOST_ROUNDS} times at
 * most. If that fails the same is tried with the gang's earliest end in place of what suits it best. Then others make
 * room one at a time, {@value #MOST_ALONE} of them, those with the most slack left first; they may also take their
 * earliest window before the gang is placed. If nothing succeeds all stay as they were.
 *
 * <p>The invariants: no window starts or ends later, or costs more, than its gang was promised, or would be promised
 * with the window that it has; runtime, processor time and energy of a gang that wants them least grow no more; who has
 * a window keeps one. Not moved is what {@link SlackExchange} does not move. It is done under the policies under which
 * that is, with conservative backfilling, where every gang is to have a window; first for those that came last, as it
 * was tried before for the others. Each gang takes O(r m) searches for m windows in its time in r rounds; once {@value
 * #MOST_LOOKS} nodes and windows were looked at, no more gangs have a turn.
 *
 * <p>Source: D. Talby, D. G. Feitelson, "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using
 * Slack-Based Backfilling", IPPS/SPDP 1999. There a job that arrives is tried at each place of the profile and those
 * after it are pushed back; here those in its way go anywhere that keeps their promises, forward too.
 */
public final class SlackInsertion {
    private static final int MOST_ROUNDS = 6;
    private static final int MOST_ALONE = 8;
    private static final int MOST_LOOKS = 20_000;

    private static final Comparator<PlanningGang> LAST_COME_FIRST = Comparator.comparingLong(
                    (PlanningGang contender) -> contender.gang.arrival())
            .reversed()
            .thenComparing(contender -> contender.gang.id());

    private final Policy policy;
    private final Bookings bookings;
    private final SlackMoves moves;
    private final List<PlanningGang> queue;
    private final Set<GangId> touched = new HashSet<>();
    private long looks;
    private boolean bounded;

    /**
     * Before anything is moved.
     *
     * @param now second of the plan
     * @param queue all gangs in queue order; the room and money of their windows are taken
     */
    public SlackInsertion(Policy policy, long now, Bookings bookings, List<PlanningGang> queue) {
        this.policy = policy;
        this.bookings = bookings;
        this.moves = new SlackMoves(policy, now, bookings);
        this.queue = queue;
    }

    /** Whether gangs were left out for which others might have made room. */
    public boolean bounded() {
        return bounded;
    }

    /**
     * Gives a window to each gang without one for which others can make room.
     *
     * @return whose windows are new or were moved
     */
    public Set<GangId> insert() {
        if (!moves.areAsked() || policy.backfill() != Backfill.CONSERVATIVE) {
            return Set.of();
        }
        queue.stream()
                .filter(contender -> contender.window() == null && contender.leftOut() == null && isNew(contender))
                .sorted(LAST_COME_FIRST)
                .forEach(this::serve);
        return Set.copyOf(touched);
    }

    private boolean isNew(PlanningGang contender) {
        return !contender.promised() && moves.isAlone(contender);
    }

    private void serve(PlanningGang contender) {
        if (looks > MOST_LOOKS) {
            bounded = true;
        } else {
            new Turn(contender).take();
        }
    }

    private @Nullable Window find(PlanningGang contender, Criterion criterion, @Nullable PromiseBound bound) {
        look(contender);
        return moves.find(
                contender.search(), criterion, SlackMoves.terms(contender, bound), SlackMoves.most(contender, bound));
    }

    private void look(PlanningGang contender) {
        looks += contender.eligibility().getFirst().offers().size();
    }

    /** A window that may move, and what it keeps. */
    private record Movable(PlanningGang contender, Window own, PromiseBound bound) {
        /** Seconds by which its start may still be later. */
        long left() {
            return bound.start() - own.start();
        }

        Gang gang() {
            return contender.gang;
        }
    }

    /** One gang that is to have a window, and those that may make room for it. */
    private final class Turn {
        private final PlanningGang newcomer;
        private final SlotTerms terms;
        /** Those with the least slack left first. */
        private final List<Movable> movable;
        /** Whether it found a window once others had made way. */
        private boolean mayFit;

        Turn(PlanningGang newcomer) {
            this.newcomer = newcomer;
            this.terms = newcomer.terms();
            this.movable = queue.stream()
                    .filter(other -> other != newcomer && moves.mayMove(other))
                    .map(this::movable)
                    .filter(this::mayMeet)
                    .sorted(Comparator.comparingLong(Movable::left)
                            .thenComparing(other -> other.gang().id()))
                    .toList();
        }

        private Movable movable(PlanningGang other) {
            Window own = Objects.requireNonNull(other.window());
            PromiseBound bound = other.bound() == null ? policy.slack().promised(other.gang, own) : other.bound();
            return new Movable(other, own, bound == null ? PromiseBound.of(own) : bound);
        }

        /** Whether a window could be in the way of one of the newcomer. */
        private boolean mayMeet(Movable other) {
            return other.own().start() < terms.deadline() + policy.turnover()
                    && other.own().end() + policy.turnover() > terms.earliest();
        }

        /** Gives it a window, or leaves all as it was. */
        void take() {
            if (movable.isEmpty() || !isPossible()) {
                return;
            }
            Criterion own = newcomer.gang.criterion();
            boolean settled = around(own);
            if (!settled && mayFit && (own == Criterion.FINISH || !around(Criterion.FINISH))) {
                beside();
            }
        }

        /** Whether its terms leave a second in which it could start on an empty cluster, as far as each pod tells. */
        private boolean isPossible() {
            return terms.earliest() <= terms.latest()
                    && newcomer.eligibility().stream()
                            .allMatch(shape -> shape.offers().stream()
                                    .anyMatch(offer -> offer.duration() <= terms.deadline() - terms.earliest()));
        }

        /** Places it as if the others were not there, and these around it. */
        private boolean around(Criterion criterion) {
            List<Movable> away = movable;
            for (int round = 0; round < MOST_ROUNDS && !away.isEmpty(); round++) {
                Set<Movable> late = attempt(away, criterion);
                if (late == null) {
                    return false;
                }
                if (late.isEmpty()) {
                    return true;
                }
                away = away.stream().filter(other -> !late.contains(other)).toList();
            }
            return false;
        }

        /** Places it beside all others but one, which goes before or after. */
        private void beside() {
            for (Movable other : movable.reversed().stream().limit(MOST_ALONE).toList()) {
                List<Movable> alone = List.of(other);
                Set<Movable> late = attempt(alone, newcomer.gang.criterion());
                // Where there is no window without the other there is none after it either.
                if (late != null && (late.isEmpty() || isSettled(attempt(alone, Criterion.FINISH)) || behind(other))) {
                    return;
                }
            }
        }

        private static boolean isSettled(@Nullable Set<Movable> late) {
            return late != null && late.isEmpty();
        }

        /**
         * Places the newcomer beside those that stay, then those that are away.
         *
         * @return those that find nothing, and none if all have a window now; null: the newcomer has none. If not all
         *     have one all is as it was
         */
        private @Nullable Set<Movable> attempt(List<Movable> away, Criterion criterion) {
            looks += away.size();
            int mark = bookings.mark();
            away.forEach(other -> bookings.giveUp(other.gang(), other.own()));
            Window window = find(newcomer, criterion, null);
            if (window == null) {
                bookings.rollbackTo(mark);
                return null;
            }
            mayFit = true;
            bookings.take(newcomer.gang, window);
            Map<Movable, Window> after = new LinkedHashMap<>();
            List<Movable> inTheWay = new ArrayList<>();
            for (Movable other : away) {
                if (bookings.holds(other.gang(), other.own())) {
                    seat(after, other, other.own());
                } else {
                    inTheWay.add(other);
                }
            }
            Set<Movable> late = new LinkedHashSet<>();
            for (Movable other : inTheWay) {
                Window found = elsewhere(other);
                if (found == null) {
                    late.add(other);
                } else {
                    seat(after, other, found);
                }
            }
            if (late.isEmpty()) {
                settle(window, after);
            } else {
                bookings.rollbackTo(mark);
            }
            return late;
        }

        /** Places another one as early as it can be, and the newcomer beside it. */
        private boolean behind(Movable other) {
            int mark = bookings.mark();
            bookings.giveUp(other.gang(), other.own());
            Window first = find(other.contender(), Criterion.START, other.bound());
            if (first != null && !SlackMoves.grows(other.gang(), other.own(), first)) {
                bookings.take(other.gang(), first);
                Window window = find(newcomer, newcomer.gang.criterion(), null);
                if (window != null) {
                    bookings.take(newcomer.gang, window);
                    settle(window, Map.of(other, first));
                    return true;
                }
            }
            bookings.rollbackTo(mark);
            return false;
        }

        private @Nullable Window elsewhere(Movable other) {
            PlanningGang contender = other.contender();
            look(contender);
            return moves.inPlaceOf(other.own(), contender, contender.search(), other.bound());
        }

        private void seat(Map<Movable, Window> after, Movable other, Window window) {
            bookings.take(other.gang(), window);
            after.put(other, window);
        }

        private void settle(Window window, Map<Movable, Window> after) {
            newcomer.accept(window, WindowOrigin.BACKFILL);
            touched.add(newcomer.gang.id());
            after.forEach((other, its) -> {
                if (!its.equals(other.own())) {
                    other.contender().accept(its, other.contender().via());
                    touched.add(other.gang().id());
                }
            });
        }
    }
}
