package io.slotwise.observability;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.QueueBalance;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.report.QueuesReport;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    private static final double MILLI = 1000;

    private final MultiGauge guarantees;
    private final MultiGauge limits;
    private final MultiGauge used;
    private final MultiGauge promised;
    private final MultiGauge borrowed;
    private final MultiGauge lent;
    private final MultiGauge waiting;
    private final MultiGauge entitledWaits;

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
    }

    private static MultiGauge rows(MeterRegistry registry, String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    /** Removes all series. */
    void forget() {
        show(List.of(), Set.of(), Map.of(), Map.of());
    }

    /** Shows the queues of a cycle; no series without queues. */
    void show(Snapshot snapshot, Plan plan) {
        QueueState state = snapshot.queues();
        if (state == null) {
            forget();
            return;
        }
        QueueTree tree = state.tree();
        Set<String> shown = tree.names().stream()
                .sorted(Comparator.comparingInt(queue -> tree.path(queue).size()))
                .limit(MOST_QUEUES)
                .collect(Collectors.toSet());
        QueuesReport report = QueuesReport.of(snapshot, plan);
        show(report.balances(), shown, report.waiting(), entitledWaits(state, snapshot, plan));
    }

    private void show(
            List<QueueBalance> all, Set<String> shown, Map<String, Integer> gangs, Map<String, Long> entitled) {
        List<QueueBalance> balances =
                all.stream().filter(balance -> shown.contains(balance.queue())).toList();
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
        waiting.register(rows(shown, queue -> gangs.getOrDefault(queue, 0)), true);
        entitledWaits.register(rows(shown, queue -> entitled.getOrDefault(queue, 0L)), true);
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

    private static double units(String resource, long amount) {
        return resource.equals(Resources.CPU) ? amount / MILLI : amount;
    }

    /**
     * Returns by queue how long the gang has waited that waits longest for room within the guarantee that the queue
     * does not use. Own gangs of a queue with queues below it are guaranteed nothing. O(g r b) for g gangs, r resources
     * and b pieces of use.
     */
    private static Map<String, Long> entitledWaits(QueueState state, Snapshot snapshot, Plan plan) {
        QueueTree tree = state.tree();
        QueueTimeline timeline = new QueueTimeline(state);
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
                    && tree.resources().stream()
                            .anyMatch(resource -> gang.total().get(resource) > 0)
                    && timeline.isGuaranteed(queue, gang.total(), snapshot.now())) {
                waits.merge(queue, Math.max(0, snapshot.now() - gang.arrival()), Math::max);
            }
        }
        return waits;
    }

    /** Returns whether other gangs prevent a window, and not what the gang asks for. */
    private static boolean lacksRoom(Refusal refusal) {
        return refusal instanceof Refusal.NoWindow
                || refusal instanceof Refusal.BehindPromises
                || refusal instanceof Refusal.Behind
                || refusal instanceof Refusal.QueueFull;
    }
}
