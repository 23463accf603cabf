package io.slotwise.web.board;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.Interval;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.report.PlanReport.WindowRow;
import io.slotwise.web.board.Board.Bar;
import io.slotwise.web.board.Board.Bar.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the bars of a board. The pods of a gang that stand on one node over the same seconds make one bar, and so do
 * all pods of a node that Slotwise did not place and whose end is unknown. Scratch of one drawing.
 */
final class BoardBars {
    /** What is shown of a pod that asks for more than its node has. */
    private static final Share MOST = new Share(1000, 1);

    private static final int THOUSANDTHS = 1000;

    private final BoardInput scene;
    private final Asked asked;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<Seat, Occupation> rooms = new LinkedHashMap<>();
    private final Map<Kind, Sum> sums = new HashMap<>();
    /** How many seats of a reservation, by its name, gangs are shown in on a node. */
    private final Map<Seat, Integer> taken = new HashMap<>();

    /** What a pod asks for that has no room yet; null: not known. */
    interface Asked {
        @Nullable
        Resources amount(GangId gang, String pod);
    }

    /** Where a pod stands, by its name with the namespace. */
    private record Seat(String pod, String node) {}

    /** What is drawn as one bar. */
    private record Kind(State state, String holder, String node, long start, long end, boolean overrun) {
        String id() {
            return String.join(
                    "|", state.name().substring(0, 1), holder, node, String.valueOf(start), String.valueOf(end));
        }
    }

    /** What stands together in a bar. */
    private static final class Sum {
        private final @Nullable String gang;
        private String first;
        private int count;
        private long since = Long.MAX_VALUE;
        private @Nullable Money cost;
        private @Nullable Resources amount;

        private Sum(@Nullable String gang, String first) {
            this.gang = gang;
            this.first = first;
        }

        private void add(String pod, long start, @Nullable Money more, @Nullable Resources room) {
            amount = count == 0 ? room : amount == null || room == null ? null : amount.plus(room);
            count++;
            first = pod.compareTo(first) < 0 ? pod : first;
            since = Math.min(since, start);
            if (more != null) {
                // All of one window, whose whole cost a long holds.
                cost = cost == null ? more : new Money(Math.addExact(cost.micros(), more.micros()));
            }
        }
    }

    BoardBars(BoardInput scene, Asked asked) {
        this.scene = scene;
        this.asked = asked;
        scene.snapshot().cluster().nodes().forEach(node -> nodes.put(node.name(), node));
    }

    /** All bars by node, start and id. */
    List<Bar> rows(List<GangRecord> standings) {
        for (Occupation room : scene.snapshot().cluster().occupations()) {
            if (rooms.putIfAbsent(new Seat(room.holder(), room.node()), room) != null) {
                foreign(room);
            }
        }
        standings.forEach(this::takeSeats);
        standings.forEach(this::gang);
        rooms.values().forEach(this::foreign);
        return sums.entrySet().stream()
                .map(entry -> bar(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(Bar::node)
                        .thenComparingLong(Bar::start)
                        .thenComparing(Bar::id))
                .toList();
    }

    /** A gang that is promised a part of an advance reservation is shown in these seats in its place. */
    private void takeSeats(GangRecord standing) {
        GangId host = standing.host();
        Promise promise = standing.promise();
        if (host != null && promise != null && scene.holds().contains(host)) {
            promise.window()
                    .placements()
                    .forEach(place -> taken.merge(new Seat(host.toString(), place.node()), 1, Integer::sum));
        }
    }

    /** Whether a gang is shown in place of one more seat of a reservation on this node. */
    private boolean isTaken(GangRecord standing, String node) {
        Seat seats = new Seat(standing.gang().toString(), node);
        int left = taken.getOrDefault(seats, 0);
        taken.put(seats, left - 1);
        return left > 0;
    }

    private void gang(GangRecord standing) {
        Promise promise = standing.promise();
        if (promise == null) {
            return;
        }
        RunInterval course = RunInterval.of(standing, promise.window());
        int prefix = standing.gang().namespace().length() + 1;
        for (WindowRow.PodRow pod : WindowRow.pods(promise.window())) {
            @Nullable Occupation room = rooms.remove(new Seat(pod.pod(), pod.node()));
            String name = pod.pod().substring(prefix);
            Kind kind = kind(standing, pod, course.of(standing, name, pod.end() - pod.start()), room);
            if (kind.start() < kind.end() && !(kind.state() == State.HELD && isTaken(standing, pod.node()))) {
                Resources amount = room == null ? asked.amount(standing.gang(), name) : room.amount();
                sums.computeIfAbsent(kind, _ -> new Sum(kind.holder(), pod.pod()))
                        .add(pod.pod(), kind.start(), pod.cost(), amount);
            }
        }
    }

    private Kind kind(GangRecord standing, WindowRow.PodRow pod, RunInterval course, @Nullable Occupation room) {
        String gang = standing.gang().toString();
        if (!standing.phase().started()) {
            State state = scene.holds().contains(standing.gang()) ? State.HELD : State.PROMISED;
            return new Kind(state, gang, pod.node(), pod.start(), pod.end(), false);
        }
        boolean over = standing.phase() == Phase.COMPLETED || (course.end() <= scene.now() && room == null);
        if (over || room == null) {
            return new Kind(
                    over ? State.COMPLETED : State.RUNNING, gang, pod.node(), course.start(), course.end(), false);
        }
        return new Kind(
                State.RUNNING,
                gang,
                pod.node(),
                room.interval().start(),
                room.interval().end(),
                room.overrun());
    }

    private void foreign(Occupation room) {
        Interval interval = room.interval();
        boolean endless = interval.end() >= Interval.FOREVER;
        Kind kind = new Kind(
                State.FOREIGN,
                endless ? "" : room.holder(),
                room.node(),
                endless ? Long.MIN_VALUE : interval.start(),
                interval.end(),
                room.overrun());
        sums.computeIfAbsent(kind, _ -> new Sum(null, room.holder()))
                .add(room.holder(), interval.start(), null, room.amount());
    }

    private Bar bar(Kind kind, Sum sum) {
        Node node = nodes.get(kind.node());
        Resources amount = sum.amount;
        Money cost = sum.cost;
        return new Bar(
                kind.id(),
                kind.node(),
                sum.gang,
                sum.first,
                sum.count,
                sum.since,
                known(kind.end()),
                kind.state(),
                cost == null ? null : cost.toString(),
                node == null || amount == null ? null : share(amount.dominantShareOf(node.allocatable())),
                kind.overrun() ? true : null);
    }

    private static Integer share(Share share) {
        return Math.toIntExact(share.min(MOST).of(THOUSANDTHS));
    }

    /** An end that is known, or null. */
    static @Nullable Long known(long end) {
        return end >= Interval.FOREVER ? null : Long.valueOf(end);
    }
}
