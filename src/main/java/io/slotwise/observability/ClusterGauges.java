package io.slotwise.observability;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.PurchaseRecorder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * The gauges of the cluster as of the leader's last cycle. Only the leader shows them: a cycle that ends after the loss
 * of leadership shows nothing.
 */
final class ClusterGauges {
    /** The most pairs of namespace and reason with a series of their own. */
    static final int MOST_PENDING = 200;

    /**
     * The most nodes with a series of their own, the first ones by name, so that series do not come and go. The
     * statistics cover all nodes.
     */
    static final int MOST_NODES = 500;

    /** The namespace of all pairs without a series of their own. */
    static final String OTHERS = "";

    /** The level of gangs whose nodes are in no domain together. */
    private static final String CLUSTER = "cluster";

    private final MeterRegistry registry;
    private final AtomicInteger searchRounds = new AtomicInteger();
    private final Map<Phase, AtomicInteger> gangs = new EnumMap<>(Phase.class);
    private final Map<IntakeWarning.Reason, AtomicInteger> warnings = new EnumMap<>(IntakeWarning.Reason.class);
    private final MultiGauge busyShare;
    private final MultiGauge busyShares;
    private final AtomicReference<Double> idleInVain = new AtomicReference<>(0.0);
    private final MultiGauge budgetLeft;
    private final MultiGauge pending;
    private final MultiGauge spans;
    private final MultiGauge boughtNodes;
    private final MultiGauge spentOnNodes;
    private final AtomicLong oldestWaiting = new AtomicLong();
    private final QueueGauges queues;

    private boolean resigned;

    ClusterGauges(MeterRegistry registry) {
        this.registry = registry;
        this.queues = new QueueGauges(registry);
        Gauge.builder("slotwise_search_rounds", searchRounds, AtomicInteger::get)
                .description("rounds of the last cycle's search for alternatives, each for one more of every gang")
                .register(registry);
        busyShare = rows(
                "slotwise_node_busy_share",
                "the largest share of a node's resources that is taken now; of the first 500 nodes by name");
        busyShares = rows("slotwise_nodes_busy_share", "the mean, least and greatest of the same over all nodes");
        Gauge.builder("slotwise_capacity_lost_share", idleInVain, AtomicReference::get)
                .description("the share of all processors that are idle while a gang waits that asks for no more of "
                        + "them; 0: none does. Its mean over time is the loss of capacity")
                .register(registry);
        budgetLeft = rows(
                "slotwise_namespace_budget_left",
                "what is left of a namespace's budget in the current period, after spent and promised money");
        pending = rows("slotwise_pending_gangs", "gangs that wait without a window, by the reason for it");
        Gauge.builder("slotwise_oldest_waiting_gang_seconds", oldestWaiting, AtomicLong::get)
                .description("how long the gang waits that has waited longest without a window; 0: none waits")
                .register(registry);
        spans = rows(
                "slotwise_gangs_by_level",
                "gangs with a window that have not ended, by the narrowest level with one domain for all their nodes");
        boughtNodes = rows("slotwise_bought_nodes", "nodes that Slotwise buys, by how far that has come");
        spentOnNodes = rows(
                "slotwise_purchases_spent",
                "what the nodes cost that were bought in the current period of the policy's buying.max-spend, or "
                        + "without one this month");
        for (Phase phase : Phase.values()) {
            gangs.put(phase, count("slotwise_gangs", "gangs by phase, as the leader sees them", "phase", phase.key()));
        }
        for (IntakeWarning.Reason reason : IntakeWarning.Reason.values()) {
            warnings.put(
                    reason,
                    count(
                            "slotwise_object_warnings",
                            "warnings about nodes and other objects, as the leader sees them",
                            "reason",
                            reason.key()));
        }
    }

    private MultiGauge rows(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private AtomicInteger count(String name, String description, String key, String value) {
        AtomicInteger count = new AtomicInteger();
        Gauge.builder(name, count, AtomicInteger::get)
                .description(description)
                .tag(key, value)
                .register(registry);
        return count;
    }

    /** Sets whether this replica leads. If not, another one shows the cluster. */
    synchronized void leads(boolean leads) {
        resigned = !leads;
        if (!leads) {
            forget();
        }
    }

    private void forget() {
        oldestWaiting.set(0);
        idleInVain.set(0.0);
        searchRounds.set(0);
        gangs.values().forEach(count -> count.set(0));
        warnings.values().forEach(count -> count.set(0));
        pending.register(List.of(), true);
        spans.register(List.of(), true);
        budgetLeft.register(List.of(), true);
        boughtNodes.register(List.of(), true);
        spentOnNodes.register(List.of(), true);
        busyShare.register(List.of(), true);
        busyShares.register(List.of(), true);
        queues.forget();
    }

    synchronized void show(Snapshot snapshot, Plan plan, Collection<GangRecord> records) {
        if (resigned) {
            return;
        }
        searchRounds.set(plan.search().rounds());
        gangs.forEach((phase, count) -> count.set((int) records.stream()
                .filter(record -> record.phase() == phase && !record.ownership().isHeld())
                .count()));
        List<GangRecord> waiting = records.stream()
                .filter(record ->
                        record.phase() == Phase.PENDING && !record.ownership().isHeld())
                .toList();
        pending.register(pending(waiting), true);
        spans.register(spans(snapshot, records), true);
        oldestWaiting.set(waiting.stream()
                .mapToLong(record -> snapshot.now() - record.history().seen())
                .max()
                .orElse(0));
        Map<String, Resources> taken = taken(snapshot);
        idleInVain.set(idleInVain(snapshot, taken));
        List<BusyNode> busy = busyNodes(snapshot, taken);
        busyShare.register(
                busy.stream()
                        .limit(MOST_NODES)
                        .<Row<?>>map(node -> Row.of(Tags.of("node", node.name()), node.share()))
                        .toList(),
                true);
        busyShares.register(statistics(busy), true);
        budgetLeft.register(budgetsLeft(snapshot, plan), true);
        queues.show(snapshot, plan);
    }

    synchronized void show(Collection<Notice> notices) {
        warnings.forEach((reason, count) -> count.set(
                resigned
                        ? 0
                        : (int) notices.stream()
                                .filter(notice -> notice.reason().equals(reason.key()))
                                .count()));
    }

    synchronized void show(PurchaseRecorder.Nodes nodes) {
        if (!resigned) {
            boughtNodes.register(
                    List.of(
                            Row.of(Tags.of("state", "planned"), nodes.planned()),
                            Row.of(Tags.of("state", "starting"), nodes.starting()),
                            Row.of(Tags.of("state", "idle"), nodes.idle()),
                            Row.of(Tags.of("state", "busy"), nodes.busy())),
                    true);
        }
    }

    synchronized void showSpent(long bills) {
        if (!resigned) {
            spentOnNodes.register(List.of(Row.of(Tags.empty(), MoneyMeters.units(new Cost(bills)))), true);
        }
    }

    /** Returns the {@link #MOST_PENDING} largest pairs of namespace and reason, and sums of the others. O(n log n). */
    private static List<Row<?>> pending(List<GangRecord> waiting) {
        record Group(String namespace, String reason) {}
        Map<Group, Long> groups = waiting.stream()
                .collect(Collectors.groupingBy(
                        record -> new Group(
                                record.gang().namespace(),
                                record.plannedAspect().reason()),
                        Collectors.counting()));
        List<Group> largestFirst = groups.keySet().stream()
                .sorted(Comparator.<Group, Long>comparing(groups::get)
                        .reversed()
                        .thenComparing(Group::namespace)
                        .thenComparing(Group::reason))
                .toList();
        Map<Group, Long> shown = new HashMap<>();
        for (int i = 0; i < largestFirst.size(); i++) {
            Group group = largestFirst.get(i);
            shown.merge(
                    i < MOST_PENDING ? group : new Group(OTHERS, group.reason()),
                    groups.getOrDefault(group, 0L),
                    Long::sum);
        }
        List<Row<?>> rows = new ArrayList<>();
        shown.forEach((group, count) ->
                rows.add(Row.of(Tags.of("namespace", group.namespace(), "reason", group.reason()), count)));
        return rows;
    }

    /** Returns the gangs by level; none without levels. O(levels * placements). */
    private static List<Row<?>> spans(Snapshot snapshot, Collection<GangRecord> records) {
        List<TopologyLevel> narrowFirst = snapshot.levels().all().stream()
                .sorted(Comparator.comparingInt(
                        (TopologyLevel level) -> -level.keys().size()))
                .toList();
        if (narrowFirst.isEmpty()) {
            return List.of();
        }
        Inventory inventory = snapshot.cluster().inventory();
        Map<String, Integer> counts = new HashMap<>();
        for (GangRecord record : records) {
            Promise promise = record.promise();
            if (promise != null && record.phase() != Phase.COMPLETED) {
                List<Node> nodes = promise.window().placements().stream()
                        .mapToInt(placement -> inventory.position(placement.node()))
                        .filter(position -> position >= 0)
                        .distinct()
                        .mapToObj(inventory::get)
                        .toList();
                String span = narrowFirst.stream()
                        .filter(level -> level.domain(nodes) != null)
                        .map(TopologyLevel::key)
                        .findFirst()
                        .orElse(CLUSTER);
                counts.merge(span, 1, Integer::sum);
            }
        }
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((level, count) -> rows.add(Row.of(Tags.of("level", level), count)));
        return rows;
    }

    private static List<Row<?>> budgetsLeft(Snapshot snapshot, Plan plan) {
        AccountBalances balances = snapshot.balances(plan);
        List<Row<?>> rows = new ArrayList<>();
        for (Account account : snapshot.accounts()) {
            if (account.queue() == null && account.covers(snapshot.now())) {
                Cost left = balances.left(account).left();
                rows.add(Row.of(Tags.of("namespace", account.holder()), MoneyMeters.units(left)));
            }
        }
        return rows;
    }

    /** The used part of a node. */
    private record BusyNode(String name, double share) {}

    private static List<Row<?>> statistics(List<BusyNode> busy) {
        DoubleSummaryStatistics all = busy.stream().mapToDouble(BusyNode::share).summaryStatistics();
        return all.getCount() == 0
                ? List.of()
                : List.of(
                        Row.of(Tags.of("statistic", "mean"), all.getAverage()),
                        Row.of(Tags.of("statistic", "least"), all.getMin()),
                        Row.of(Tags.of("statistic", "greatest"), all.getMax()));
    }

    /**
     * Returns the part of all processors that is idle now, if a gang that has not started requests no more than these,
     * else 0. The loss of capacity is its mean over time: F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L.
     * Vasconcelos, G. C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems"
     * (2014), section VI, equation (6).
     */
    private static double idleInVain(Snapshot snapshot, Map<String, Resources> taken) {
        double all = 0;
        double idle = 0;
        for (Node node : snapshot.cluster().inventory()) {
            double processors = node.allocatable().get(Resources.CPU);
            Resources resources = taken.get(node.name());
            all += processors;
            idle += Math.max(0, processors - (resources == null ? 0 : resources.get(Resources.CPU)));
        }
        double smallest = snapshot.requests().stream()
                .mapToDouble(request -> request.gang().shapes().stream()
                        .mapToDouble(shape -> (double) shape.pods().size()
                                * shape.request().resources().get(Resources.CPU))
                        .sum())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return all > 0 && smallest <= idle ? idle / all : 0;
    }

    /** Returns the current use of each node that is not empty. */
    private static Map<String, Resources> taken(Snapshot snapshot) {
        Map<String, Resources> taken = new HashMap<>();
        for (Occupation occupation : snapshot.cluster().occupations()) {
            if (occupation.interval().start() <= snapshot.now()
                    && snapshot.now() < occupation.interval().end()) {
                taken.merge(occupation.node(), occupation.resources(), Resources::plus);
            }
        }
        return taken;
    }

    private static List<BusyNode> busyNodes(Snapshot snapshot, Map<String, Resources> taken) {
        List<BusyNode> busy = new ArrayList<>();
        for (Node node : snapshot.cluster().inventory()) {
            Resources resources = taken.get(node.name());
            Share share = resources == null ? Share.NONE : resources.dominantShareOf(node.allocatable());
            busy.add(new BusyNode(node.name(), (double) share.part() / share.whole()));
        }
        return busy;
    }
}
