package io.slotwise.observability;

import static io.slotwise.testing.PlanBuilder.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanBuilder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Physics and vision are guaranteed four of eight processors each. Vision uses five. */
class QueueGaugesTest {
    private static final Refusal ROOMLESS = new Refusal.NoWindow(1, 3600);
    private static final Refusal TOO_DEAR = new Refusal.OverBudget(Money.parse("2"), NOW, Money.parse("1"), true);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Meters meters = new Meters(registry);

    private static Queue queue(String name, long guarantee, Map<String, Amount> limit) {
        return new Queue(name, null, 1, Map.of(Resources.CPU, Amount.of(guarantee)), limit, Map.of(), false);
    }

    private static Snapshot snapshot(List<Queue> queues, Gang... waiting) {
        Resources capacity = Resources.of(Map.of(Resources.CPU, 8000L));
        QueueUse use = new QueueUse(
                "user/running",
                "vision",
                Resources.of(Map.of(Resources.CPU, 5000L)),
                new Interval(NOW - 60, NOW + 600));
        return new Snapshot(
                        NOW,
                        new PlanBuilder().snapshot().cluster(),
                        List.of(waiting).stream()
                                .map(gang -> new Request(gang, null))
                                .toList(),
                        List.of())
                .withQueues(new QueueState(QueueTree.of(queues, capacity), List.of(use)));
    }

    private static Snapshot teams(Gang... waiting) {
        return snapshot(
                List.of(
                        queue("physics", 4000, Map.of(Resources.CPU, Amount.of(6000))),
                        queue("vision", 4000, Map.of())),
                waiting);
    }

    private static Gang gang(String name, String queue, int cores, long waited) {
        Gang gang = GangBuilder.gang(name, 1, 1000L * cores, 60)
                .arrival(NOW - waited)
                .build();
        return gang.asking(gang.demand().withQueue(queue));
    }

    private void cycle(Snapshot snapshot, Plan plan) {
        meters.cycle(Duration.ofMillis(1), snapshot, plan, List.of());
    }

    private double cores(String name, String queue) {
        return registry.get("slotwise_queue_" + name)
                .tags("queue", queue, "resource", Resources.CPU)
                .gauge()
                .value();
    }

    private double ofQueue(String name, String queue) {
        return registry.get("slotwise_queue_" + name)
                .tag("queue", queue)
                .gauge()
                .value();
    }

    private Collection<Gauge> series(String name) {
        return registry.find("slotwise_queue_" + name).gauges();
    }

    @Test
    void amountsAreProcessorsOfEachQueueAndThoseBelow() {
        cycle(teams(), new PlanBuilder().plan());

        assertThat(cores("guarantee", "physics")).isEqualTo(4);
        assertThat(cores("limit", "physics")).isEqualTo(6);
        assertThat(series("limit")).hasSize(1);
        assertThat(cores("used", "vision")).isEqualTo(5);
        assertThat(cores("used", "root")).isEqualTo(5);
        assertThat(cores("borrowed", "vision")).isEqualTo(1);
        assertThat(cores("lent", "physics")).isEqualTo(1);
        assertThat(cores("promised", "vision")).isZero();
    }

    @Test
    void theOldestWaitCountsGangsWithinTheUnusedGuarantee() {
        PlanBuilder plan = new PlanBuilder()
                .pending("small", ROOMLESS)
                .pending("younger", ROOMLESS)
                .pending("large", ROOMLESS)
                .pending("borrower", ROOMLESS)
                .pending("dear", TOO_DEAR);
        Snapshot snapshot = teams(
                gang("small", "physics", 4, 300),
                gang("younger", "physics", 1, 200),
                gang("large", "physics", 5, 900),
                gang("dear", "physics", 1, 900),
                gang("borrower", "vision", 1, 900));

        cycle(snapshot, plan.plan());

        assertThat(ofQueue("waiting_gangs", "physics")).isEqualTo(4);
        assertThat(ofQueue("waiting_gangs", "root")).isEqualTo(5);
        assertThat(ofQueue("oldest_entitled_wait_seconds", "physics")).isEqualTo(300);
        assertThat(ofQueue("oldest_entitled_wait_seconds", "vision")).isZero();

        cycle(snapshot, new PlanBuilder().plan());
        assertThat(ofQueue("oldest_entitled_wait_seconds", "physics")).isZero();
    }

    @Test
    void theSeriesOfQueuesAreBoundedFromTheRootDown() {
        List<Queue> many = IntStream.range(0, QueueGauges.MOST_QUEUES + 20)
                .mapToObj(i -> new Queue("q%04d".formatted(i), i % 2 == 0 ? null : "q0000"))
                .map(queue -> queue.name().equals("q0000") ? queue("q0000", 4000, Map.of()) : queue)
                .toList();

        cycle(snapshot(many), new PlanBuilder().plan());

        assertThat(series("used"))
                .hasSize(QueueGauges.MOST_QUEUES)
                .anyMatch(gauge -> "q0218".equals(gauge.getId().getTag("queue")))
                .noneMatch(gauge -> "q0219".equals(gauge.getId().getTag("queue")));
        assertThat(series("waiting_gangs")).hasSize(QueueGauges.MOST_QUEUES);
    }

    @Test
    void everyStarvingQueueIsCountedAlsoWithoutASeries() {
        List<Queue> many = IntStream.range(0, QueueGauges.MOST_QUEUES + 20)
                .mapToObj(i -> queue("q%04d".formatted(i), 10, Map.of()))
                .toList();
        Gang last = GangBuilder.gang("g", 1, 10, 60).arrival(NOW - 700).build();

        cycle(
                snapshot(many, last.asking(last.demand().withQueue("q0219"))),
                new PlanBuilder().pending("g", ROOMLESS).plan());

        assertThat(series("oldest_entitled_wait_seconds"))
                .allSatisfy(gauge -> assertThat(gauge.value()).isZero());
        assertThat(registry.get("slotwise_starving_queues").gauge().value()).isEqualTo(1);
    }

    @Test
    void aQueueWithABudgetShowsWhatIsLeftOfIt() {
        Account account = new Account(Account.ofQueue("physics"), NOW, NOW + 100, Cost.of(Money.parse("3")));

        cycle(
                teams().withQueueBudgets(Map.of("physics", Allotment.parse("5/day")))
                        .withAccounts(List.of(account)),
                new PlanBuilder().plan());

        assertThat(series("budget")).hasSize(1);
        assertThat(ofQueue("budget", "physics")).isEqualTo(5);
        assertThat(ofQueue("budget_left", "physics")).isEqualTo(3);
    }

    @Test
    void thereAreNoSeriesWithoutQueuesAndOnAReplicaThatDoesNotLead() {
        meters.leads(true);
        cycle(teams(), new PlanBuilder().plan());
        cycle(new PlanBuilder().snapshot(), new PlanBuilder().plan());
        assertThat(series("used")).isEmpty();

        cycle(teams(), new PlanBuilder().plan());
        meters.leads(false);
        assertThat(series("used")).isEmpty();
        assertThat(series("waiting_gangs")).isEmpty();
    }
}
