package io.slotwise.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
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
    private static final int CASES = 75;
    private static final long SPAN = 120;

    @ParameterizedTest
    @EnumSource
    void findsTheWindowThatTryingEveryPurchaseFinds(Criterion criterion) {
        compare(CASES, clusters -> clusters.fallingAtTimes(clusters.gang("g", criterion)));
    }

    @ParameterizedTest
    @EnumSource(names = {"START", "COST", "PROCESSOR_TIME"})
    void findsTheWindowThatTryingEveryPurchaseFindsForPodsThatDiffer(Criterion criterion) {
        compare(CASES / 5, clusters -> clusters.mixedGang("g", criterion));
    }

    private static void compare(int cases, Function<RandomClusters, Gang> gangs) {
        int found = 0;
        int bought = 0;
        for (int seed = 0; seed < cases; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(1 + random.nextInt(2));
            List<NodeOffer> offers = clusters.offers(1 + random.nextInt(2));
            Policy policy = Policy.DEFAULT
                    .withHorizon(SPAN)
                    .withTurnover(random.nextInt(3) == 0 ? random.nextInt(8) : 0)
                    .withProvisioning(clusters.provisioning());
            Gang gang = gangs.apply(clusters);
            long now = RandomClusters.NOW;

            Optional<Acquisition> best = new PurchaseSearch(
                            gang,
                            new NodeMarket(offers, policy.provisioning(), List.of()),
                            new PurchaseContext(
                                    cluster, new AccountBalances(List.of()), now, now + SPAN, policy.turnover(), false))
                    .best();

            BruteForce.Best expected = BruteForce.best(cluster, policy, offers, gang, now);
            assertThat(best.map(one -> found(one, gang)))
                    .as("seed %d: %s on %s", seed, gang, offers)
                    .isEqualTo(Optional.ofNullable(expected));
            found += best.isPresent() ? 1 : 0;
            bought += best.isPresent() && !best.get().purchases().isEmpty() ? 1 : 0;
        }
        assertThat(found).as("cases with a window").isBetween(cases / 6, cases * 9 / 10);
        assertThat(bought).as("cases in which something is bought").isGreaterThan(cases / 20);
    }

    private static BruteForce.Best found(Acquisition one, Gang gang) {
        long expected = one.expected().microSecondsPerHour();
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
