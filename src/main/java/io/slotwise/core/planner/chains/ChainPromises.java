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
 * Gives up promises that start before a predecessor ends, because the predecessor is late. Gives up as few as possible.
 * Used for one cycle.
 *
 * <p>A promise that starts before a predecessor ends is given up at once. A gang that has lost its promise needs a new
 * window that ends before its successors start. While there is none, the promises of its successors are given up one by
 * one, the earliest start first. Where promises have slack, a gang keeps its promise if it finds another window within
 * the slack.
 */
public final class ChainPromises {
    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong(
                    (PlanningGang gang) -> Objects.requireNonNull(gang.held()).start())
            .thenComparing(gang -> gang.gang.id());

    private final Chains chains;
    private final Bookings bookings;
    private final Map<PlanningGang, Promise> lost = new HashMap<>();
    /** The gangs whose windows of this cycle were withdrawn. */
    private final Set<PlanningGang> withdrawn = new HashSet<>();

    public ChainPromises(Chains chains, Bookings bookings) {
        this.chains = chains;
        this.bookings = bookings;
    }

    /** Returns whether the promise of a gang was given up, regardless of the window that it has now. */
    public boolean hasLost(PlanningGang gang) {
        return lost.containsKey(gang);
    }

    /** Returns whether a gang's window of this cycle was withdrawn, and the gang has no other one since. */
    public boolean isWithdrawn(PlanningGang gang) {
        return gang.window() == null && withdrawn.contains(gang);
    }

    /** Gives up the promises that start before a predecessor ends. Precondition: no promise has taken its room yet. */
    public void giveUpLate(List<PlanningGang> gangs) {
        if (!chains.areNone()) {
            gangs.stream().filter(chains::isLate).toList().forEach(this::forget);
        }
    }

    /** Removes a gang's promise and remembers it as lost. */
    private void forget(PlanningGang gang) {
        Promise promise = gang.promise();
        if (promise != null) {
            gang.clearPromise();
            lost.putIfAbsent(gang, promise);
        }
    }

    /** Gives up a gang's promise, and its window of this cycle if it has one. Frees the room and the money. */
    public void lose(PlanningGang gang) {
        if (gang.window() != null) {
            gang.giveUp(bookings);
            withdrawn.add(gang);
        } else if (gang.promised()) {
            bookings.giveUp(gang.gang, gang.promisedWindow());
        }
        forget(gang);
    }

    /**
     * Prepares the planning of a stage. A gang that has lost its promise keeps it in another window within its slack.
     * If there is none, its successors make way.
     */
    public void prepare(List<PlanningGang> stage) {
        if (!chains.areNone()) {
            for (PlanningGang gang : stage) {
                keepWithin(gang);
                makeWay(gang);
            }
        }
    }

    /** Renews a lost promise with another window within the slack, if there is one. */
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

    /** Gives up promises of a gang's successors, the earliest first, until there is a window before the others. */
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

    /**
     * Gives up the promises of the successors of gangs that have no window after a stage was planned. Returns the gangs
     * that may find a window now.
     */
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

    /** Withdraws a window that starts before a predecessor ends. The promise moves to another window, or is lost. */
    public void withdraw(PlanningGang gang) {
        lose(gang);
        keepWithin(gang);
        if (gang.promised()) {
            gang.accept(gang.promisedWindow(), gang.via());
        } else {
            makeWay(gang);
        }
    }
}
