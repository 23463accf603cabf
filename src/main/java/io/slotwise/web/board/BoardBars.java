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
 * Collects the bars of a board. Pods of a gang with the same node and times make one bar, and so do all pods of a node
 * that Slotwise did not place and whose end is unknown. Used for one rendering.
 */
final class BoardBars {
    /** The limit of the shown share: a pod may request more than its node has. */
    private static final Share MOST = new Share(1000, 1);

    private static final int THOUSANDTHS = 1000;

    private final BoardInput input;
    private final Asked asked;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<PlacedPod, Occupation> occupations = new LinkedHashMap<>();
    private final Map<Kind, Sum> sums = new HashMap<>();
    /** The number of seats of an advance reservation on a node that are shown as gangs. */
    private final Map<PlacedPod, Integer> taken = new HashMap<>();

    /** The request of a pod without room; null if not known. */
    interface Asked {
        @Nullable
        Resources amount(GangId gang, String pod);
    }

    private record PlacedPod(String pod, String node) {}

    /** The key of a bar. */
    private record Kind(State state, String holder, String node, long start, long end, boolean overrun) {
        String id() {
            return String.join(
                    "|", state.name().substring(0, 1), holder, node, String.valueOf(start), String.valueOf(end));
        }
    }

    private static final class Sum {
        private final @Nullable String gang;
        private String first;
        private int count;
        private long since = Long.MAX_VALUE;
        private @Nullable Money cost;
        private @Nullable Resources resources;

        private Sum(@Nullable String gang, String first) {
            this.gang = gang;
            this.first = first;
        }

        private void add(String pod, long start, @Nullable Money money, @Nullable Resources totalResources) {
            resources = count == 0
                    ? totalResources
                    : resources == null || totalResources == null ? null : resources.plus(totalResources);
            count++;
            first = pod.compareTo(first) < 0 ? pod : first;
            since = Math.min(since, start);
            if (money != null) {
                // All pods are of one window, whose cost fits into a long.
                cost = cost == null ? money : new Money(Math.addExact(cost.micros(), money.micros()));
            }
        }
    }

    BoardBars(BoardInput input, Asked asked) {
        this.input = input;
        this.asked = asked;
        input.snapshot().cluster().inventory().forEach(node -> nodes.put(node.name(), node));
    }

    List<Bar> rows(List<GangRecord> records) {
        for (Occupation occupation : input.snapshot().cluster().occupations()) {
            if (occupations.putIfAbsent(new PlacedPod(occupation.holder(), occupation.node()), occupation) != null) {
                foreign(occupation);
            }
        }
        records.forEach(this::placePods);
        records.forEach(this::gang);
        occupations.values().forEach(this::foreign);
        return sums.entrySet().stream()
                .map(entry -> bar(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(Bar::node)
                        .thenComparingLong(Bar::start)
                        .thenComparing(Bar::id))
                .toList();
    }

    /** A gang is shown in place of its seats in an advance reservation. */
    private void placePods(GangRecord record) {
        GangId hostId = record.host();
        Promise promise = record.promise();
        if (hostId != null && promise != null && input.holds().contains(hostId)) {
            promise.window()
                    .placements()
                    .forEach(placement ->
                            taken.merge(new PlacedPod(hostId.toString(), placement.node()), 1, Integer::sum));
        }
    }

    /** Returns whether a gang is shown in place of one more seat on this node. */
    private boolean isTaken(GangRecord record, String node) {
        PlacedPod pod = new PlacedPod(record.gang().toString(), node);
        int left = taken.getOrDefault(pod, 0);
        taken.put(pod, left - 1);
        return left > 0;
    }

    private void gang(GangRecord record) {
        Promise promise = record.promise();
        if (promise == null) {
            return;
        }
        RunInterval interval = RunInterval.of(record, promise.window());
        int prefix = record.gang().namespace().length() + 1;
        for (WindowRow.PodRow pod : WindowRow.pods(promise.window())) {
            @Nullable Occupation occupation = occupations.remove(new PlacedPod(pod.pod(), pod.node()));
            String name = pod.pod().substring(prefix);
            Kind kind = kind(record, pod, interval.of(record, name, pod.end() - pod.start()), occupation);
            if (kind.start() < kind.end() && !(kind.state() == State.HELD && isTaken(record, pod.node()))) {
                Resources resources = occupation == null ? asked.amount(record.gang(), name) : occupation.resources();
                sums.computeIfAbsent(kind, _ -> new Sum(kind.holder(), pod.pod()))
                        .add(pod.pod(), kind.start(), pod.cost(), resources);
            }
        }
    }

    private Kind kind(GangRecord record, WindowRow.PodRow pod, RunInterval interval, @Nullable Occupation occupation) {
        String gang = record.gang().toString();
        if (!record.phase().started()) {
            State state = input.holds().contains(record.gang()) ? State.HELD : State.PROMISED;
            return new Kind(state, gang, pod.node(), pod.start(), pod.end(), false);
        }
        boolean over = record.phase() == Phase.COMPLETED || (interval.end() <= input.now() && occupation == null);
        if (over || occupation == null) {
            return new Kind(
                    over ? State.COMPLETED : State.RUNNING, gang, pod.node(), interval.start(), interval.end(), false);
        }
        return new Kind(
                State.RUNNING,
                gang,
                pod.node(),
                occupation.interval().start(),
                occupation.interval().end(),
                occupation.overrun());
    }

    private void foreign(Occupation occupation) {
        Interval interval = occupation.interval();
        boolean endless = interval.end() >= Interval.FOREVER;
        Kind kind = new Kind(
                State.FOREIGN,
                endless ? "" : occupation.holder(),
                occupation.node(),
                endless ? Long.MIN_VALUE : interval.start(),
                interval.end(),
                occupation.overrun());
        sums.computeIfAbsent(kind, _ -> new Sum(null, occupation.holder()))
                .add(occupation.holder(), interval.start(), null, occupation.resources());
    }

    private Bar bar(Kind kind, Sum sum) {
        Node node = nodes.get(kind.node());
        Resources resources = sum.resources;
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
                node == null || resources == null ? null : share(resources.dominantShareOf(node.allocatable())),
                kind.overrun() ? true : null);
    }

    private static Integer share(Share share) {
        return Math.toIntExact(share.min(MOST).of(THOUSANDTHS));
    }

    /** Returns the end, or null if it is not known. */
    static @Nullable Long known(long end) {
        return end >= Interval.FOREVER ? null : Long.valueOf(end);
    }
}
