package io.slotwise.core.recall;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What has changed between the end of one cycle and the beginning of the next: which nodes are other ones, and who has
 * given up room.
 *
 * <p>An occupation that is there no more has given its room up, unless another one that was not there before takes at
 * least as much on the same node for all of the time that was left of it: one that is prolonged. A window of a gang
 * that waited is given up where the gang is not promised it any more, but for the seats on which such an occupation is
 * now: the gang has started. O(nodes + occupations + seats), and next to nothing for what is the same object as before.
 */
final class CycleDifferences {
    private final PlanMemory memory;
    private final Cluster cluster;
    private final Timeline timeline;
    private final long now;
    private final Set<String> otherNodes = new HashSet<>();
    private final List<RoomDeparture> departures = new ArrayList<>();

    /** Occupations that were not there before, by node; fewer and fewer, see {@link #isTaken}. */
    private final Map<String, List<Occupation>> arrived = new HashMap<>();

    CycleDifferences(PlanMemory memory, Cluster cluster, Timeline timeline, long now) {
        this.now = now;
        this.memory = memory;
        this.cluster = cluster;
        this.timeline = timeline;
        nodes(memory.cluster().nodes(), cluster.nodes());
    }

    /** The nodes that are there no more, and those that are other ones than before. */
    Set<String> otherNodes() {
        return otherNodes;
    }

    @SuppressWarnings("ReferenceEquality") // Equal nodes are mostly the same.
    private void nodes(Inventory before, Inventory after) {
        if (before == after) {
            return;
        }
        for (Node node : after) {
            int position = before.position(node.name());
            Node known = position < 0 ? null : before.get(position);
            if (!Objects.equals(node, known)) {
                otherNodes.add(node.name());
                departures.add(new RoomDeparture(null, node.name(), Long.MIN_VALUE, Long.MAX_VALUE));
            }
        }
        for (Node node : before) {
            if (after.position(node.name()) < 0) {
                otherNodes.add(node.name());
            }
        }
    }

    /**
     * Who has given up room.
     *
     * @param promises the windows that have room now
     */
    List<RoomDeparture> departures(Collection<Window> promises) {
        gone().stream()
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

    /** What was held and is held no more; what both have is mostly the same, and in the same order. */
    private List<Occupation> gone() {
        List<Occupation> before = memory.cluster().occupations();
        List<Occupation> after = cluster.occupations();
        int most = Math.min(before.size(), after.size());
        int from = 0;
        while (from < most && Objects.equals(before.get(from), after.get(from))) {
            from++;
        }
        int tail = 0;
        while (tail < most - from
                && Objects.equals(before.get(before.size() - 1 - tail), after.get(after.size() - 1 - tail))) {
            tail++;
        }
        Map<Occupation, Integer> others = new HashMap<>();
        before.subList(from, before.size() - tail).forEach(held -> others.merge(held, 1, Integer::sum));
        after.subList(from, after.size() - tail).forEach(held -> {
            if (others.merge(held, -1, Integer::sum) < 0) {
                arrived.computeIfAbsent(held.node(), _ -> new ArrayList<>()).add(held);
            }
        });
        List<Occupation> gone = new ArrayList<>();
        others.forEach((held, times) -> {
            for (int i = 0; i < times; i++) {
                gone.add(held);
            }
        });
        return gone;
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
