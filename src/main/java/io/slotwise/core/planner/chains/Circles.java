package io.slotwise.core.planner.chains;

import io.slotwise.core.gang.GangId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the gangs that wait for themselves, directly or through others: the gangs on the circles of the graph of
 * predecessors. A gang that only waits for such a gang is not on a circle.
 *
 * <p>The strongly connected components of R. Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM Journal on
 * Computing 1(2), 1972, with an explicit stack in place of recursion, so that no chain is too long. O(g + e) for g
 * gangs that wait for e.
 */
final class Circles {
    private final SortedMap<GangId, List<GangId>> after;
    private final Map<GangId, Integer> numbers = new HashMap<>();
    private final Map<GangId, Integer> lowest = new HashMap<>();
    private final Map<GangId, Integer> components = new HashMap<>();
    private final ArrayDeque<GangId> open = new ArrayDeque<>();

    /** A gang in the search, with its predecessors that are not visited yet. */
    private record Visit(GangId gang, Iterator<GangId> left) {}

    private Circles(SortedMap<GangId, List<GangId>> after) {
        this.after = after;
    }

    /** Returns each gang on a circle with the first of its predecessors on the circle. */
    static SortedMap<GangId, GangId> of(SortedMap<GangId, List<GangId>> after) {
        Circles search = new Circles(after);
        after.keySet().forEach(search::visit);
        SortedMap<GangId, GangId> circles = new TreeMap<>();
        after.forEach((gang, others) -> others.stream()
                .filter(other -> Objects.equals(search.components.get(gang), search.components.get(other)))
                .findFirst()
                .ifPresent(other -> circles.put(gang, other)));
        return circles;
    }

    private void visit(GangId first) {
        if (numbers.containsKey(first)) {
            return;
        }
        ArrayDeque<Visit> path = new ArrayDeque<>();
        path.push(enter(first));
        for (Visit visit = path.peek(); visit != null; visit = path.peek()) {
            if (visit.left().hasNext()) {
                GangId other = visit.left().next();
                if (!numbers.containsKey(other)) {
                    path.push(enter(other));
                } else if (!components.containsKey(other)) {
                    lowest.merge(visit.gang(), numbers.getOrDefault(other, Integer.MAX_VALUE), Math::min);
                }
            } else {
                path.pop();
                leave(visit.gang());
                Visit before = path.peek();
                if (before != null) {
                    lowest.merge(before.gang(), lowest.getOrDefault(visit.gang(), Integer.MAX_VALUE), Math::min);
                }
            }
        }
    }

    private Visit enter(GangId gang) {
        int number = numbers.size();
        numbers.put(gang, number);
        lowest.put(gang, number);
        open.push(gang);
        return new Visit(gang, new ArrayList<>(after.getOrDefault(gang, List.of())).iterator());
    }

    private void leave(GangId gang) {
        Integer number = numbers.get(gang);
        if (number == null || !number.equals(lowest.get(gang))) {
            return;
        }
        GangId memberId;
        do {
            memberId = open.pop();
            components.put(memberId, number);
        } while (!memberId.equals(gang));
    }
}
