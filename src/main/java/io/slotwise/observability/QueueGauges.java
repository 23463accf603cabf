package io.slotwise.observability;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.QueueBalance;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.report.QueuesReport;
import io.slotwise.report.QueuesReport.QueueBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The gauges of queues as of a cycle: processors, bytes and units of what each queue is guaranteed, uses and lends, and
 * the gangs that wait. Amounts and numbers of gangs include the queues below.
 */
final class QueueGauges {
    /**
     * The most queues with series of their own: those nearest to the root, then the first ones by name, so that series
     * do not come and go. The queues above have the sums.
     */
    static final int MOST_QUEUES = 200;

    /** The wait within the guarantee from which a queue starves, as in the alerts, seconds. */
    static final long STARVING_SECONDS = 600;

    private static final double MILLI = 1000;

    private final MultiGauge guarantees;
    private final MultiGauge limits;
    private final MultiGauge used;
    private final MultiGauge promised;
    private final MultiGauge borrowed;
    private final MultiGauge lent;
    private final MultiGauge waiting;
    private final MultiGauge entitledWaits;
    private final MultiGauge budgets;
    private final MultiGauge budgetsLeft;
    private final AtomicInteger starving = new AtomicInteger();

    QueueGauges(MeterRegistry registry) {
        guarantees = rows(registry, "slotwise_queue_guarantee", "what a queue is guaranteed now");
        limits = rows(registry, "slotwise_queue_limit", "what a queue may use now, if there is a limit");
        used = rows(registry, "slotwise_queue_used", "what the running gangs of a queue use");
        promised =
                rows(registry, "slotwise_queue_promised", "the most that windows which have not started use at a time");
        borrowed = rows(registry, "slotwise_queue_borrowed", "what a queue uses beyond its guarantee");
        lent = rows(registry, "slotwise_queue_lent", "what other queues use of a queue's guarantee");
        waiting = rows(registry, "slotwise_queue_waiting_gangs", "gangs of a queue that wait without a window");
        entitledWaits = rows(
                registry,
                "slotwise_queue_oldest_entitled_wait_seconds",
                "how long the gang waits that has waited longest for room within the unused guarantee of its queue; "
                        + "0: none waits");
        budgets = rows(registry, "slotwise_queue_budget", "the budget of a queue for a period");
        budgetsLeft = rows(
                registry,
                "slotwise_queue_budget_left",
                "what is left of a queue's budget in the current period, after spent and promised money");
        Gauge.builder("slotwise_starving_queues", starving, AtomicInteger::get)
                .description("all queues in which a gang has waited for more than ten minutes for room within the "
                        + "unused guarantee, those without series of their own included")
                .register(registry);
    }

    private static MultiGauge rows(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Removes all series. */
    void forget() {
        show(new QueuesReport(0, List.of(), Map.of(), Map.of()), Set.of(), Map.of());
    }

    /**
     * Shows the queues of a cycle; no series without queues. With n queues, d levels, g gangs and r resources: O(n (d +
     * r) + g (log g + d r)), and at most {@link #MOST_QUEUES} (6 r + 4) series.
     */
    void show(Snapshot snapshot, Plan plan) {
        QueueState state = snapshot.queues();
        if (state == null) {
            forget();
            return;
        }
        QueueTree tree = state.tree();
        Set<String> shown = tree.names().stream()
                .collect(Collectors.groupingBy(queue -> tree.path(queue).size(), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(List::stream)
                .limit(MOST_QUEUES)
                .collect(Collectors.toSet());
        QueuesReport report = QueuesReport.of(snapshot, plan);
        show(report, shown, entitledWaits(tree, report, snapshot, plan));
    }

    private void show(QueuesReport report, Set<String> shown, Map<String, Long> entitled) {
        List<QueueBalance> balances = report.balances().stream()
                .filter(balance -> shown.contains(balance.queue()))
                .toList();
        register(guarantees, balances, QueueBalance::guarantee);
        register(
                limits,
                balances.stream()
                        .filter(balance -> balance.limit() < Amount.MOST)
                        .toList(),
                QueueBalance::limit);
        register(used, balances, QueueBalance::used);
        register(promised, balances, QueueBalance::promised);
        register(borrowed, balances, QueueBalance::borrowed);
        register(lent, balances, QueueBalance::lent);
        waiting.register(rows(shown, queue -> report.waiting().getOrDefault(queue, 0)), true);
        entitledWaits.register(rows(shown, queue -> entitled.getOrDefault(queue, 0L)), true);
        starving.set((int) entitled.values().stream()
                .filter(seconds -> seconds > STARVING_SECONDS)
                .count());
        Map<String, QueueBudget> ofShown = new TreeMap<>(report.budgets());
        ofShown.keySet().retainAll(shown);
        budgets.register(money(ofShown, budget -> Cost.of(budget.allotment().amount())), true);
        budgetsLeft.register(money(ofShown, QueueBudget::left), true);
    }

    private static void register(MultiGauge gauge, List<QueueBalance> balances, ToLongFunction<QueueBalance> amount) {
        gauge.register(
                balances.stream()
                        .<Row<?>>map(balance -> Row.of(
                                Tags.of("queue", balance.queue(), "resource", balance.resource()),
                                units(balance.resource(), amount.applyAsLong(balance))))
                        .toList(),
                true);
    }

    private static List<Row<?>> rows(Set<String> queues, ToLongFunction<String> figure) {
        return queues.stream()
                .<Row<?>>map(queue -> Row.of(Tags.of("queue", queue), figure.applyAsLong(queue)))
                .toList();
    }

    private static List<Row<?>> money(Map<String, QueueBudget> budgets, Function<QueueBudget, Cost> part) {
        return budgets.entrySet().stream()
                .<Row<?>>map(budget ->
                        Row.of(Tags.of("queue", budget.getKey()), MoneyMeters.units(part.apply(budget.getValue()))))
                .toList();
    }

    private static double units(String resource, long amount) {
        return resource.equals(Resources.CPU) ? amount / MILLI : amount;
    }

    /**
     * Returns by queue how long the gang has waited that waits longest for room within the guarantee that the queue
     * does not use. Own gangs of a queue with queues below it are guaranteed nothing. O(n r + g r).
     */
    private static Map<String, Long> entitledWaits(QueueTree tree, QueuesReport report, Snapshot snapshot, Plan plan) {
        Map<String, Map<String, Long>> unused = new HashMap<>();
        report.balances()
                .forEach(balance -> unused.computeIfAbsent(balance.queue(), _ -> new HashMap<>())
                        .put(balance.resource(), balance.guarantee() - balance.used()));
        Set<GangId> roomless = plan.pending().stream()
                .filter(pending -> lacksRoom(pending.refusal()))
                .map(Pending::gang)
                .collect(Collectors.toSet());
        Map<String, Long> waits = new HashMap<>();
        for (Request request : snapshot.requests()) {
            Gang gang = request.gang();
            String queue = gang.queue();
            if (queue != null
                    && roomless.contains(gang.id())
                    && tree.isOpen(queue)
                    && tree.children(queue).isEmpty()
                    && isWithin(gang.total(), tree.resources(), unused.getOrDefault(queue, Map.of()))) {
                waits.merge(queue, Math.max(0, snapshot.now() - gang.arrival()), Math::max);
            }
        }
        return waits;
    }

    /** Returns whether requests have some of these resources, and of each no more than this amount. */
    private static boolean isWithin(Resources total, List<String> resources, Map<String, Long> amounts) {
        List<String> requested =
                resources.stream().filter(resource -> total.get(resource) > 0).toList();
        return !requested.isEmpty()
                && requested.stream().allMatch(resource -> total.get(resource) <= amounts.getOrDefault(resource, 0L));
    }

    /** Returns whether other gangs prevent a window, and not what the gang asks for. */
    private static boolean lacksRoom(Refusal refusal) {
        return refusal instanceof Refusal.NoWindow
                || refusal instanceof Refusal.BehindPromises
                || refusal instanceof Refusal.Behind
                || refusal instanceof Refusal.QueueFull;
    }
}
