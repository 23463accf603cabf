package io.slotwise.core.migration;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Objects;

/**
 * The resources of one cycle for moves, with the room and the money of all windows and promises taken.
 *
 * @param now the first second in which a window may start, since the epoch
 * @param horizonEnd no window ends later, since the epoch
 * @param turnover kept free between two uses of one room, seconds
 * @param domainKey the node label whose values are the resource domains
 */
public record CycleResources(
        long now,
        long horizonEnd,
        long turnover,
        Bookings bookings,
        PodTariffs tariffs,
        String domainKey,
        SearchObserver observer) {
    public Timeline timeline() {
        return bookings.timeline();
    }

    /** Returns the nodes that a gang may use, for each of its shapes. O(nodes). */
    public List<Eligibility> eligibility(Gang gang) {
        return Eligibility.of(gang, tariffs, timeline());
    }

    /** Returns the first second by which a stopped gang's pods are certainly gone, since the epoch. */
    public long gone(Running running) {
        return now + running.timing().gone();
    }

    /** Gives up the room of a running gang, and the money of the seconds that it will not run. */
    public void leave(Running running) {
        long gone = gone(running);
        bookings.change(() -> running.leave(timeline(), gone), () -> running.stay(timeline(), gone));
        bookings.giveUpMoney(running.progress().window());
        bookings.takeMoney(running.progress().spent());
    }

    /** Returns whether a window stays within these resource domains, as a reach. */
    public Reach reach(Home home, Window window) {
        return window.placements().stream()
                        .map(placement -> Objects.requireNonNull(timeline().node(placement.node()))
                                .node())
                        .allMatch(home::has)
                ? Reach.LOCAL
                : Reach.EXTERNAL;
    }
}
