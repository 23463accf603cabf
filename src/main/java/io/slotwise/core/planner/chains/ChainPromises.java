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
 * Gives up the promises that a delay of their gangs' predecessors has overtaken, and no others. Working state of one
 * cycle.
 *
 * <p>A promise that starts before a predecessor ends is given up at once. If a gang has lost its promise, the promises
 * of its successors stay as long as it finds a window before them. If it finds none, they are given up one by one, the
 * earliest start first, until it does. Where promises have slack, a gang first searches another window within its
 * slack, and so keeps its promise.
 */
public final class ChainPromises {
    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong(
                    (PlanningGang gang) -> Objects.requireNonNull(gang.held()).start())
            .thenComparing(gang -> gang.gang.id());

    private final Chains chains;
    private final Bookings bookings;
    private final Map<PlanningGang, Promise> lost = new HashMap<>();
    /** The gangs that already had a window in this cycle and gave it up. */
    private final Set<PlanningGang> away = new HashSet<>();

    public ChainPromises(Chains chains, Bookings bookings) {
        this.chains = chains;
        this.bookings = bookings;
    }

    /** Returns whether the promise of a gang was given up, regardless of the window that it has now. */
    public boolean hasLost(PlanningGang gang) {
        return lost.containsKey(gang);
    }

    /** Returns whether a gang has given up a window of this cycle and has had none since. */
    public boolean isAway(PlanningGang gang) {
        return gang.window() == null && away.contains(gang);
    }

    /** Gives up the promises that start too early, before any has its room. */
    public void loseLate(List<PlanningGang> gangs) {
        if (!chains.areNone()) {
            gangs.stream().filter(chains::isLate).toList().forEach(this::forget);
        }
    }

    private void forget(PlanningGang gang) {
        Promise promise = gang.promise();
        if (promise != null) {
            gang.clearPromise();
            lost.putIfAbsent(gang, promise);
        }
    }

    public void lose(PlanningGang gang) {
        if (gang.window() != null) {
            gang.giveUp(bookings);
            away.add(gang);
        } else if (gang.promised()) {
            bookings.giveUp(gang.gang, gang.promisedWindow());
        }
        forget(gang);
    }

    /** Lets gangs keep their promises in other windows before a stage is planned, or successors make way. */
    public void prepare(List<PlanningGang> stage) {
        if (!chains.areNone()) {
            for (PlanningGang gang : stage) {
                keepWithin(gang);
                makeWay(gang);
            }
        }
    }

    /** Takes another window that keeps the promise within its slack, if there is one. */
    private void keepWithin(PlanningGang planningGang) {
        Promise promise = lost.get(planningGang);
        if (promise == null || planningGang.promised()) {
            return;
        }
        Gang gang = planningGang.gang;
        PromiseBound bound = planningGang.bound() == null ? PromiseBound.of(promise.window()) : planningGang.bound();
        Criterion criterion = gang.criterion();
        within(planningGang, bound)
                .filter(window -> !criterion.isOfShape()
                        || window.value(gang) <= promise.window().value(gang))
                .ifPresent(window -> {
                    planningGang.renewPromise(promise.withWindow(window));
                    bookings.take(gang, window);
                });
    }

    private Optional<Window> within(PlanningGang gang, PromiseBound bound) {
        SlotTerms terms = gang.terms().within(bound.start(), bound.end());
        return terms.latest() < terms.earliest()
                ? Optional.empty()
                : gang.search()
                        .best(
                                gang.gang.criterion(),
                                terms,
                                bound.cost().min(gang.gang.budget().limit()))
                        .filter(bookings::pay);
    }

    /** Gives up promises of a gang's successors, the earliest first, until the gang can have a window. */
    private void makeWay(PlanningGang gang) {
        List<PlanningGang> behind = promisedBehind(gang);
        while (gang.held() == null && !behind.isEmpty() && !mayStart(gang)) {
            lose(behind.getFirst());
            behind = promisedBehind(gang);
        }
    }

    private List<PlanningGang> promisedBehind(PlanningGang gang) {
        return chains.behind(gang).stream()
                .filter(follower -> follower.held() != null && !follower.released())
                .sorted(BY_START)
                .toList();
    }

    private static boolean mayStart(PlanningGang gang) {
        SlotTerms terms = gang.terms();
        return terms.earliest() <= terms.latest()
                && gang.search()
                        .best(Criterion.START, terms, gang.gang.budget().limit())
                        .isPresent();
    }

    /** Gives up promises behind gangs without a window after a stage. Returns the gangs that may find one now. */
    public List<PlanningGang> settle(List<PlanningGang> stage) {
        List<PlanningGang> again = new ArrayList<>();
        if (!chains.areNone()) {
            for (PlanningGang gang : stage) {
                List<PlanningGang> behind = gang.held() == null ? promisedBehind(gang) : List.of();
                behind.forEach(this::lose);
                if (!behind.isEmpty()) {
                    again.add(gang);
                }
            }
        }
        return again;
    }

    /** Withdraws a window that starts too early. The promise moves to another window, or is lost. */
    public void takeBack(PlanningGang gang) {
        lose(gang);
        keepWithin(gang);
        if (gang.promised()) {
            gang.accept(gang.promisedWindow(), gang.via());
        } else {
            makeWay(gang);
        }
    }
}
