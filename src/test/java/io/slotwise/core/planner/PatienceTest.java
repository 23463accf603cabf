package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.anticipation.Distance.Form;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A gang that prefers a rack can start at once across two racks, or in one of them 50 s later, which it accepts. Across
 * two racks it is cheaper, too.
 */
class PatienceTest {
    private static final long NOW = 1_000_000_000;
    private static final long WAIT = 50;
    private static final TopologyLevel RACK = TopologyLevel.of("rack");
    private static final Topology PREFERRED =
            new Topology(List.of(new Span(RACK, Span.ONE), new Span(null, Span.ONE)), 100L);
    private static final Policy POLICY = policy(1000, 0);

    private static Cluster cluster() {
        List<Node> nodes = IntStream.range(0, 6).mapToObj(PatienceTest::node).toList();
        List<Occupation> load = List.of(occupied("n0"), occupied("n2"));
        return new Cluster(nodes, load);
    }

    private static Node node(int i) {
        return new Node(
                "n" + i,
                Map.of("rack", Integer.toString(i < 4 ? i / 2 : i), "zone", i < 4 ? "near" : "far"),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 3L)),
                Performance.REFERENCE,
                "",
                StepFunction.constant(i % 2 == 0 ? 3_600_000 : 1_800_000),
                List.of());
    }

    private static Occupation occupied(String node) {
        return new Occupation(
                "other/" + node, node, Resources.of(Map.of(Resources.CPU, 1000L)), new Interval(NOW, NOW + WAIT));
    }

    private static GangBuilder preferring() {
        return GangBuilder.gang("g", 2, 1000, 10);
    }

    private static void assertThatItIsInOneRack(Policy policy, Gang gang, Account... accounts) {
        Snapshot snapshot = new Snapshot(NOW, cluster(), List.of(new Request(gang, null)), List.of())
                .withAccounts(List.of(accounts));

        Plan plan = new Planner(policy).plan(snapshot);

        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        assertThat(plan.windows()).hasSize(1);
        assertIsInOneRack(plan.windows().getFirst().window());
    }

    private static void assertIsInOneRack(Window window) {
        assertThat(window.start()).isEqualTo(NOW + WAIT);
        assertThat(window.placements())
                .extracting(Placement::node)
                .containsAnyOf("n0", "n2")
                .isIn(List.of("n0", "n1"), List.of("n2", "n3"));
    }

    private static Gang gang() {
        return preferring().build().within(PREFERRED);
    }

    @Test
    void theOnlyAlternativeKeepsThePreference() {
        assertThatItIsInOneRack(POLICY, gang());
    }

    @Test
    void furtherAlternativesOfABatchKeepThePreference() {
        Limit limit = new Limit(Limit.Measure.COST, OptionalLong.of(Long.MAX_VALUE / 4));

        assertThatItIsInOneRack(POLICY.withBatch(POLICY.batch().serving(Objective.USER, limit)), gang());
    }

    @Test
    void anticipatedWindowsKeepThePreference() {
        Policy.Anticipating anticipating = new Policy.Anticipating(Form.LINEAR, Set.of(Criterion.START));

        assertThatItIsInOneRack(POLICY.withBatch(POLICY.batch().with(copy -> copy.anticipating(anticipating))), gang());
    }

    @Test
    void easyBackfillingDoesNotStartAGangFarNowThatGetsNearSoon() {
        Policy.Split split = new Policy.Split(1, 0, Policy.Split.Choice.ORDER);

        assertThatItIsInOneRack(
                POLICY.withBackfill(Policy.Backfill.EASY)
                        .withBatch(POLICY.batch().with(copy -> copy.split(split))),
                gang());
    }

    @Test
    void onePreferenceHoldsForAllPeriodsOfAnAccount() {
        assertThatItIsInOneRack(
                POLICY,
                gang(),
                new Account("user", NOW, NOW + 20, Cost.of(Money.parse("1000000"))),
                new Account("user", NOW + 20, NOW + 2000, Cost.of(Money.parse("1000000"))));
    }

    @Test
    void aGangOfAResourceDomainKeepsItsPreference() {
        Gang gang = preferring()
                .placing(new PlacementRequest(Manner.EMCT, 0, OptionalDouble.empty(), OptionalDouble.empty()))
                .build()
                .within(PREFERRED);

        assertThatItIsInOneRack(
                POLICY.withOnline(
                        new Policy.Online(Manner.BATCH, POLICY.online().weights(), "zone")),
                gang);
    }

    @Test
    void theMenuHasOnlyWindowsOfTheSpanThatCounts() {
        Gang gang = gang();
        Timeline timeline = new Timeline(cluster(), NOW, 0);
        WindowSearch search = new WindowSearch(gang, new Eligibility(Eligibility.Kind.of(gang), timeline, false));

        List<Window> menu = search.menu(SlotTerms.of(gang, NOW, NOW + 1000));

        assertThat(menu).hasSize(1).allSatisfy(PatienceTest::assertIsInOneRack);
    }

    @Test
    void theSearchesForAGangThatCannotPayGrowWithItsPeriods() {
        assertThat(searches(40)).isLessThan(6 * searches(10));
    }

    private static int searches(int periods) {
        AtomicInteger searches = new AtomicInteger();
        SearchObserver counting = new SearchObserver() {
            @Override
            public <T> T around(Criterion criterion, Supplier<T> search) {
                searches.incrementAndGet();
                return search.get();
            }
        };
        long length = 2000 / periods;
        List<Account> accounts = IntStream.range(0, periods)
                .mapToObj(i ->
                        new Account("user", NOW + i * length, NOW + (i + 1) * length, Cost.of(Money.parse("0.000001"))))
                .toList();
        Snapshot snapshot =
                new Snapshot(NOW, cluster(), List.of(new Request(gang(), null)), List.of()).withAccounts(accounts);

        Plan plan = new Planner(POLICY, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, counting))
                .plan(snapshot);

        assertThat(plan.windows()).isEmpty();
        return searches.get();
    }
}
