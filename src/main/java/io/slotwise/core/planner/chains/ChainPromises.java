package io.slotwise.core.planner.chains;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Gives up the promises of gangs that a delay of those before them has overtaken, and no more: scratch of one cycle.
 *
 * <p>A promise that starts before those that the gang is after end is given up at once. The promises behind a gang that
 * has lost its own stand as long as it finds a window before them; where it finds none, those that begin first are
 * given up, one by one, until it does. Where promises have slack a gang first looks for another window within its own,
 * and keeps its promise.
 */
public final class ChainPromises {
    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong((PlanningGang contender) ->
                    Objects.requireNonNull(contender.held()).start())
            .thenComparing(contender -> contender.gang.id());

    private final Chains chains;
    private final Bookings bookings;
    private final Map<PlanningGang, Promise> lost = new HashMap<>();
    /** Those that had a window in this cycle already, and made way. */
    private final Set<PlanningGang> away = new HashSet<>();

    /** Before the first is given up. */
    public ChainPromises(Chains chains, Bookings bookings) {
        this.chains = chains;
        this.bookings = bookings;
    }

    /** Whether the promise of a gang was given up, whatever it has now. */
    public boolean hasLost(PlanningGang contender) {
        return lost.containsKey(contender);
    }

    /** Whether a gang has given up a window of this cycle and has none since. */
    public boolean isAway(PlanningGang contender) {
        return contender.window() == null && away.contains(contender);
    }

    /** Gives up the promises that start too early; none has its room yet. */
    public void loseLate(List<PlanningGang> contenders) {
        if (!chains.areNone()) {
            contenders.stream().filter(chains::isLate).toList().forEach(this::forget);
        }
    }

    private void forget(PlanningGang contender) {
        Promise promise = contender.promise();
        if (promise != null) {
            contender.isPlannedAnew();
            lost.putIfAbsent(contender, promise);
        }
    }

    /** Gives up what a gang has, with its room and money. */
    public void lose(PlanningGang contender) {
        if (contender.window() != null) {
            contender.giveUp(bookings);
            away.add(contender);
        } else if (contender.promised()) {
            bookings.giveUp(contender.gang, contender.promisedWindow());
        }
        forget(contender);
    }

    /** Before a stage is planned: gangs keep their promise in another window, or promises behind them make way. */
    public void prepare(List<PlanningGang> stage) {
        if (!chains.areNone()) {
            for (PlanningGang contender : stage) {
                keepWithin(contender);
                makeWay(contender);
            }
        }
    }

    /** A window within what was promised, as that may have slack, if there is one. */
    private void keepWithin(PlanningGang contender) {
        Promise promise = lost.get(contender);
        if (promise == null || contender.promised()) {
            return;
        }
        Gang gang = contender.gang;
        PromiseBound bound = contender.bound() == null ? PromiseBound.of(promise.window()) : contender.bound();
        Criterion criterion = gang.criterion();
        within(contender, bound)
                .filter(window -> !criterion.isOfShape()
                        || window.value(gang) <= promise.window().value(gang))
                .ifPresent(window -> {
                    contender.isPromisedAgain(promise.withWindow(window));
                    bookings.take(gang, window);
                });
    }

    private Optional<Window> within(PlanningGang contender, PromiseBound bound) {
        SlotTerms terms = contender.terms().within(bound.start(), bound.end());
        return terms.latest() < terms.earliest()
                ? Optional.empty()
                : contender
                        .search()
                        .best(
                                contender.gang.criterion(),
                                terms,
                                bound.cost().min(contender.gang.budget().limit()))
                        .filter(bookings::pay);
    }

    /** Promises behind a gang without a window are given up, the earliest first, until it can have one. */
    private void makeWay(PlanningGang contender) {
        List<PlanningGang> behind = standingBehind(contender);
        while (contender.held() == null && !behind.isEmpty() && !mayStart(contender)) {
            lose(behind.getFirst());
            behind = standingBehind(contender);
        }
    }

    private List<PlanningGang> standingBehind(PlanningGang contender) {
        return chains.behind(contender).stream()
                .filter(follower -> follower.held() != null && !follower.released())
                .sorted(BY_START)
                .toList();
    }

    private static boolean mayStart(PlanningGang contender) {
        SlotTerms terms = contender.terms();
        return terms.earliest() <= terms.latest()
                && contender
                        .search()
                        .best(Criterion.START, terms, contender.gang.budget().limit())
                        .isPresent();
    }

    /** After a stage: behind a gang without a window no promise stands. Returns the gangs that may find one now. */
    public List<PlanningGang> settle(List<PlanningGang> stage) {
        List<PlanningGang> again = new ArrayList<>();
        if (!chains.areNone()) {
            for (PlanningGang contender : stage) {
                List<PlanningGang> behind = contender.held() == null ? standingBehind(contender) : List.of();
                behind.forEach(this::lose);
                if (!behind.isEmpty()) {
                    again.add(contender);
                }
            }
        }
        return again;
    }

    /** Takes back a window that starts too early now; the gang has its promise in another one, or none. */
    public void takeBack(PlanningGang contender) {
        lose(contender);
        keepWithin(contender);
        if (contender.promised()) {
            contender.accept(contender.promisedWindow(), contender.via());
        } else {
            makeWay(contender);
        }
    }
}
