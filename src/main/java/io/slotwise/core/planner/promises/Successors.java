package io.slotwise.core.planner.promises;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.planner.queue.QueueOrder;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gangs whose pods follow others that still leave their room, such as the pods of a restarted job. If the old pods end
 * late, the gang loses seconds, but not its place to later arrivals. Working state of one cycle.
 *
 * <p>Such a gang without a promise is served before all others. Promises of gangs that arrived later, have no higher
 * priority and are not on their way make way for it, if they are in the way of a better window. Two searches for each
 * such gang.
 */
public final class Successors {
    private final List<PlanningGang> queue;
    private final Bookings bookings;
    private final List<BrokenPromise> broken = new ArrayList<>();

    /** The queue has all waiting gangs. The bookings have the room and money of all promises that hold. */
    public Successors(List<PlanningGang> queue, Bookings bookings) {
        this.queue = queue;
        this.bookings = bookings;
    }

    /** Makes way for all successors without a promise, which are to be served first, and returns them. */
    public Set<PlanningGang> makeWay() {
        List<PlanningGang> successors = queue.stream()
                .filter(gang -> gang.successorSince() < Interval.FOREVER && !gang.promised())
                .sorted(QueueOrder.ARRIVAL)
                .toList();
        successors.forEach(this::makeWay);
        return new HashSet<>(successors);
    }

    public List<BrokenPromise> broken() {
        return broken;
    }

    private void makeWay(PlanningGang gang) {
        List<PlanningGang> later = queue.stream()
                .filter(other -> other.promised()
                        && !other.released()
                        && other.gang.arrival() > gang.successorSince()
                        && other.gang.priority() <= gang.gang.priority())
                .sorted(QueueOrder.ARRIVAL)
                .toList();
        Optional<Window> besideWindow = gang.best(bookings, _ -> true);
        int mark = bookings.mark();
        later.forEach(other -> bookings.giveUpRoom(other.gang, other.promisedWindow()));
        Optional<Window> singleWindow = gang.best(bookings, _ -> true);
        if (singleWindow.isEmpty()
                || besideWindow
                        .filter(window -> isAsGood(window, singleWindow.get(), gang))
                        .isPresent()) {
            bookings.rollbackTo(mark);
            return;
        }
        bookings.takeRoom(gang.gang, singleWindow.get());
        later.forEach(other -> keepOrBreak(other, gang, singleWindow.get()));
        bookings.giveUpRoom(gang.gang, singleWindow.get());
    }

    private static boolean isAsGood(Window window, Window other, PlanningGang gang) {
        return window.value(gang.gang) <= other.value(gang.gang) && window.start() <= other.start();
    }

    /** Breaks a promise that lacks room next to a window with which it shares a node and a second. */
    private void keepOrBreak(PlanningGang other, PlanningGang gang, Window window) {
        Window promised = other.promisedWindow();
        Set<String> nodes = window.placements().stream().map(Placement::node).collect(Collectors.toSet());
        Optional<String> shared = promised.start() < window.end() && window.start() < promised.end()
                ? promised.placements().stream()
                        .map(Placement::node)
                        .filter(nodes::contains)
                        .findFirst()
                : Optional.empty();
        if (shared.isEmpty() || promised.fits(bookings.timeline(), other.gang)) {
            bookings.takeRoom(other.gang, promised);
            return;
        }
        bookings.giveUpMoney(promised);
        other.breakPromise();
        broken.add(new BrokenPromise(
                other.gang.id(),
                promised,
                Cause.ROOM_TAKEN,
                new BrokenPromise.RoomTaken(
                        shared.get(), new BrokenPromise.Holder(gang.gang.id().toString()))));
    }
}
