package io.slotwise.report;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a plan, the common source of all output formats.
 *
 * @param now the second of the plan, since the epoch
 * @param horizon how far ahead windows are planned, seconds
 * @param windows the windows in the plan's order: by start, then gang
 * @param moves the moves of running gangs, by gang
 * @param search the extent of the search for alternatives
 * @param buying the windows that purchases would give to gangs, in the order of the queue
 */
public record PlanReport(
        long now,
        long horizon,
        List<WindowRow> windows,
        List<Pending> pending,
        PlanTotals totals,
        List<String> notes,
        List<Move> moves,
        SearchExtent search,
        Currency currency,
        List<PurchaseAdvice> buying,
        List<InputNote> inputNotes) {
    public PlanReport {
        windows = List.copyOf(windows);
        pending = List.copyOf(pending);
        notes = List.copyOf(notes);
        moves = List.copyOf(moves);
        buying = List.copyOf(buying);
        inputNotes = List.copyOf(inputNotes);
    }

    public PlanReport noting(List<InputNote> input) {
        return new PlanReport(now, horizon, windows, pending, totals, notes, moves, search, currency, buying, input);
    }

    /** Returns the figures of a plan from this snapshot and policy. */
    public static PlanReport of(Plan plan, Snapshot snapshot, Policy policy, Currency currency) {
        List<WindowRow> windows = plan.windows().stream()
                .map(planned -> WindowRow.of(planned, currency))
                .toList();
        return new PlanReport(
                plan.now(),
                policy.horizon(),
                windows,
                plan.pending(),
                PlanTotals.of(windows, plan, snapshot.cluster()),
                plan.notes(),
                plan.moves(),
                plan.search(),
                currency,
                plan.buying(),
                List.of());
    }

    /** Returns the nodes of a window, by name. */
    static List<String> nodes(Window window) {
        return window.placements().stream()
                .map(Placement::node)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * A window. Seconds since the epoch, ends exclusive; money is rounded up to a millionth.
     *
     * @param gang {@code namespace/name}
     * @param budget the maximum cost; null if unlimited
     * @param processorSeconds the sum of the pods' seconds
     * @param valueOfTime what the gang gains if it ends an hour earlier; null if nothing
     * @param valueUntil a later end than this costs nothing more, seconds since the epoch; null if there is no such end
     * @param delayValue the value of its delay, rounded up to a millionth; null if none
     * @param promisedBy the promised latest start, since the epoch; null if this is {@code start}
     * @param row the gang's preferences; null if none
     * @param after the predecessors, {@code namespace/name}
     * @param borrowed when the window uses more than its queue is guaranteed; null if it never does
     * @param placement one for each pod, by pod name; their costs sum to {@code cost}
     */
    public record WindowRow(
            String gang,
            long start,
            long end,
            Money cost,
            @Nullable Money budget,
            String criterion,
            String via,
            long processorSeconds,
            @Nullable Money valueOfTime,
            @Nullable Long valueUntil,
            @Nullable Money delayValue,
            @Nullable Long promisedBy,
            @Nullable PreferenceRow row,
            List<String> after,
            @Nullable Interval borrowed,
            List<PodRow> placement) {
        /** A pod; its cost is rounded down to a millionth, and the last pod by name has the rest of the window's. */
        public record PodRow(String pod, String node, long start, long end, Money cost) {}

        public WindowRow {
            after = List.copyOf(after);
            placement = List.copyOf(placement);
        }

        static WindowRow of(Planned planned, Currency currency) {
            Window window = planned.window();
            Gang gang = planned.gang();
            PromiseBound bound = planned.bound();
            boolean valued = !gang.valueOfTime().isNone();
            return new WindowRow(
                    window.gang().toString(),
                    window.start(),
                    window.end(),
                    window.cost().roundedUp(),
                    planned.gang().budget().total(),
                    planned.gang().criterion().key(),
                    planned.origin().key(),
                    window.processorTime(),
                    valued ? gang.valueOfTime().hour() : null,
                    until(gang.valueOfTime()),
                    valued ? new Cost(gang.delay(window.end())).roundedUp() : null,
                    bound == null ? null : Long.valueOf(bound.start()),
                    PreferenceRow.of(gang.preferences(), window, currency),
                    gang.after().gangs().stream().map(GangId::toString).toList(),
                    planned.borrowed(),
                    pods(window));
        }

        /** Returns when a value of time falls, seconds since the epoch. Null if it does not. */
        static @Nullable Long until(ValueOfTime time) {
            return !time.isNone() && time.falls() ? Long.valueOf(time.until()) : null;
        }

        /** Returns the value of an hour, and when it falls. */
        static String hour(Currency currency, Money hour, @Nullable Long until) {
            return currency.of(hour) + " an hour" + (until == null ? "" : " until " + TimeText.instant(until));
        }

        /** Returns the pods of a window by name. O(pods log pods). */
        public static List<PodRow> pods(Window window) {
            List<Placement> placements = window.placements().stream()
                    .sorted(Comparator.comparing(Placement::pod))
                    .toList();
            long rest = window.cost().roundedUp().micros();
            List<PodRow> rows = new ArrayList<>();
            for (Placement placement : placements) {
                boolean last = rows.size() == placements.size() - 1;
                Money cost = last ? new Money(rest) : placement.cost().roundedDown();
                rest -= cost.micros();
                rows.add(new PodRow(
                        window.gang().namespace() + "/" + placement.pod(),
                        placement.node(),
                        placement.start(),
                        placement.end(),
                        cost));
            }
            return rows;
        }
    }

    /**
     * The sums over all windows of a plan.
     *
     * @param cost the sum of the shown costs of windows, which may exceed the limit of a single one
     * @param income the income of each owner: the sum of the shown costs of pods on its nodes. All owners together earn
     *     {@code cost}
     * @param processorSeconds the sum of the pods' seconds
     * @param utilisation the milli-core seconds of all planned pods, divided by those that the schedulable nodes offer
     *     from now to the last planned end. The nodes offer their allocatable cpu outside unavailable intervals, with
     *     running pods not subtracted. Exact, then rounded half up to four decimals; 0 if nothing is planned
     */
    public record PlanTotals(Cost cost, SortedMap<String, Cost> income, long processorSeconds, BigDecimal utilisation) {
        private static final int DECIMALS = 4;
        private static final String UNKNOWN_OWNER = "default";

        static PlanTotals of(List<WindowRow> windows, Plan plan, Cluster cluster) {
            return new PlanTotals(
                    windows.stream().map(window -> Cost.of(window.cost())).reduce(Cost.ZERO, Cost::plus),
                    income(windows, cluster),
                    windows.stream().mapToLong(WindowRow::processorSeconds).sum(),
                    utilisation(plan, cluster));
        }

        private static SortedMap<String, Cost> income(List<WindowRow> windows, Cluster cluster) {
            Map<String, String> owners =
                    cluster.inventory().stream().collect(Collectors.toMap(Node::name, Node::owner));
            SortedMap<String, Cost> income = new TreeMap<>();
            for (WindowRow window : windows) {
                for (WindowRow.PodRow pod : window.placement()) {
                    String owner = owners.getOrDefault(pod.node(), UNKNOWN_OWNER);
                    income.merge(owner, Cost.of(pod.cost()), Cost::plus);
                }
            }
            return income;
        }

        private static BigDecimal utilisation(Plan plan, Cluster cluster) {
            long until = plan.windows().stream()
                    .mapToLong(planned -> planned.window().end())
                    .max()
                    .orElse(plan.now());
            BigInteger offered = BigInteger.ZERO;
            for (Node node : cluster.inventory()) {
                if (node.schedulable()) {
                    long seconds = until - plan.now() - secondsInside(node.unavailable(), plan.now(), until);
                    offered = offered.add(product(node.allocatable().get(Resources.CPU), seconds));
                }
            }
            BigInteger used = BigInteger.ZERO;
            for (Planned planned : plan.windows()) {
                Map<String, PodRequest> requests = planned.gang().requests();
                for (Placement placement : planned.window().placements()) {
                    PodRequest request = requests.get(placement.pod());
                    long cpu = request == null ? 0 : request.resources().get(Resources.CPU);
                    used = used.add(product(cpu, placement.end() - placement.start()));
                }
            }
            return offered.signum() == 0
                    ? BigDecimal.ZERO
                    : new BigDecimal(used)
                            .divide(new BigDecimal(offered), DECIMALS, RoundingMode.HALF_UP)
                            .stripTrailingZeros();
        }

        private static BigInteger product(long milliCores, long seconds) {
            return BigInteger.valueOf(milliCores).multiply(BigInteger.valueOf(seconds));
        }

        /** Returns the seconds of {@code [from, to)} that lie in at least one of the intervals; O(n log n). */
        private static long secondsInside(List<Interval> intervals, long from, long to) {
            long covered = 0;
            long reached = from;
            for (Interval interval : intervals.stream()
                    .sorted(Comparator.comparingLong(Interval::start))
                    .toList()) {
                long start = Math.max(reached, interval.start());
                long end = Math.min(to, interval.end());
                if (start < end) {
                    covered += end - start;
                    reached = end;
                }
            }
            return covered;
        }
    }

    /**
     * A note about a planned object.
     *
     * @param reason the kind of note, such as {@code UnknownField}
     * @param subject the object as {@code namespace/name} or {@code name}, or several of them separated by commas; null
     *     if there is no single one
     * @param field the field of the object, or of the objects that name it; null if none
     * @param consequence the consequence for the plan; null if the message says it
     */
    public record InputNote(
            String reason,
            String kind,
            @Nullable String subject,
            @Nullable String field,
            @Nullable String consequence,
            String message) {}
}
