package io.slotwise.report;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The sums over all windows of a plan.
 *
 * @param cost the sum of the windows' costs as shown, which may be more than any window's
 * @param income of each owner whose nodes carry a pod: the sum of these pods' costs as shown; all owners together earn
 *     {@code cost}
 * @param processorSeconds the sum of the pods' seconds
 * @param utilisation the planned share of the cpu: milli-core seconds of all planned pods, divided by those that the
 *     schedulable nodes offer from now to the last planned end (allocatable cpu outside their unavailable intervals,
 *     running pods not subtracted); exact, then rounded half up to four decimals; 0 if nothing is planned
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
        Map<String, String> owners = cluster.nodes().stream().collect(Collectors.toMap(Node::name, Node::owner));
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
        for (Node node : cluster.nodes()) {
            if (node.schedulable()) {
                long seconds = until - plan.now() - secondsInside(node.unavailable(), plan.now(), until);
                offered = offered.add(product(node.allocatable().get(Resources.CPU), seconds));
            }
        }
        BigInteger used = BigInteger.ZERO;
        for (Planned planned : plan.windows()) {
            Map<String, PodRequest> requests = planned.gang().requests();
            for (Placement seat : planned.window().placements()) {
                PodRequest request = requests.get(seat.pod());
                long cpu = request == null ? 0 : request.resources().get(Resources.CPU);
                used = used.add(product(cpu, seat.end() - seat.start()));
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

    /** The seconds of {@code [from, to)} that lie in at least one of the intervals; O(n log n). */
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
