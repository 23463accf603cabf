package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.advice.Advisor;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.work.RandomSource;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Budgets of queues, which hold for all gangs below them. */
class QueueBudgetTest {
    private static final long NOW = RandomClusters.NOW;
    private static final long HOUR = 3600;
    private static final Allotment SHOWN = Allotment.parse("100/day");
    private static final List<String> NAMES = List.of("science", "physics", "biology", "other");

    private static final QueueTree TREE = QueueTree.of(
            List.of(
                    new Queue("science", null),
                    new Queue("physics", "science"),
                    new Queue("biology", "science"),
                    new Queue("other", null)),
            Resources.NONE);

    private static Gang in(String queue, Gang gang) {
        return gang.asking(gang.demand().withQueue(queue));
    }

    private static Snapshot budgeted(Snapshot snapshot, List<Account> accounts) {
        return snapshot.withAccounts(accounts)
                .withQueues(new QueueState(TREE, List.of()))
                .withQueueBudgets(Map.of("science", SHOWN, "physics", SHOWN));
    }

    private static Account account(String queue, String left) {
        return new Account(Account.ofQueue(queue), NOW - HOUR, NOW + 48 * HOUR, Cost.of(Money.parse(left)));
    }

    private static Snapshot snapshot(List<Account> accounts, Gang... gangs) {
        return budgeted(
                PolicyEffectsTest.snapshot(List.of(PolicyEffectsTest.node("n", 8, 1_000_000)), List.of(), gangs),
                accounts);
    }

    private static Gang gang(String name, String queue, long arrivedAgo) {
        return in(queue, PolicyEffectsTest.gang(name, 1, HOUR, Criterion.START, arrivedAgo));
    }

    @Test
    void aBudgetHoldsForAllQueuesBelowAndTheRefusalNamesTheQueue() {
        Snapshot snapshot = snapshot(
                List.of(account("physics", "9"), account("science", "2.5")),
                gang("a", "physics", 9),
                gang("b", "biology", 8),
                gang("c", "physics", 7),
                gang("d", "other", 6));

        Plan plan = PolicyEffectsTest.planned(PolicyEffectsTest.base(), snapshot);

        assertThat(PolicyEffectsTest.inOrderOfStart(plan)).containsExactlyInAnyOrder("a", "b", "d");
        assertThat(PolicyEffectsTest.refusal(plan, "c"))
                .isEqualTo(new Refusal.QueueBudget("science", Money.parse("1"), Money.parse("0.5"), NOW + 48 * HOUR));
    }

    @Test
    void aNamespaceAndItsQueueBothPay() {
        Account poor = new Account("user", NOW - HOUR, NOW + 48 * HOUR, Cost.of(Money.parse("1")));
        Snapshot snapshot =
                snapshot(List.of(account("science", "2"), poor), gang("a", "physics", 9), gang("b", "physics", 8));

        Plan plan = PolicyEffectsTest.planned(PolicyEffectsTest.base(), snapshot);

        assertThat(PolicyEffectsTest.refusal(plan, "b"))
                .isEqualTo(new Refusal.NamespaceBudget("user", Money.parse("1"), Money.ZERO, NOW + 48 * HOUR));
    }

    @Test
    void anAdviceRaisesTheBudgetOfAQueueOrStaysWithinIt() {
        Snapshot snapshot =
                snapshot(List.of(account("physics", "9"), account("science", "0.5")), gang("a", "physics", 9));

        List<Advice> advices = new Advisor(PolicyEffectsTest.base(), RandomSource.NONE)
                .advise(snapshot, snapshot.requests().getFirst().gang().id(), null);

        assertThat(advices)
                .extracting(Advice::change)
                .containsExactlyInAnyOrder(
                        new RequestChange.QueueBudget("science", Money.parse("0.5")),
                        new RequestChange.Lasting(HOUR / 2));
    }

    /** In another namespace. */
    private static Gang in(Gang gang, String namespace) {
        return new Gang(
                new GangId(namespace, gang.id().name()),
                gang.shapes(),
                gang.demand(),
                gang.priority(),
                gang.arrival(),
                gang.placementRequest(),
                gang.preempts());
    }

    @Test
    void aQueueOfNamespacesWithAndWithoutBudgetsKeepsItsOwn() {
        Account poor = new Account("b", NOW - HOUR, NOW + 48 * HOUR, Cost.of(Money.parse("5")));
        Snapshot snapshot = snapshot(
                List.of(account("science", "10"), poor),
                in(in("physics", PolicyEffectsTest.gang("x", 8, HOUR, Criterion.START, 8)), "a"),
                in(in("physics", PolicyEffectsTest.gang("y", 5, HOUR, Criterion.START, 9)), "b"));

        Plan plan = PolicyEffectsTest.planned(PolicyEffectsTest.base(), snapshot);

        assertThat(PolicyEffectsTest.inOrderOfStart(plan)).hasSize(1);
        assertThat(PlanChecker.faults(snapshot, PolicyEffectsTest.base(), plan)).isEmpty();
    }

    private static void addAccounts(RandomGenerator random, String holder, List<Account> accounts) {
        long start = NOW - 20;
        for (int i = random.nextInt(3); i > 0; i--) {
            long end = start + 30 + random.nextInt(200);
            accounts.add(new Account(holder, start, end, new Cost(random.nextLong(2_000_000_000L))));
            start = end + random.nextLong(2) * 20;
        }
    }

    @Test
    void noPlanUnderAnyPolicyPassesAnyOfManyBudgetsOverManyCycles() {
        int windows = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = PolicyEffectsTest.anyPolicy(random);
            Cluster cluster = clusters.cluster(3 + random.nextInt(5));
            List<Request> requests = new ArrayList<>();
            for (Request request : ExactSearchTest.requests(clusters, 10)) {
                String queue = NAMES.get(random.nextInt(NAMES.size()));
                String namespace = random.nextBoolean() ? "user" : "unbounded";
                requests.add(new Request(in(in(queue, request.gang()), namespace), null));
            }
            List<Account> accounts = new ArrayList<>();
            addAccounts(random, "user", accounts);
            addAccounts(random, Account.ofQueue("science"), accounts);
            addAccounts(random, Account.ofQueue("physics"), accounts);
            long now = NOW;
            for (int cycle = 0; cycle < 3; cycle++) {
                Snapshot snapshot = budgeted(new Snapshot(now, cluster, requests, List.of()), accounts);

                Plan plan = new Planner(policy).plan(snapshot);

                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d, cycle %d, %s", seed, cycle, policy)
                        .isEmpty();
                windows += plan.windows().size();
                now += random.nextInt(10);
                requests = PlannerTest.waiting(plan, requests, now, random);
            }
        }
        assertThat(windows).isGreaterThan(400);
    }

    @Test
    void gangsThatArePromisedKeepTheirMoneyInEveryQueueAbove() {
        Snapshot first = snapshot(List.of(account("science", "1.5")), gang("a", "physics", 9));
        Snapshot next = first.published(PolicyEffectsTest.planned(PolicyEffectsTest.base(), first));
        List<Request> requests = new ArrayList<>(next.requests());
        requests.add(new Request(gang("b", "biology", 20), null));

        assertThat(next.settled().accounts()).containsExactly(account("science", "0.5"));
        assertThat(next.balances().spans(requests.getFirst().gang().id(), NOW, NOW + 1))
                .singleElement()
                .satisfies(span -> assertThat(span.maxCost()).isEqualTo(Cost.of(Money.parse("1.5"))));
        assertThat(PolicyEffectsTest.inOrderOfStart(
                        PolicyEffectsTest.planned(PolicyEffectsTest.base(), next.withRequests(requests))))
                .containsExactly("a");
    }
}
