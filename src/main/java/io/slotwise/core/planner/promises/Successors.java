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
 * Gives successors precedence over gangs that arrived later. A successor is a gang whose pods replace old pods that are
 * still ending, such as the pods of a restarted job. So if the old pods end late, the successor loses seconds, but not
 * its place to later arrivals.
 *
 * <p>A successor without a promise is planned before all other gangs. Its best window is searched twice: next to all
 * promises, and without those that may be broken. These are the promises of gangs that arrived later, have no higher
 * priority and have not been released. Only if the second window is better, the promises that overlap it and no longer
 * fit are broken. Used for one cycle.
 */
public final class Successors {
    private final List<PlanningGang> queue;
    private final Bookings bookings;
    private final List<BrokenPromise> broken = new ArrayList<>();

    /**
     * @param queue all waiting gangs
     * @param bookings contain the room and the money of all kept promises
     */
    public Successors(List<PlanningGang> queue, Bookings bookings) {
        this.queue = queue;
        this.bookings = bookings;
    }

    /** Makes way for all successors without a promise, in order of arrival. Returns them, to be planned first. */
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

    /** Breaks the promises of later gangs that keep a successor from a better window. */
    private void makeWay(PlanningGang gang) {
        List<PlanningGang> laterGangs = queue.stream()
                .filter(other -> other.promised()
                        && !other.released()
                        && other.gang.arrival() > gang.successorSince()
                        && other.gang.priority() <= gang.gang.priority())
                .sorted(QueueOrder.ARRIVAL)
                .toList();
        Optional<Window> windowNextToThem = gang.best(bookings, _ -> true);
        int mark = bookings.mark();
        laterGangs.forEach(other -> bookings.giveUpRoom(other.gang, other.promisedWindow()));
        Optional<Window> windowWithoutThem = gang.best(bookings, _ -> true);
        if (windowWithoutThem.isEmpty()
                || windowNextToThem
                        .filter(window -> isAsGood(window, windowWithoutThem.get(), gang))
                        .isPresent()) {
            bookings.rollbackTo(mark);
            return;
        }
        bookings.takeRoom(gang.gang, windowWithoutThem.get());
        laterGangs.forEach(other -> keepOrBreak(other, gang, windowWithoutThem.get()));
        bookings.giveUpRoom(gang.gang, windowWithoutThem.get());
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
