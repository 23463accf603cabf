package io.slotwise.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.Topology.Span;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.testing.BruteForce;
import io.slotwise.testing.RandomClusters;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PurchaseSearchTest {
    private static final int CASES = 125;
    private static final long SPAN = 120;

    @ParameterizedTest
    @EnumSource
    void findsTheWindowThatTryingEveryPurchaseFinds(Criterion criterion) {
        compare(
                criterion.kind() == Criterion.Kind.SUM ? 4 * CASES : CASES,
                clusters -> clusters.fallingAtTimes(clusters.gang("g", criterion)));
    }

    @ParameterizedTest
    @EnumSource(names = {"START", "COST", "PROCESSOR_TIME"})
    void findsTheWindowThatTryingEveryPurchaseFindsForPodsThatDiffer(Criterion criterion) {
        compare(CASES / 5, clusters -> clusters.mixedGang("g", criterion));
    }

    /** A bought node may be paid for the time that the gang takes on it, and no longer. */
    @ParameterizedTest
    @EnumSource(names = {"START", "FINISH", "COST", "VALUE"})
    void findsTheBestPurchaseIfTheRuntimeDependsOnTheDistance(Criterion criterion) {
        Span zone = new Span(TopologyLevel.of("zone"), Span.ONE);
        Topology distance = new Topology(List.of(zone, new Span(null, 1_600_000)), null);

        compare(CASES / 2, clusters -> clusters.gang("g", criterion).within(distance));
    }

    @ParameterizedTest
    @EnumSource(names = {"START", "COST", "ENERGY"})
    void findsTheWindowThatTryingEveryPurchaseFindsForSlices(Criterion criterion) {
        compare(CASES / 2, clusters -> sliced(clusters, criterion));
    }

    private static void compare(int cases, Function<RandomClusters, Gang> gangs) {
        int found = 0;
        int bought = 0;
        int shared = 0;
        int risky = 0;
        for (int seed = 0; seed < cases; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(1 + random.nextInt(2));
            List<NodeOffer> offers = clusters.offers(1 + random.nextInt(2));
            Policy policy = Policy.EXACT
                    .withHorizon(SPAN)
                    .withTurnover(random.nextInt(3) == 0 ? random.nextInt(8) : 0)
                    .withProvisioning(limited(clusters.provisioning(), random));
            Gang gang = gangs.apply(clusters);
            long now = RandomClusters.NOW;
            NodeMarket market = market(offers, policy.provisioning(), random);

            Optional<Acquisition> best = new PurchaseSearch(
                            gang,
                            market,
                            new PurchaseContext(
                                    cluster,
                                    new AccountBalances(List.of()),
                                    now,
                                    now + SPAN,
                                    policy.turnover(),
                                    false,
                                    null))
                    .best();

            BruteForce.Best expected = BruteForce.best(cluster, policy, offers, market.bought(), gang, now);
            assertThat(best.map(one -> found(one, gang)))
                    .as("seed %d: %s on %s beside %s", seed, gang, offers, market.bought())
                    .isEqualTo(Optional.ofNullable(expected));
            if (best.isPresent()) {
                Acquisition one = best.get();
                found++;
                bought += one.purchases().isEmpty() ? 0 : 1;
                shared +=
                        market.bought().stream().anyMatch(other -> one.window().isOn(other.node())) ? 1 : 0;
                risky += one.expectedCost().equals(one.window().cost()) ? 0 : 1;
            }
        }
        assertThat(found).as("cases with a window").isBetween(cases / 6, cases * 9 / 10);
        assertThat(bought).as("cases in which something is bought").isGreaterThan(cases / 20);
        if (cases >= CASES) {
            assertThat(shared)
                    .as("cases in which a node of others is used that they have bought")
                    .isGreaterThan(cases / 20);
            assertThat(risky).as("cases in which a bought node may be lost").isGreaterThan(cases / 100);
        }
    }

    private static Provisioning limited(Provisioning allowed, RandomGenerator random) {
        return random.nextInt(4) == 0
                ? new Provisioning(
                        allowed.mode(),
                        allowed.maxNodes(),
                        new Provisioning.Spending(new Money(30_000 + random.nextLong(120_000)), Period.DAY),
                        allowed.spotRisk())
                : allowed;
    }

    /** In half of all cases other gangs have bought one or two nodes, within all limits, which are still empty. */
    private static NodeMarket market(List<NodeOffer> offers, Provisioning allowed, RandomGenerator random) {
        NodeMarket market = new NodeMarket(offers, allowed, List.of(), NodeHoldings.NONE);
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            NodeOffer offer = offers.get(random.nextInt(offers.size()));
            long second = RandomClusters.NOW + random.nextInt(20);
            Purchase one = new Purchase(
                    "other" + i,
                    offer,
                    new GangId("a", "other"),
                    second,
                    offer.node().price().at(second),
                    10 + random.nextLong(80));
            market = within(market, allowed, one) ? market.after(List.of(one)) : market;
        }
        return market;
    }

    private static boolean within(NodeMarket market, Provisioning allowed, Purchase one) {
        PurchaseQuota quota = one.offer().quota();
        NodeMarket after = market.after(List.of(one));
        List<Expense> expenses = after.bought().stream().map(Purchase::expense).toList();
        return market.left(one.offer()) > 0
                && (quota.money() == null || after.spent(quota).compareTo(Cost.of(quota.money())) <= 0)
                && allowed.limits("a", expenses).stream()
                        .allMatch(limit -> limit.left(one.bought()).compareTo(Cost.ZERO) >= 0)
                && quota.resources().asMap().entrySet().stream()
                        .allMatch(limit -> after.amount(quota, limit.getKey()) <= limit.getValue());
    }

    /** Slices on the nodes of one zone or on one node, which may be bought. */
    private static Gang sliced(RandomClusters clusters, Criterion criterion) {
        Gang gang = clusters.gang("g", criterion);
        Slice slice = new Slice(TopologyLevel.of(gang.priority() == 0 ? "kubernetes.io/hostname" : "zone"), 2);
        return new Gang(
                        gang.id(),
                        List.of("g-0", "g-1", "g-2", "g-3").subList(0, gang.size() > 2 ? 4 : 2),
                        gang.request(),
                        gang.demand(),
                        gang.priority(),
                        gang.arrival())
                .within(gang.topology().in(List.of(slice)));
    }

    private static BruteForce.Best found(Acquisition one, Gang gang) {
        long expected = one.expectedCost().microSecondsPerHour();
        return new BruteForce.Best(
                switch (gang.criterion()) {
                    case COST -> expected;
                    case VALUE -> expected + gang.delay(one.window().end());
                    case PREFERENCE ->
                        gang.preferences()
                                .distance(one.window().start(), one.window().end(), expected);
                    case START, FINISH, RUNTIME, PROCESSOR_TIME, ENERGY ->
                        one.window().value(gang);
                },
                one.window().start(),
                expected);
    }
}
