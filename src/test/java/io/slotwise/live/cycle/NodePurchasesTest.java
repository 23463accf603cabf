package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.StartDelays;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.port.PurchaseRecorder.Failure;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.FakeKarpenter;
import io.slotwise.testing.FakeSeller;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A whole replica with nodes that can be bought, and one that exists. */
class NodePurchasesTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    static final long DELAY = 30;
    private static final int MOST = 3;
    /** A node for a minute costs a sixtieth. */
    private static final Money SPEND = Money.parse("0.2");

    static final String CATALOGUE = """
            apiVersion: v1
            kind: Node
            metadata:
              name: four
              labels: {slotwise.io/price: "1"}
              annotations: {slotwise.io/offer-delay: 30s, slotwise.io/offer-billed-step: 1m}
            status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: other
              labels: {slotwise.io/price: "1.5"}
              annotations: {slotwise.io/offer-delay: 30s, slotwise.io/offer-billed-step: 1m}
            status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
            """;

    private final FakeSeller seller = seller();
    private final WholeReplica replica = new WholeReplica(settings(), PriceCatalogue.EMPTY, BEGIN, seller);
    private final TreeMap<String, Pod> pods = new TreeMap<>();
    private final List<String> told = new ArrayList<>();
    private int deaths;

    private static LoopSettings settings() {
        return LoopSettings.EXACT.withPolicy(Policy.EXACT.withProvisioning(
                new Provisioning(Mode.BUY, MOST, new Provisioning.Spending(SPEND, Period.DAY), 0)));
    }

    NodePurchasesTest() {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "there", "labels": {"slotwise.io/price": "1"}},
                 "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"},
                 "spec": {"template": {"spec": {"nodeClassRef": {"group": "g", "kind": "K", "name": "default"}}}}}
                """);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    FakeSeller seller() {
        return new FakeKarpenter(CATALOGUE, DELAY);
    }

    private record Pod(String gang, String name, int size, long runtime, String node, long started, boolean over) {
        String json() {
            return """
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "uid-%s",
                      "creationTimestamp": "2030-01-01T00:00:00Z", "labels": {"slotwise.io/gang": "%s"},
                      "annotations": {"slotwise.io/gang-size": "%d", "slotwise.io/runtime": "%ds"}},
                     "spec": {"schedulerName": "slotwise", %s
                      "containers": [{"name": "c", "resources": {"requests": {"cpu": "3", "memory": "1Gi"}}}]},
                     "status": {"phase": "%s" %s}}
                    """.formatted(
                            name,
                            name,
                            gang,
                            size,
                            runtime,
                            node.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(node),
                            over ? "Succeeded" : node.isEmpty() ? "Pending" : "Running",
                            node.isEmpty() ? "" : ", \"startTime\": \"%s\"".formatted(BEGIN.plusSeconds(started)));
        }
    }

    private long second() {
        return replica.now() - BEGIN.getEpochSecond();
    }

    private void show(Pod pod) {
        pods.put(pod.name(), pod);
        replica.seeing(pod.json());
    }

    private void arrives(String gang, int size, long runtime) {
        for (int i = 0; i < size; i++) {
            show(new Pod(gang, gang + "-" + i, size, runtime, "", 0, false));
        }
    }

    /** Advances a second: nodes become ready, pods end, and a cycle runs that the replica may not survive. */
    private void passes() {
        seller.go();
        for (Pod pod : List.copyOf(pods.values())) {
            if (!pod.node().isEmpty() && !pod.over() && second() >= pod.started() + pod.runtime()) {
                show(new Pod(pod.gang(), pod.name(), pod.size(), pod.runtime(), pod.node(), pod.started(), true));
            }
        }
        try {
            replica.cycle();
        } catch (FakeSeller.Killed e) {
            deaths++;
            replica.takeOver();
        }
        replica.opened(this::uids).forEach(record -> {
            for (Placement placement :
                    Objects.requireNonNull(record.promise()).window().placements()) {
                Pod pod = Objects.requireNonNull(pods.get(placement.pod()));
                show(new Pod(pod.gang(), pod.name(), pod.size(), pod.runtime(), placement.node(), second(), false));
            }
        });
        told.addAll(replica.newlyTold());
        assertThat(seller.claims()).hasSizeLessThanOrEqualTo(MOST);
        nobodyIsPromisedANodeBeforeItIsThere();
        replica.pass(Duration.ofSeconds(1));
    }

    private void nobodyIsPromisedANodeBeforeItIsThere() {
        Map<String, PurchaseOrder> orders = new HashMap<>();
        List<Promise> promises = replica.records().stream()
                .flatMap(record -> Stream.ofNullable(record.promise()))
                .toList();
        promises.forEach(promise -> promise.orders().forEach(order -> orders.put(order.node(), order)));
        for (Promise promise : promises) {
            for (Placement placement : promise.window().placements()) {
                PurchaseOrder order = orders.get(placement.node());
                assertThat(order == null ? 0 : order.ready())
                        .as("%s, of %s", placement, order)
                        .isLessThanOrEqualTo(placement.start());
            }
        }
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            passes();
        }
    }

    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        for (Placement placement :
                Objects.requireNonNull(record.promise()).window().placements()) {
            assertThat(placement.node()).as("a node that is there").matches("there|node-.*");
            uids.put(placement.pod(), "uid-" + placement.pod());
        }
        return uids;
    }

    private GangRecord record(String gang) {
        return replica.records().stream()
                .filter(record -> record.gang().name().equals(gang))
                .findFirst()
                .orElseThrow();
    }

    private boolean hasRun(String gang) {
        return pods.values().stream().filter(pod -> pod.gang().equals(gang)).allMatch(Pod::over);
    }

    private Cost spentToday() {
        return Expense.within(seller.costs().values(), Period.DAY.holding(replica.now() - 1));
    }

    private Cost spent() {
        return seller.costs().values().stream().map(Expense::cost).reduce(Cost.ZERO, Cost::plus);
    }

    @Test
    void nodesAreBoughtWhenTheyArePromisedStartTheGangAndAreGivenUpAfterIt() {
        arrives("g", 3, 20);

        pass(1);
        GangRecord promised = record("g");
        assertThat(promised.phase()).isEqualTo(Phase.PROMISED);
        assertThat(promised.windowStart()).hasValue(BEGIN.getEpochSecond() + DELAY);
        assertThat(Objects.requireNonNull(promised.promise()).orders()).hasSize(2);
        assertThat(seller.claims()).hasSize(2);

        pass((int) DELAY + 2);
        assertThat(record("g").phase()).isEqualTo(Phase.RUNNING);
        assertThat(pods.values()).allSatisfy(pod -> assertThat(pod.started()).isEqualTo(DELAY));

        pass(30);
        assertThat(hasRun("g")).isTrue();
        assertThat(record("g").phase()).isEqualTo(Phase.COMPLETED);
        assertThat(seller.claims()).isEmpty();
        assertThat(seller.purchases()).isEqualTo(2);
        assertThat(told).noneMatch(words -> words.contains("WindowBroken"));
    }

    @Test
    void nodesForLaterPromisesAreBoughtLater() {
        arrives("first", 4, 100);
        pass(1);
        assertThat(seller.claims()).hasSize(3);
        arrives("second", 4, 20);

        pass(5);

        assertThat(seller.purchases()).isEqualTo(3);
        assertThat(record("second").promise())
                .as("in what the first gang leaves idle of its nodes")
                .isNotNull();
    }

    @Test
    void aPurchaseForTomorrowHoldsNoGangToday() {
        long midnight = BEGIN.plus(Duration.ofDays(1)).getEpochSecond();
        arrives("all-of-today", 3, 330);
        pass(1);
        arrives("tomorrow", 2, 20);
        pass(1);
        assertThat(spentToday()).isEqualTo(Cost.of(SPEND));
        assertThat(record("tomorrow").windowStart()).hasValue(midnight + DELAY);
        arrives("next", 2, 20);

        pass(3);

        assertThat(record("next").windowStart().orElse(Long.MAX_VALUE))
                .as("there is one node today")
                .isGreaterThan(midnight);
    }

    @Test
    void withoutCapacityTheOfferRestsAndTheGangGetsAnother() {
        seller.serving(offer -> offer.equals("pool.other"));
        arrives("g", 2, 20);

        pass(100);

        assertThat(hasRun("g")).isTrue();
        assertThat(told).anyMatch(words -> words.contains("WindowBroken") && words.contains("not-provisioned"));
        assertThat(seller.claims()).isEmpty();
        // A refused purchase costs nothing.
        assertThat(seller.costs()).hasSize(1);
    }

    @Test
    void gangsThatShareAnUnavailableNodeAreAllTold() {
        seller.neverReady(true);
        arrives("first", 4, 100);
        pass(1);
        arrives("second", 2, 20);
        pass(2);
        assertThat(Objects.requireNonNull(record("second").promise()).awaitsNodes())
                .isTrue();

        pass((int) DELAY + 10);

        assertThat(told.stream()
                        .filter(words -> words.startsWith("user/second WindowBroken"))
                        .findFirst())
                .hasValueSatisfying(words -> assertThat(words).contains("not-provisioned"));
    }

    @Test
    void aNodeThatIsNeverReadyIsGivenUpAtThePlannedStart() {
        seller.neverReady(true);
        arrives("g", 2, 20);

        pass((int) DELAY + 10);

        assertThat(told).anyMatch(words -> words.contains("not-provisioned"));
        assertThat(record("g").promise() == null
                        || record("g").windowStart().orElse(0) > BEGIN.getEpochSecond() + DELAY)
                .isTrue();
        pass(200);
        assertThat(seller.claims()).isEmpty();
        assertThat(record("g").phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aGangThatGoesLeavesNoNodeBehind() {
        arrives("g", 2, 20);
        pass(3);
        assertThat(seller.claims()).hasSize(1);

        List.copyOf(pods.values()).forEach(pod -> replica.missing(pod.json()));
        pods.clear();
        pass(3);

        assertThat(seller.claims()).isEmpty();
    }

    private void budget() {
        replica.seeing("""
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "user",
                 "annotations": {"slotwise.io/budget": "10/month"}}}""");
    }

    /** The amount that the ledger has charged the namespace. */
    private Cost charged() {
        return Objects.requireNonNull(replica.ledgers().get("user")).days().values().stream()
                .map(Charge::total)
                .reduce(Cost.ZERO, Cost::plus);
    }

    private void goes() {
        List.copyOf(pods.values()).forEach(pod -> replica.missing(pod.json()));
        pods.clear();
    }

    @Test
    void aGangThatGoesBeforeItsStartPaysForTheNodeThatWasBoughtForIt() {
        budget();
        arrives("g", 2, 20);
        pass(3);
        assertThat(seller.claims()).hasSize(1);
        assertThat(charged()).isEqualTo(Cost.ZERO);

        goes();
        pass(5);

        assertThat(seller.claims()).isEmpty();
        assertThat(replica.records()).isEmpty();
        // Only the begun step of a minute is paid.
        assertThat(charged()).isEqualTo(spent()).isEqualTo(Cost.product(Money.MICROS_PER_UNIT, 60));
    }

    @Test
    void aGangThatStartedPaysOnceAsItsRunDoes() {
        budget();
        arrives("g", 2, 20);
        pass((int) DELAY + 30);
        assertThat(record("g").phase()).isEqualTo(Phase.COMPLETED);
        goes();
        pass(3);

        assertThat(replica.records()).isEmpty();
        // One pod is on the existing node.
        assertThat(charged()).isEqualTo(spent().plus(Cost.product(3 * Money.MICROS_PER_UNIT / 4, 20)));
    }

    @Test
    void aGangThatLosesItsWindowToAnEditPaysForTheNodesBeforeAndAfter() {
        budget();
        arrives("g", 2, 20);
        pass(3);
        List<String> first = seller.claims();

        // All its pods request more time than the window has.
        arrives("g", 2, 300);
        pass((int) DELAY + 2);
        assertThat(told).anyMatch(words -> words.contains("WindowBroken") && words.contains("edited"));

        assertThat(record("g").phase()).isEqualTo(Phase.RUNNING);
        assertThat(seller.purchases()).isEqualTo(first.size() + 1);
        assertThat(charged()).isEqualTo(Cost.product(Money.MICROS_PER_UNIT, 60));
    }

    @Test
    void refusedPurchasesCostADeletedGangNothing() {
        budget();
        seller.serving(_ -> false);
        arrives("g", 2, 20);
        pass(30);
        goes();
        pass(3);

        assertThat(seller.purchases()).isPositive();
        assertThat(charged()).isEqualTo(Cost.ZERO);
    }

    @Test
    void aGangThatGoesBeforeItsPurchaseIsSeenPaysAndTheNodeIsGivenUp() {
        budget();
        seller.seenLate(true);
        arrives("g", 2, 20);
        pass(3);
        assertThat(seller.claims()).hasSize(1);
        List<String> bought = seller.claims();

        goes();
        arrives("h", 2, 20);
        pass(3);
        assertThat(charged()).isEqualTo(Cost.product(Money.MICROS_PER_UNIT, 60));
        assertThat(Objects.requireNonNull(record("h").promise()).orders())
                .singleElement()
                .satisfies(order -> assertThat(bought).doesNotContain(order.node()));

        seller.seenLate(false);
        pass((int) DELAY + 40);
        assertThat(hasRun("h")).isTrue();
        assertThat(told).noneMatch(words -> words.contains("WindowBroken"));
        assertThat(seller.claims()).isEmpty();
    }

    @Test
    void aGangThatGoesWithoutALeaderPaysUnderTheNextReplica() {
        budget();
        arrives("g", 2, 20);
        pass(3);
        replica.takeOver();
        goes();
        pass(5);

        assertThat(seller.claims()).isEmpty();
        assertThat(charged()).isEqualTo(spent());
    }

    @Test
    void aNamespaceBuysNoMoreThanItsPart() {
        Policy policy = settings().policy();
        // Two nodes for a minute each.
        replica.under(LoopSettings.EXACT.withPolicy(policy.withProvisioning(policy.provisioning()
                .withNamespaceSpend(new Provisioning.Spending(Money.parse("0.035"), Period.DAY)))));
        for (int i = 0; i < 6; i++) {
            arrives("g" + i, 2, 20);
        }

        for (int i = 0; i < 400; i++) {
            passes();
            assertThat(spent()).isLessThanOrEqualTo(Cost.product(Money.MICROS_PER_UNIT, 120));
        }

        assertThat(seller.purchases()).isEqualTo(2);
    }

    @Test
    void unseenPurchasesCountAgainstTheMaximumOfNodes() {
        seller.seenLate(true);
        arrives("g", 4, 20);
        pass(1);
        assertThat(seller.claims()).hasSize(MOST);

        List.copyOf(pods.values()).forEach(pod -> replica.missing(pod.json()));
        pods.clear();
        arrives("h", 4, 20);
        pass(2);
        assertThat(seller.claims()).hasSize(MOST);

        seller.seenLate(false);
        pass((int) DELAY + 40);
        assertThat(hasRun("h")).isTrue();
        assertThat(seller.claims()).isEmpty();
    }

    @Test
    void unseenPurchasesCountAgainstTheLimitsOfTheirPool() {
        assumeThat(seller).isInstanceOf(FakeKarpenter.class);
        replica.seeing("""
                {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"},
                 "spec": {"limits": {"cpu": "8"},
                  "template": {"spec": {"nodeClassRef": {"group": "g", "kind": "K", "name": "default"}}}}}
                """);
        seller.seenLate(true);
        arrives("g", 3, 20);
        pass(1);
        assertThat(seller.claims()).hasSize(2);

        List.copyOf(pods.values()).forEach(pod -> replica.missing(pod.json()));
        pods.clear();
        arrives("h", 2, 20);
        pass(2);

        assertThat(seller.claims()).hasSize(2);
    }

    @Test
    void possiblePurchasesWithoutALeaderAreCountedOnceMore() {
        assumeThat(seller).isInstanceOf(FakeKarpenter.class);
        AtomicInteger left = new AtomicInteger(2);
        seller.killing(point -> point.equals("after-buy") && left.getAndDecrement() > 0);
        arrives("g", 2, 20);
        for (int i = 0; i < 2; i++) {
            passes();
            assertThat(deaths).isEqualTo(i + 1);
            seller.takeAway(seller.claims().getFirst());
        }

        pass((int) DELAY + 30);

        assertThat(hasRun("g")).isTrue();
        assertThat(seller.purchases()).isEqualTo(3);
        assertThat(spent()).isEqualTo(seller.billed());
    }

    @Test
    void aNodeThatIsThereBeforeItsClaimNamesItIsNotOneMoreNode() {
        seller.taking(10);
        seller.namedLate(true);
        arrives("g", 2, 100);
        pass(15);
        assertThat(seller.nodesThere()).hasSize(1);

        arrives("h", 1, 100);
        pass(3);

        assertThat(record("h").windowStart().orElse(Long.MAX_VALUE))
                .isGreaterThanOrEqualTo(BEGIN.getEpochSecond() + DELAY + 15);
        seller.namedLate(false);
        pass((int) DELAY);
        assertThat(pods.values())
                .filteredOn(pod -> pod.gang().equals("g"))
                .allSatisfy(pod -> assertThat(pod.started()).isEqualTo(DELAY));
        assertThat(told).noneMatch(words -> words.contains("WindowBroken"));
    }

    @Test
    void anOfferThatRestsDoesSoUnderTheNextReplica() {
        seller.serving(_ -> false);
        arrives("g", 2, 20);
        pass(15);
        assertThat(seller.kept().resting()).containsOnlyKeys("pool.four", "pool.other");
        int tried = seller.purchases();

        replica.takeOver();
        pass(100);
        assertThat(seller.purchases()).isEqualTo(tried);

        pass((int) NodePurchases.REST);
        assertThat(seller.purchases()).isGreaterThan(tried);
    }

    @Test
    void howLongNodesTakeIsLearntAndKnownToTheNextReplica() {
        seller.taking(50);
        arrives("first", 2, 20);
        pass(45);
        assertThat(told).anyMatch(words -> words.contains("not-provisioned"));
        assertThat(Objects.requireNonNull(seller.kept().delays().get("pool.four"))
                        .seen())
                .singleElement()
                .satisfies(seen -> assertThat(seen).isBetween(2 * (int) DELAY, 2 * (int) DELAY + 20));

        replica.takeOver();
        pass((int) NodePurchases.REST + 100);
        assertThat(hasRun("first")).isTrue();
        StartDelays learnt = Objects.requireNonNull(seller.kept().delays().get("pool.four"));
        assertThat(learnt.seen())
                .hasSizeBetween(1, 2)
                .allSatisfy(seen -> assertThat(seen).isBetween(50, 80));

        told.clear();
        arrives("second", 2, 20);
        pass(2);
        assertThat(record("second").windowStart().orElse(0) - replica.now()).isBetween(50L, 80L);
        pass(100);
        assertThat(hasRun("second")).isTrue();
        assertThat(told).noneMatch(words -> words.contains("not-provisioned"));
    }

    @Test
    void underModeNoneWhatIsThereIsGivenUpWhenItsGangHasEnded() {
        arrives("g", 3, 20);
        pass((int) DELAY + 5);
        assertThat(seller.claims()).hasSize(2);

        replica.under(LoopSettings.EXACT.withPolicy(Policy.EXACT));
        pass(5);
        assertThat(seller.claims()).hasSize(2);
        pass(30);

        assertThat(hasRun("g")).isTrue();
        assertThat(seller.claims()).isEmpty();
    }

    private static LoopSettings keepingIdle(long seconds) {
        Policy policy = settings().policy();
        return LoopSettings.EXACT.withPolicy(
                policy.withProvisioning(policy.provisioning().withKeepIdle(seconds)));
    }

    @Test
    void anIdleNodeStaysForAsLongAsThePolicySaysAndHoldsTheNextGang() {
        replica.under(keepingIdle(600));
        // Users state an hour, and the run takes seconds.
        for (int i = 0; i < 2; i++) {
            show(new Pod("long", "long-" + i, 2, 300, "", 0, false));
        }
        pass((int) DELAY + 5);
        assertThat(record("long").phase()).isEqualTo(Phase.RUNNING);
        List.copyOf(pods.values())
                .forEach(pod -> show(
                        new Pod(pod.gang(), pod.name(), pod.size(), pod.runtime(), pod.node(), pod.started(), true)));
        pass(60);
        assertThat(seller.claims()).as("in its second minute").hasSize(1);

        arrives("next", 2, 20);
        pass(2);

        assertThat(record("next").phase()).isEqualTo(Phase.RUNNING);
        assertThat(seller.purchases()).isEqualTo(1);
        pass(400);
        assertThat(seller.claims()).isEmpty();
    }

    @Test
    void nothingIsBoughtBeyondTheSpendingOfAPeriod() {
        // A node for a minute costs a sixtieth, so there are at most twelve.
        for (int i = 0; i < 20; i++) {
            arrives("g" + i, 2, 20);
        }

        for (int i = 0; i < 1200; i++) {
            passes();
            assertThat(spent()).isLessThanOrEqualTo(Cost.of(SPEND));
        }

        assertThat(seller.purchases()).isBetween(6, 12);
        assertThat(seller.claims()).isEmpty();
    }

    /** The number of runs, each with about thirty purchases; 50 at night. */
    private static final int RUNS = Integer.getInteger("slotwise.purchases.runs", 5);
    /** The number of events of all runs, by kind. */
    private static final Map<String, Integer> TALLY = new TreeMap<>();

    @BeforeAll
    static void countFromNothing() {
        TALLY.clear();
    }

    private static void tally(String what, double times) {
        TALLY.merge(what, (int) Math.round(times), Integer::sum);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, RUNS);
    }

    /**
     * Gangs come and go, and a replica dies in a sixth of its calls. Meanwhile offers have no capacity, and nodes never
     * become ready, take longer than their offer says, or are taken away.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void afterAnyFailureNoNodeIsLeftAndNoLimitExceeded(long seed) {
        Random random = new Random(seed);
        if (seed % 3 == 0) {
            replica.under(keepingIdle(random.nextInt(60)));
        }
        seller.killing(point -> {
            boolean dies = random.nextInt(6) == 0;
            tally("killed " + point, dies ? 1 : 0);
            return dies;
        });
        int gangs = 0;
        for (int i = 0; i < 600; i++) {
            if (random.nextInt(15) == 0) {
                arrives("g" + gangs++, 2 + random.nextInt(3), 10 + random.nextInt(20));
            }
            switch (random.nextInt(60)) {
                case 0 -> seller.serving(_ -> random.nextInt(4) > 0);
                case 1 -> seller.neverReady(random.nextInt(3) == 0);
                case 2 -> seller.taking(random.nextInt(2 * (int) DELAY));
                case 3 -> seller.claims().stream().findFirst().ifPresent(seller::takeAway);
                case 4 -> replica.takeOver();
                // A day passes: there is money again, and offers no longer rest.
                case 5 -> replica.pass(Duration.ofDays(1));
                default -> {}
            }
            passes();
            assertThat(spentToday()).isLessThanOrEqualTo(Cost.of(SPEND));
        }
        replica.under(settings());
        seller.killing(_ -> false);
        seller.serving(_ -> true);
        seller.neverReady(false);
        seller.taking(DELAY);
        List.copyOf(pods.values()).stream().filter(pod -> pod.node().isEmpty()).forEach(pod -> {
            pods.remove(pod.name());
            replica.missing(pod.json());
        });
        pass(200);

        assertThat(seller.claims()).isEmpty();
        assertThat(seller.nodesThere()).isEmpty();
        assertThat(deaths).isPositive();
        tally("runs", 1);
        tally("bought", seller.purchases());
        for (Failure why : Failure.values()) {
            tally(why.key(), replica.metered("slotwise_purchases_failed", "reason", why.key()));
        }
    }

    @AfterAll
    static void aThousandWereBoughtAndEachFaultCameAbout() {
        if (TALLY.getOrDefault("runs", 0) < RUNS) {
            return;
        }
        System.out.println("Purchases with faults: " + TALLY);
        assertThat(TALLY.get("bought")).isGreaterThan(20 * RUNS);
        assertThat(TALLY)
                .containsKeys(
                        "bought",
                        "killed after-buy",
                        "killed after-keep",
                        "killed before-buy",
                        "killed before-give-up",
                        "killed before-keep",
                        "late",
                        "lost",
                        "refused",
                        "runs");
        assertThat(TALLY.values()).allSatisfy(times -> assertThat(times).isPositive());
    }
}
