package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.requests;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.plan.ChoiceExplanation.Decider;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Anticipating;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Batch;
import io.slotwise.core.plan.Policy.FairBy;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.Policy.Queue;
import io.slotwise.core.plan.Policy.Searching;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.InPlan;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of each key of the policy on a plan: on random clusters, and on one where the effect is obvious. */
class PolicyEffectsTest {
    private static final long NOW = RandomClusters.NOW;
    private static final long HOUR = 3600;

    static Node node(String name, int pods, long microsPerHour) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, pods * 1000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(microsPerHour * pods),
                List.of());
    }

    static Gang gang(String name, int pods, long runtime, Criterion criterion, long arrivedAgo) {
        return GangBuilder.gang(name, pods, 1000, runtime)
                .nodeIndependent()
                .criterion(criterion)
                .arrival(NOW - arrivedAgo)
                .build();
    }

    static Snapshot snapshot(List<Node> nodes, List<Account> accounts, Gang... gangs) {
        return new Snapshot(
                        NOW,
                        new Cluster(nodes, List.of()),
                        Arrays.stream(gangs)
                                .map(gang -> new Request(gang, null))
                                .toList(),
                        List.of())
                .withAccounts(accounts);
    }

    static Plan planned(Policy policy, Snapshot snapshot) {
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    static Policy base() {
        return policy(24 * HOUR, 0);
    }

    private static Policy backfilling(Backfill backfill) {
        return base().withBatch(base().batch().withSplit(new Split(1, 0, Choice.ORDER)))
                .withBackfill(backfill);
    }

    private static long start(Plan plan, String gang) {
        return InPlan.planned(plan, gang).window().start() - NOW;
    }

    static List<String> inOrderOfStart(Plan plan) {
        return plan.windows().stream()
                .map(planned -> planned.gang().id().name())
                .toList();
    }

    static Refusal refusal(Plan plan, String gang) {
        return plan.pending().stream()
                .filter(pending -> pending.gang().name().equals(gang))
                .findFirst()
                .orElseThrow()
                .refusal();
    }

    /** A random policy with all that the policy file can say of the batch. */
    static Policy anyPolicy(RandomGenerator random) {
        Measure measure = List.of(Measure.values()).get(random.nextInt(4));
        long figure = measure == Measure.AVERAGE_UTILITY ? random.nextInt(1_000_000) : random.nextLong(4_000_000_000L);
        Limit limit = measure == Measure.NOTHING
                ? Limit.NONE
                : new Limit(measure, random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(figure));
        Objective objective = List.of(Objective.values()).get(random.nextInt(Objective.values().length));
        Split split = new Split(
                1 + random.nextInt(4),
                random.nextInt(3) == 0 ? random.nextInt(Split.ALL) : Split.ALL,
                List.of(Choice.values()).get(random.nextInt(3)));
        Batch batch = new Batch(
                objective,
                limit,
                1 + random.nextInt(6),
                0,
                Searching.EXACT,
                split,
                random.nextBoolean(),
                anticipating(random));
        return policy(RandomClusters.SPAN * 2, random.nextInt(3))
                .withBatch(batch)
                .withBackfill(List.of(Backfill.values()).get(random.nextInt(3)))
                .withQueue(new Queue(
                        List.of(Order.values()).get(random.nextInt(Order.values().length)),
                        1 + random.nextInt(30),
                        0,
                        new HalfLife(1 + random.nextInt(1000)),
                        FairBy.SHARE))
                .withOnline(online(random));
    }

    private static Anticipating anticipating(RandomGenerator random) {
        List<Form> forms = List.of(Form.values());
        return random.nextInt(3) > 0
                ? Anticipating.NOT
                : new Anticipating(forms.get(random.nextInt(forms.size())), Anticipating.NOT.criteria());
    }

    private static Online online(RandomGenerator random) {
        Manner manner = random.nextInt(4) > 0 ? Manner.BATCH : random.nextBoolean() ? Manner.EMCT : Manner.EMET;
        return new Online(manner, CriterionWeights.DEFAULT, "zone");
    }

    private static List<Account> anyAccounts(RandomGenerator random) {
        List<Account> accounts = new ArrayList<>();
        long start = NOW - 20;
        for (int i = random.nextInt(4); i > 0; i--) {
            long end = start + 30 + random.nextInt(200);
            accounts.add(new Account("user", start, end, new Cost(random.nextLong(2_000_000_000L))));
            start = end + random.nextLong(2) * 20;
        }
        return accounts;
    }

    @Test
    void everyPlanUnderAnyPolicyKeepsTheContractOverManyCycles() {
        int windows = 0;
        int deliberations = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = anyPolicy(random);
            Cluster cluster = clusters.cluster(3 + random.nextInt(5));
            List<Request> requests = requests(clusters, 10);
            List<Account> accounts = anyAccounts(random);
            long now = NOW;
            for (int cycle = 0; cycle < 3; cycle++) {
                Snapshot snapshot = new Snapshot(now, cluster, requests, List.of()).withAccounts(accounts);

                Plan plan = new Planner(policy).plan(snapshot);

                assertThat(PlanChecker.faults(snapshot, policy, plan))
                        .as("seed %d, cycle %d, %s", seed, cycle, policy)
                        .isEmpty();
                windows += plan.windows().size();
                deliberations += plan.choices().size();
                now += random.nextInt(10);
                requests = PlannerTest.waiting(plan, requests, now, random);
            }
        }
        assertThat(windows).isGreaterThan(500);
        assertThat(deliberations).isGreaterThan(300);
    }

    @Test
    void noPlanDependsOnTheOrderOfTheInput() {
        for (int seed = 0; seed < 150; seed++) {
            RandomGenerator random = seeded(seed + 1000);
            RandomClusters clusters = new RandomClusters(random);
            Policy policy = anyPolicy(random);
            Cluster cluster = clusters.cluster(6);
            List<Request> requests = requests(clusters, 9);
            List<Account> accounts = anyAccounts(random);

            Plan plan =
                    new Planner(policy).plan(new Snapshot(NOW, cluster, requests, List.of()).withAccounts(accounts));

            List<Request> shuffled = new ArrayList<>(requests);
            Collections.shuffle(shuffled, new Random(seed));
            Plan again = new Planner(policy)
                    .plan(new Snapshot(
                                    NOW,
                                    new Cluster(
                                            cluster.inventory().reversed(),
                                            cluster.occupations().reversed()),
                                    shuffled,
                                    List.of())
                            .withAccounts(accounts.reversed()));
            assertThat(again).as("seed %d, %s", seed, policy).isEqualTo(plan);
        }
    }

    @Test
    void averageUtilityLimitsWhatUsersLoseForTheOwners() {
        Node cheap = node("cheap", 1, 1_000_000);
        Node dear = node("dear", 1, 2_000_000);
        Gang[] gangs = IntStream.range(0, 2)
                .mapToObj(i -> gang("g" + i, 1, HOUR, Criterion.COST, i))
                .toArray(Gang[]::new);
        Snapshot snapshot = snapshot(List.of(cheap, dear), List.of(), gangs);

        List<Long> incomes = IntStream.of(0, 500_000, 1_000_000)
                .mapToObj(figure -> total(planned(
                        base().withHorizon(2 * HOUR)
                                .withBatch(base().batch()
                                        .serving(
                                                Objective.MAX_INCOME,
                                                new Limit(Measure.AVERAGE_UTILITY, OptionalLong.of(figure)))
                                        .withAlternatives(4)
                                        .withShift(false)),
                        snapshot)))
                .toList();

        assertThat(incomes).containsExactly(2_000_000 * HOUR, 3_000_000 * HOUR, 4_000_000 * HOUR);
    }

    private static long total(Plan plan) {
        return plan.windows().stream()
                .mapToLong(planned -> planned.window().cost().microSecondsPerHour())
                .sum();
    }

    @Test
    void choicesTellWhatDecided() {
        Snapshot snapshot = snapshot(
                List.of(node("cheap", 1, 1_000_000), node("dear", 1, 2_000_000)),
                List.of(),
                gang("g", 1, HOUR, Criterion.COST, 0));
        Batch batch = base().batch().withAlternatives(4).withShift(false);

        Plan own = planned(base().withHorizon(2 * HOUR).withBatch(batch), snapshot);
        Plan owners = planned(
                base().withHorizon(2 * HOUR).withBatch(batch.serving(Objective.MAX_INCOME, Limit.NONE)), snapshot);
        Plan limited = planned(
                base().withHorizon(2 * HOUR)
                        .withBatch(batch.serving(
                                Objective.USER, new Limit(Measure.PROCESSOR_TIME, OptionalLong.of(2 * HOUR)))),
                snapshot);

        assertThat(own.choices()).singleElement().satisfies(choice -> {
            assertThat(choice.decider()).isEqualTo(Decider.CRITERION);
            assertThat(choice.loss()).isZero();
        });
        assertThat(owners.choices()).singleElement().satisfies(choice -> {
            assertThat(choice.decider()).isEqualTo(Decider.OBJECTIVE);
            assertThat(choice.loss()).isEqualTo(1_000_000);
            assertThat(choice.reason())
                    .isEqualTo("the policy's objective (max-income) prefers it to the gang's best alternative");
        });
        assertThat(limited.choices())
                .singleElement()
                .satisfies(choice -> assertThat(choice.decider()).isEqualTo(Decider.CRITERION));
    }

    @Test
    void limitThatIsTooLowNamesTheGangAndTheLeastFeasibleLimit() {
        Snapshot snapshot = snapshot(
                List.of(node("n", 2, 1_000_000)),
                List.of(),
                gang("a", 1, HOUR, Criterion.COST, 2),
                gang("b", 1, 2 * HOUR, Criterion.COST, 1),
                gang("c", 1, HOUR, Criterion.COST, 0));
        Policy policy = base().withBatch(base().batch()
                .serving(Objective.MIN_COST, new Limit(Measure.COST, OptionalLong.of(2_000_000 * HOUR))));

        Plan plan = planned(policy, snapshot);

        assertThat(inOrderOfStart(plan)).containsExactly("a");
        assertThat(refusal(plan, "c").message())
                .isEqualTo("left out of the batch: with it the least cost is 4, the policy's limit is 2; the whole "
                        + "batch needs 4");
        assertThat(refusal(plan, "b").message())
                .isEqualTo("left out of the batch: with it the least cost is 3, the policy's limit is 2; the whole "
                        + "batch needs 4");
        assertThat(plan.notes())
                .containsExactly("the limit on the cost (2) is too low for the whole batch, which needs at least 4;"
                        + " left out: user/b, user/c");
    }

    @Test
    void namespaceBudgetHoldsInItsPeriodAndTheNextOnePaysForTheRest() {
        List<Account> accounts = List.of(
                new Account("user", NOW - HOUR, NOW + 12 * HOUR, Cost.of(Money.parse("1.5"))),
                new Account("user", NOW + 12 * HOUR, NOW + 36 * HOUR, Cost.of(Money.parse("1"))));
        Snapshot snapshot = snapshot(
                List.of(node("n", 4, 1_000_000)),
                accounts,
                gang("a", 1, HOUR, Criterion.START, 2),
                gang("b", 1, HOUR, Criterion.START, 1),
                gang("c", 1, HOUR, Criterion.START, 0));

        Plan plan = planned(base(), snapshot);

        assertThat(start(plan, "a")).isZero();
        assertThat(start(plan, "b")).isEqualTo(12 * HOUR);
        assertThat(refusal(plan, "c"))
                .isEqualTo(new Refusal.NamespaceBudget("user", Money.parse("1"), Money.parse("0.5"), NOW + 12 * HOUR));
        assertThat(refusal(plan, "c").message())
                .startsWith("no window within the budget of namespace user: the cheapest costs 1, 0.5 is left until ");
    }

    @Test
    void promisesKeepTheirMoneyAndAreAllowedWhateverIsLeft() {
        Gang old = gang("old", 1, HOUR, Criterion.START, 9);
        Gang young = gang("young", 1, HOUR, Criterion.START, 0);
        Node node = node("n", 4, 1_000_000);
        Plan before = planned(base(), snapshot(List.of(node), List.of(), old));
        Promise promise = new Promise(before.windows().getFirst().window(), WindowOrigin.CYCLIC, false);
        List<Account> accounts = List.of(new Account("user", NOW - HOUR, NOW + 48 * HOUR, Cost.of(Money.parse("0.5"))));
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(List.of(node), List.of()),
                        List.of(new Request(young, null), new Request(old, promise)),
                        List.of())
                .withAccounts(accounts);

        Plan plan = planned(base(), snapshot);

        assertThat(inOrderOfStart(plan)).containsExactly("old");
        assertThat(refusal(plan, "young"))
                .isEqualTo(new Refusal.NamespaceBudget("user", Money.parse("1"), Money.ZERO, NOW + 48 * HOUR));
    }

    @Test
    void aSubBatchForEveryGangGivesEachItsBestInOrder() {
        Snapshot snapshot = snapshot(
                List.of(node("cheap", 1, 1_000_000), node("dear", 1, 3_000_000)),
                List.of(),
                gang("a", 1, HOUR, Criterion.START, 2),
                gang("b", 1, HOUR, Criterion.START, 1));
        Batch whole = base().batch().serving(Objective.MIN_COST, Limit.NONE).withAlternatives(1);

        Plan together = planned(base().withBatch(whole), snapshot);
        Plan inTurn = planned(base().withBatch(whole.withSplit(new Split(9, Split.ALL, Choice.ORDER))), snapshot);

        assertThat(start(together, "a")).isZero();
        assertThat(start(inTurn, "a")).isZero();
        assertThat(start(inTurn, "b")).isZero();
        assertThat(inTurn.choices()).hasSize(2);
    }

    @Test
    void figureIsPassedOnFromSubBatchToSubBatch() {
        Gang[] gangs = IntStream.range(0, 4)
                .mapToObj(i -> gang("g" + i, 1, HOUR, Criterion.START, 9 - i))
                .toArray(Gang[]::new);
        Snapshot snapshot =
                snapshot(List.of(node("cheap", 1, 1_000_000), node("dear", 4, 2_000_000)), List.of(), gangs);
        Batch batch = base().batch()
                .serving(Objective.USER, new Limit(Measure.COST, OptionalLong.of(6_000_000 * HOUR)))
                .withAlternatives(5)
                .withSplit(new Split(2, Split.ALL, Choice.ORDER));

        Plan plan = planned(base().withBatch(batch), snapshot);

        assertThat(plan.windows()).hasSize(4);
        assertThat(total(plan)).isLessThanOrEqualTo(6_000_000 * HOUR);
    }

    @Test
    void combinedMethodPlansTheChosenPartCyclicallyAndBackfillsTheRest() {
        Gang[] gangs = {
            gang("long", 1, 5 * HOUR, Criterion.START, 1),
            gang("wide", 3, HOUR, Criterion.START, 2),
            gang("small", 1, HOUR, Criterion.START, 3)
        };
        Snapshot snapshot = snapshot(List.of(node("n", 9, 1_000_000)), List.of(), gangs);

        assertThat(cyclic(snapshot, Choice.ORDER)).containsExactly("small", "wide");
        assertThat(cyclic(snapshot, Choice.COST)).containsExactly("long", "wide");
        assertThat(cyclic(snapshot, Choice.PROCESSOR_TIME)).containsExactly("long", "wide");
    }

    private static List<String> cyclic(Snapshot snapshot, Choice choice) {
        Policy policy = base().withBatch(base().batch().withSplit(new Split(1, 400_000, choice)));
        return planned(policy, snapshot).windows().stream()
                .filter(planned -> planned.origin() == WindowOrigin.CYCLIC)
                .map(planned -> planned.gang().id().name())
                .toList();
    }

    /** A gang of three runs first, one of four waits for all places, and small gangs could pass it. */
    private static Snapshot crowded() {
        return snapshot(
                List.of(node("n", 4, 1_000_000)),
                List.of(),
                gang("first", 3, 2 * HOUR, Criterion.START, 9),
                gang("head", 4, HOUR, Criterion.START, 8),
                gang("long", 1, 3 * HOUR, Criterion.START, 7),
                gang("short", 1, HOUR, Criterion.START, 6));
    }

    @Test
    void conservativeBackfillingGivesEveryGangAReservation() {
        Plan plan = planned(backfilling(Backfill.CONSERVATIVE), crowded());

        assertThat(start(plan, "first")).isZero();
        assertThat(start(plan, "head")).isEqualTo(2 * HOUR);
        assertThat(start(plan, "long")).isEqualTo(3 * HOUR);
        assertThat(start(plan, "short")).isZero();
    }

    @Test
    void easyBackfillingReservesForTheHeadAndStartsOnlyGangsThatDoNotDelayIt() {
        Plan plan = planned(backfilling(Backfill.EASY), crowded());

        assertThat(start(plan, "head")).isEqualTo(2 * HOUR);
        assertThat(start(plan, "short")).isZero();
        assertThat(refusal(plan, "long")).isEqualTo(new Refusal.Behind(new GangId("user", "head"), NOW + 2 * HOUR));
        assertThat(refusal(plan, "long").message()).startsWith("behind user/head, which starts at ");
    }

    @Test
    void easyBackfillingKeepsOneReservationOverTheCycles() {
        Snapshot first = crowded();
        Policy policy = backfilling(Backfill.EASY);
        Plan before = planned(policy, first);
        List<Request> requests = first.requests().stream()
                .map(request -> before.windows().stream()
                        .filter(planned -> planned.gang().equals(request.gang()))
                        .findFirst()
                        .map(planned ->
                                new Request(request.gang(), new Promise(planned.window(), planned.origin(), false)))
                        .orElse(request))
                .toList();

        Plan after = planned(policy, first.withRequests(requests));

        assertThat(after.windows())
                .allSatisfy(planned -> assertThat(planned.kept()).isTrue());
        assertThat(refusal(after, "long")).isEqualTo(new Refusal.Behind(new GangId("user", "head"), NOW + 2 * HOUR));
    }

    @Test
    void noBackfilledGangDelaysTheHeadOfTheQueue() {
        int heads = 0;
        for (int seed = 0; seed < 150; seed++) {
            RandomClusters clusters = new RandomClusters(seeded(seed));
            Cluster cluster = clusters.cluster(4);
            Policy policy = backfilling(Backfill.EASY).withHorizon(RandomClusters.SPAN * 2);
            List<Request> requests = requests(clusters, 8);
            Snapshot snapshot = new Snapshot(NOW, cluster, requests, List.of());

            Plan plan = planned(policy, snapshot);

            Planned head = plan.windows().stream()
                    .filter(planned -> planned.window().start() > NOW)
                    .findFirst()
                    .orElse(null);
            if (head != null) {
                List<Request> before = requests.stream()
                        .filter(request -> request.gang().arrival()
                                        < head.gang().arrival()
                                || (request.gang().arrival() == head.gang().arrival()
                                        && request.gang()
                                                        .id()
                                                        .compareTo(head.gang().id())
                                                <= 0))
                        .toList();
                Plan alone = planned(policy, snapshot.withRequests(before));
                assertThat(alone.windows().stream().filter(p -> p.gang().equals(head.gang())))
                        .as("seed %d", seed)
                        .singleElement()
                        .satisfies(p -> assertThat(head.window().start())
                                .isLessThanOrEqualTo(p.window().start()));
                heads++;
            }
        }
        assertThat(heads).isGreaterThan(50);
    }

    @Test
    void largestGangComesFirstUnderLgfs() {
        Snapshot snapshot = snapshot(
                List.of(node("n", 3, 1_000_000)),
                List.of(),
                gang("small", 1, HOUR, Criterion.START, 30),
                gang("middle", 2, HOUR, Criterion.START, 20),
                gang("large", 3, HOUR, Criterion.START, 10));

        assertThat(inOrderOfStart(planned(queued(Order.FIFO, HOUR), snapshot)))
                .containsExactly("middle", "small", "large");
        assertThat(start(planned(queued(Order.LGFS, HOUR), snapshot), "large")).isZero();
        assertThat(start(planned(queued(Order.LGFS, 10), snapshot), "large")).isEqualTo(HOUR);
    }

    @Test
    void underValueTheHighestValueOfTimePerResourceComesFirst() {
        List<Node> nodes = List.of(node("n", 3, 1_000_000));
        Gang small = gang("small", 1, HOUR, Criterion.START, 20).valuing(ValueOfTime.always(Money.parse("2")));
        Gang large = gang("large", 3, HOUR, Criterion.START, 10);

        // 2 for one processor against 1 and 3 for each of three.
        Snapshot modest = snapshot(nodes, List.of(), small, large.valuing(ValueOfTime.always(Money.parse("3"))));
        Snapshot hasty = snapshot(nodes, List.of(), small, large.valuing(ValueOfTime.always(Money.parse("9"))));

        assertThat(start(planned(queued(Order.VALUE, HOUR), modest), "large")).isEqualTo(HOUR);
        assertThat(start(planned(queued(Order.VALUE, HOUR), hasty), "large")).isZero();
        assertThat(start(planned(queued(Order.VALUE, HOUR), hasty), "small")).isEqualTo(HOUR);
    }

    private static Policy queued(Order order, long aging) {
        return base().withQueue(new Queue(order, aging, 0, new HalfLife(100), FairBy.SHARE));
    }

    @Test
    void theNamespaceThatHasUsedLeastComesFirstUnderFair() {
        Snapshot snapshot = snapshot(
                        List.of(node("n", 1, 1_000_000)),
                        List.of(),
                        of("rich", "r1", 1, 40),
                        of("rich", "r2", 1, 30),
                        of("poor", "p1", 1, 20),
                        of("poor", "p2", 1, 10))
                .withUsed(Map.of("rich", hours(2), "poor", hours(1)));

        assertThat(inOrderOfStart(planned(queued(Order.FIFO, DAY), snapshot))).containsExactly("r1", "r2", "p1", "p2");
        // With p1 as well, the poor have used as much as the rich, and come first by name.
        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot))).containsExactly("p1", "p2", "r1", "r2");
        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot.withUsed(Map.of()))))
                .containsExactly("p1", "r1", "p2", "r2");
        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot.withUsed(Map.of("poor", hours(3))))))
                .containsExactly("r1", "r2", "p1", "p2");
    }

    @Test
    void aNamespaceServesItsOwnGangsByPriorityAndArrivalUnderFair() {
        Snapshot snapshot = snapshot(
                List.of(node("n", 1, 1_000_000)),
                List.of(),
                of("user", "first", 1, 40),
                of("user", "second", 1, 30),
                of("user", "urgent", 5, 20));

        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot)))
                .containsExactly("urgent", "first", "second");
    }

    @Test
    void theCostOfAPromiseCountsUnderFair() {
        Snapshot before = snapshot(List.of(node("n", 1, 1_000_000)), List.of(), of("a", "promised", 1, 40));
        Window window =
                planned(queued(Order.FAIR, DAY), before).windows().getFirst().window();
        Snapshot snapshot = before.withRequests(List.of(
                new Request(of("a", "promised", 1, 40), new Promise(window, WindowOrigin.CYCLIC, true)),
                new Request(of("a", "next", 1, 30), null),
                new Request(of("b", "other", 1, 20), null)));

        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot)))
                .containsExactly("promised", "other", "next");
    }

    @Test
    void aGangThatWaitsLongEnoughComesFirstUnderFairToo() {
        Snapshot snapshot = snapshot(
                        List.of(node("n", 1, 1_000_000)),
                        List.of(),
                        of("rich", "old", 1, 100),
                        of("poor", "p1", 1, 2),
                        of("poor", "p2", 1, 1))
                .withUsed(Map.of("rich", hours(1000)));

        assertThat(inOrderOfStart(planned(queued(Order.FAIR, DAY), snapshot))).containsExactly("p1", "p2", "old");
        assertThat(inOrderOfStart(planned(queued(Order.FAIR, 50), snapshot))).containsExactly("old", "p1", "p2");
    }

    private static final long DAY = 24 * HOUR;

    private static Cost hours(long hours) {
        return new Cost(hours * HOUR * 1_000_000);
    }

    private static Gang of(String namespace, String name, int priority, long arrivedAgo) {
        return GangBuilder.gang(name, 1, 1000, HOUR)
                .namespace(namespace)
                .nodeIndependent()
                .criterion(Criterion.START)
                .priority(priority)
                .arrival(NOW - arrivedAgo)
                .build();
    }

    @Test
    void underAfcfsAFittingGangPassesALargeOneThatMustWait() {
        Snapshot snapshot = snapshot(
                List.of(node("n", 3, 1_000_000)),
                List.of(),
                gang("first", 2, HOUR, Criterion.START, 40),
                gang("large", 3, HOUR, Criterion.START, 30),
                gang("long", 1, 5 * HOUR, Criterion.START, 20));

        Plan fifo = planned(queued(Order.FIFO, HOUR), snapshot);
        Plan adapted = planned(queued(Order.AFCFS, HOUR), snapshot);
        Plan aged = planned(queued(Order.AFCFS, 10), snapshot);

        assertThat(start(fifo, "large")).isEqualTo(HOUR);
        assertThat(start(fifo, "long")).isEqualTo(2 * HOUR);
        assertThat(start(adapted, "long")).isZero();
        assertThat(start(adapted, "large")).isEqualTo(5 * HOUR);
        assertThat(start(aged, "large")).isEqualTo(HOUR);
    }

    @Test
    void waitingGainsPlacesInThePriorityQueue() {
        Gang old = gang("old", 1, HOUR, Criterion.START, 100);
        Gang young = GangBuilder.gang("young", 1, 1000, HOUR)
                .nodeIndependent()
                .priority(7)
                .arrival(NOW)
                .build();
        Snapshot snapshot = snapshot(List.of(node("n", 1, 1_000_000)), List.of(), old, young);

        assertThat(inOrderOfStart(planned(queued(Order.PRIORITY, 101), snapshot)))
                .containsExactly("young", "old");
        assertThat(inOrderOfStart(planned(queued(Order.PRIORITY, 100), snapshot)))
                .containsExactly("old", "young");
    }

    @ParameterizedTest
    @EnumSource(Objective.class)
    void nothingIsLostByBackfillingNone(Objective objective) {
        Policy policy = base().withBackfill(Backfill.NONE)
                .withBatch(base().batch().serving(objective, Limit.NONE).withSplit(new Split(1, 0, Choice.ORDER)));

        Plan plan = planned(policy, crowded());

        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending())
                .allSatisfy(pending -> assertThat(pending.refusal().message())
                        .isEqualTo("the cyclic part of the plan left it out, and the policy does not backfill"));
    }
}
