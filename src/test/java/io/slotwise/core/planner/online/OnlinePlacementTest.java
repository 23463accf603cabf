package io.slotwise.core.planner.online;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PlacementRequest.Manner;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.DomainComparison.LeftOut;
import io.slotwise.core.plan.DomainComparison.Why;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Online;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.report.Explanation;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.Usual;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fast node in zone b, on which the gang costs 3, and a slow one in zone a, on which it costs 2. */
class OnlinePlacementTest {
    /** 2030-01-01T00:00:00Z. */
    private static final long NOW = 1_893_456_000L;

    private static final long HOUR = 3600;
    private static final List<Node> NODES = List.of(node("a", 1, 2_000_000), node("b", 4, 12_000_000));
    private static final CriterionWeights WEIGHTS = new CriterionWeights(0.8, 0.1, 0.1);
    private static final Gang GANG =
            GangBuilder.gang("g", 1, 1000, HOUR).arrival(NOW).build();

    @ParameterizedTest
    @EnumSource(names = {"EMCT", "EMET"})
    void gangTakesTheDomainThatItLikesBest(Manner mode) {
        Plan plan = plan(mode, List.of());

        assertThat(node(plan)).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource(names = {"EMCT", "EMET"})
    void gangTakesAnotherDomainThatItsNamespaceCanPay(Manner mode) {
        Plan plan = plan(mode, List.of(left("2.5", 0, 48)));

        assertThat(node(plan)).isEqualTo("a");
    }

    @ParameterizedTest
    @EnumSource(names = {"EMCT", "EMET"})
    void gangWaitsForThePeriodInWhichItsNamespaceCanPay(Manner mode) {
        Plan plan = plan(mode, List.of(left("1.5", 0, 10), left("3", 10, 48)));

        assertThat(window(plan).start()).isEqualTo(NOW + 10 * HOUR);
        assertThat(node(plan)).isEqualTo("b");
    }

    @ParameterizedTest
    @EnumSource(names = {"EMCT", "EMET"})
    void aGangThatIsTooExpensiveEverywhereIsToldSo(Manner mode) {
        Plan plan = plan(mode, List.of(left("1.5", 0, 48)));

        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending())
                .singleElement()
                .satisfies(pending -> assertThat(pending.refusal().message())
                        .isEqualTo("no window within the budget of namespace user: the cheapest costs 2, 1.5 is "
                                + "left until " + "2030-01-03T00:00:00Z"));
    }

    @ParameterizedTest
    @EnumSource(names = {"EMCT", "EMET"})
    void thePlanTellsHowTheDomainWasChosen(Manner mode) {
        Plan plan = plan(mode, List.of());

        DomainComparison domains = plan.domains().getFirst();
        assertThat(domains.gang()).isEqualTo(GANG.id());
        assertThat(domains.mode().key()).isEqualTo(mode.key());
        assertThat(domains.weights()).isEqualTo(WEIGHTS);
        assertThat(domains.window()).isEqualTo(window(plan));
        assertThat(domains.compared()).extracting(Compared::domain).containsExactly("b", "a");
        assertThat(domains.compared()).extracting(Compared::time).containsExactly(900L, 3600L);
        assertThat(domains.compared()).extracting(Compared::closeness).isSorted();
        assertThat(domains.compared()).extracting(Compared::distance).isSorted();
        assertThat(domains.leftOut()).isEmpty();
    }

    @Test
    void omittedDomainsAreReportedWithTheirReason() {
        DomainComparison dear =
                plan(Manner.EMCT, List.of(left("2.5", 0, 48))).domains().getFirst();
        Gang moving = GangBuilder.gang("g", 1, 1000, HOUR)
                .placing(new PlacementRequest(Manner.EMCT, 1_000_000, OptionalDouble.empty(), OptionalDouble.empty()))
                .arrival(NOW)
                .build();
        DomainComparison unknown =
                plan(Manner.EMCT, List.of(), moving).domains().getFirst();

        assertThat(dear.leftOut()).containsExactly(new LeftOut("b", Why.NO_WINDOW));
        assertThat(unknown.compared()).extracting(Compared::domain).containsExactly("a");
        assertThat(unknown.leftOut()).containsExactly(new LeftOut("b", Why.NO_BANDWIDTH));
    }

    @Test
    void aLaterPlanRemembersTheDomainChoiceOfAKeptWindow() {
        Plan first = plan(Manner.EMCT, List.of());
        Plan without = Usual.plan(NOW, NOW + HOUR, first.windows(), List.of(), List.of(), List.of());
        Plan moved = Usual.plan(NOW, NOW + HOUR, List.of(), List.of(), List.of(), List.of());

        assertThat(without.after(first).domains()).isEqualTo(first.domains());
        assertThat(first.after(first).domains()).isEqualTo(first.domains());
        assertThat(moved.after(first).domains()).isEmpty();
    }

    @Test
    void theExplanationHasTheTable() {
        List<String> lines =
                Explanation.of(plan(Manner.EMCT, List.of(left("2.5", 0, 48))), GANG.id(), List.of(), Currency.NONE);

        assertThat(lines)
                .contains(
                        "It was placed at once in one resource domain.",
                        "Its mode is emct; TOPSIS compared 1 resource domain with the weights time 0.800, cost "
                                + "0.100 and fragmentation 0.100, the lowest C is best:",
                        "  b was left out: it has no window that fits the gang and its budget")
                .anyMatch(line -> line.startsWith("  > 1. a: start 2030-01-01"));
        assertThat(lines).noneMatch(line -> line.contains("criterion is"));
    }

    private static Plan plan(Manner mode, List<Account> accounts) {
        return plan(mode, accounts, GANG);
    }

    private static Plan plan(Manner mode, List<Account> accounts, Gang gang) {
        Policy policy = Policy.EXACT.withHorizon(24 * HOUR).withOnline(new Online(mode, WEIGHTS, "zone"));
        Snapshot snapshot = new Snapshot(
                        NOW, new Cluster(NODES, List.of()), List.of(new Request(gang, null)), List.of())
                .withAccounts(accounts);
        Plan plan = new Planner(policy).plan(snapshot);
        assertThat(PlanChecker.faults(snapshot, policy, plan)).isEmpty();
        return plan;
    }

    private static Window window(Plan plan) {
        return plan.windows().getFirst().window();
    }

    private static String node(Plan plan) {
        return window(plan).placements().getFirst().node();
    }

    private static Account left(String amount, long from, long until) {
        return new Account("user", NOW + from * HOUR, NOW + until * HOUR, Cost.of(Money.parse(amount)));
    }

    private static Node node(String zone, long speed, long micros) {
        return new Node(
                        zone,
                        Map.of("zone", zone),
                        List.of(),
                        true,
                        Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 9L)),
                        new Performance(speed * 1_000_000),
                        "o",
                        StepFunction.constant(micros),
                        List.of())
                .withBandwidth(zone.equals("a") ? 1_000_000 : Node.UNKNOWN);
    }
}
