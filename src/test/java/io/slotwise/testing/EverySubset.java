package io.slotwise.testing;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * The smallest set of promises to break, found by trying every set, second by second, from the rule alone. Far too slow
 * for anything but tests. Considers capacity, missing nodes and unavailable intervals.
 */
public final class EverySubset {
    private final Snapshot snapshot;
    private final List<Request> promised;
    private final List<Cell> cells = new ArrayList<>();

    /** A resource of a node in one second, with the amount that each promise requests there. */
    private record Cell(long free, List<Long> asked) {
        /** Returns whether the kept promises that request this resource fit. Others do not matter. */
        boolean holds(int broken) {
            long sum = 0;
            boolean any = false;
            for (int i = 0; i < asked.size(); i++) {
                if ((broken >> i & 1) == 0 && asked.get(i) > 0) {
                    sum += asked.get(i);
                    any = true;
                }
            }
            return !any || sum <= free;
        }
    }

    private EverySubset(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.promised = snapshot.requests().stream()
                .filter(request -> request.promise() != null)
                .sorted(Comparator.comparing((Request r) -> !promise(r).released())
                        .thenComparingLong(r -> promise(r).window().start())
                        .thenComparing(r -> r.gang().id()))
                .toList();
        snapshot.cluster().inventory().forEach(this::cells);
    }

    private static Promise promise(Request request) {
        return Objects.requireNonNull(request.promise());
    }

    public static List<GangId> smallest(Snapshot snapshot) {
        EverySubset search = new EverySubset(snapshot);
        int best = IntStream.range(0, 1 << search.promised.size())
                .filter(search::isValid)
                .boxed()
                .min(Comparator.comparingLong((Integer broken) ->
                                search.count(broken, r -> promise(r).released() ? 1 : 0))
                        .thenComparingLong(broken -> search.count(broken, _ -> 1))
                        .thenComparingLong(
                                broken -> search.count(broken, r -> r.gang().size()))
                        .thenComparingLong(broken -> Integer.toUnsignedLong(Integer.reverse(broken))))
                .orElseThrow();
        return search.among(best).stream().map(r -> r.gang().id()).sorted().toList();
    }

    /** Returns the gangs that collide with each other or with something else if all promises are kept. */
    public static List<GangId> colliding(Snapshot snapshot) {
        EverySubset search = new EverySubset(snapshot);
        return IntStream.range(0, search.promised.size())
                .filter(i -> search.isLost(search.promised.get(i))
                        || search.cells.stream().anyMatch(cell -> cell.asked().get(i) > 0 && !cell.holds(0)))
                .mapToObj(i -> search.promised.get(i).gang().id())
                .sorted()
                .toList();
    }

    private List<Request> among(int broken) {
        return IntStream.range(0, promised.size())
                .filter(i -> (broken >> i & 1) == 1)
                .mapToObj(promised::get)
                .toList();
    }

    private long count(int broken, ToLongFunction<Request> figure) {
        return among(broken).stream().mapToLong(figure).sum();
    }

    private boolean isValid(int broken) {
        for (int i = 0; i < promised.size(); i++) {
            if ((broken >> i & 1) == 0 && isLost(promised.get(i))) {
                return false;
            }
        }
        return cells.stream().allMatch(cell -> cell.holds(broken));
    }

    private boolean isLost(Request request) {
        for (Placement placement : promise(request).window().placements()) {
            Node node = snapshot.cluster().inventory().stream()
                    .filter(n -> n.name().equals(placement.node()))
                    .findFirst()
                    .orElse(null);
            if (node == null) {
                return true;
            }
            for (Interval kept : node.unavailable()) {
                if (kept.start() < placement.end() && placement.start() < kept.end()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void cells(Node node) {
        long end = promised.stream()
                .mapToLong(request -> promise(request).window().end())
                .max()
                .orElse(snapshot.now());
        Map<String, Cell> last = new HashMap<>();
        for (long second = snapshot.now(); second < end; second++) {
            for (String kind : node.allocatable().asMap().keySet()) {
                Cell cell = cell(node, kind, second);
                if (!cell.holds(0) && !cell.equals(last.put(kind, cell))) {
                    cells.add(cell);
                }
            }
        }
    }

    private Cell cell(Node node, String kind, long second) {
        long free = node.allocatable().get(kind);
        for (Occupation o : snapshot.cluster().occupations()) {
            if (o.node().equals(node.name())
                    && o.interval().start() <= second
                    && second < o.interval().end()) {
                free -= o.resources().get(kind);
            }
        }
        List<Long> asked = promised.stream()
                .map(request -> promise(request).window().placements().stream()
                        .filter(placement -> placement.node().equals(node.name())
                                && placement.start() <= second
                                && second < placement.end())
                        .mapToLong(placement -> request.gang()
                                .requestOf(placement.pod())
                                .resources()
                                .get(kind))
                        .sum())
                .toList();
        return new Cell(free, asked);
    }
}
