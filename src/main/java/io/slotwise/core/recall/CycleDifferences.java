package io.slotwise.core.recall;

import io.slotwise.core.cluster.ClusterChanges;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Who has given up room between the end of one cycle and the beginning of the next.
 *
 * <p>An occupation that is there no more has given its room up, unless another one that was not there before takes at
 * least as much on the same node for all of the time that was left of it: one that is prolonged. A window of a gang
 * that waited is given up where the gang is not promised it any more, but for the seats on which such an occupation is
 * now: the gang has started. O(changes + windows), and O(seats) of those that are not the same as before.
 */
final class CycleDifferences {
    private final PlanMemory memory;
    private final ClusterChanges changes;
    private final Timeline timeline;
    private final long now;
    private final List<RoomDeparture> departures = new ArrayList<>();

    /** Occupations that were not there before, by node; fewer and fewer, see {@link #isTaken}. */
    private final Map<String, List<Occupation>> arrived = new HashMap<>();

    CycleDifferences(PlanMemory memory, ClusterChanges changes, Timeline timeline, long now) {
        this.now = now;
        this.memory = memory;
        this.changes = changes;
        this.timeline = timeline;
        changes.freshNodes()
                .forEach(node -> departures.add(new RoomDeparture(null, node.name(), Long.MIN_VALUE, Long.MAX_VALUE)));
        changes.come()
                .forEach(held -> arrived.computeIfAbsent(held.node(), _ -> new ArrayList<>())
                        .add(held));
    }

    /**
     * Who has given up room.
     *
     * @param promises the windows that have room now
     */
    List<RoomDeparture> departures(Collection<Window> promises) {
        changes.gone().stream()
                .filter(held -> !isTaken(held.node(), held.amount(), held.interval()))
                .forEach(held -> departures.add(departure(held, timeline)));
        Map<GangId, Window> promised = HashMap.newHashMap(promises.size());
        promises.forEach(window -> promised.put(window.gang(), window));
        memory.windows().forEach((id, held) -> {
            if (!Objects.equals(held.window(), promised.get(id))) {
                for (Placement seat : held.window().placements()) {
                    Resources amount = held.gang().requestOf(seat.pod()).resources();
                    if (!isTaken(seat.node(), amount, new Interval(seat.start(), seat.end()))) {
                        departures.add(departure(id, seat, timeline));
                    }
                }
            }
        });
        return departures;
    }

    /**
     * Whether an occupation that has come since has at least this room for all of the time that is left; an occupation
     * that is named once is not named again.
     */
    private boolean isTaken(String node, Resources amount, Interval interval) {
        if (interval.end() + timeline.turnover() <= now) {
            return true;
        }
        List<Occupation> here = arrived.getOrDefault(node, List.of());
        for (int i = 0; i < here.size(); i++) {
            Occupation other = here.get(i);
            if (other.interval().start() <= Math.max(now, interval.start())
                    && other.interval().end() >= interval.end()
                    && covers(other.amount(), amount)) {
                here.remove(i);
                return true;
            }
        }
        return false;
    }

    private static boolean covers(Resources taken, Resources amount) {
        for (int q = 0; q < amount.size(); q++) {
            if (taken.get(amount.name(q)) < amount.amount(q)) {
                return false;
            }
        }
        return true;
    }

    /** What ran on a node gives its room up. */
    static RoomDeparture departure(Occupation held, Timeline timeline) {
        return new RoomDeparture(
                null, held.node(), held.interval().start(), end(held.interval().end(), timeline));
    }

    /** A gang gives a seat up. */
    static RoomDeparture departure(GangId owner, Placement seat, Timeline timeline) {
        return new RoomDeparture(owner, seat.node(), seat.start(), end(seat.end(), timeline));
    }

    private static long end(long end, Timeline timeline) {
        return end >= Interval.FOREVER ? Long.MAX_VALUE : end + timeline.turnover();
    }
}
