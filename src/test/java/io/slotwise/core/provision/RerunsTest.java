package io.slotwise.core.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slotwise.testing.PlanBuilder;
import java.math.BigInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class RerunsTest {
    private static final int CASES = 300;
    private static final double HOUR = 3600;

    @Test
    void aNodeOfAGangThatBeginsAnewIsPaidAgainWhole() {
        // Half an hour at 0.2 an hour is lost with a probability of 0.1.
        Reruns half = Reruns.whole(offer(new Billing(0, 0, 1, 0), 200_000), 1_000_000, 1800);

        assertThat(half.expected()).isEqualTo(BigInteger.valueOf(1_000_000L * 1800 * 10 / 9));
    }

    @Test
    void aNodeOfAGangThatKeepsItsWorkIsPaidAgainForWhatIsLeft() {
        // Without delays and overhead half of it is left after a loss, whose run is lost half as often.
        Reruns half = Reruns.resumed(offer(new Billing(0, 0, 1, 0), 200_000), 1_000_000, 1800, 0);

        double left = 0.5 * (1 - 1.0 / 1800);
        assertThat(half.expected().doubleValue() / (1_000_000.0 * 1800))
                .isCloseTo(1 + 0.1 * left / (1 - 0.1 * left), within(1e-9));
    }

    @Test
    void anOverheadAsLongAsTheRunLeavesNoWork() {
        NodeOffer offer = offer(new Billing(90, 0, 60, 30), 300_000);

        assertThat(Reruns.resumed(offer, 777_777, 500, 500)).isEqualTo(Reruns.whole(offer, 777_777, 500));
        assertThat(Reruns.resumed(offer, 777_777, 500, 5000)).isEqualTo(Reruns.whole(offer, 777_777, 500));
    }

    @Test
    void meansAreThoseOfEverySecond() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        for (int i = 0; i < CASES; i++) {
            NodeOffer offer = drawn(random);
            long use = 1 + random.nextLong(200);
            long overhead = random.nextLong(250);
            long price = random.nextLong(3_000_000);

            Reruns reruns = Reruns.resumed(offer, price, use, overhead);

            long billed = 0;
            long risk = 0;
            for (long second = 1; second <= use; second++) {
                long left = Math.min(use, use - second + overhead);
                billed += offer.billing().billed(left);
                risk += offer.hazard() * left;
            }
            assertThat(reruns.again()).as("case %d", i).isEqualTo(Math.ceilDiv(price * billed, use));
            assertThat(reruns.later()).as("case %d", i).isEqualTo(Math.ceilDiv(risk, use));
        }
    }

    @Test
    void whatIsExpectedIsNoLessThanTheSumOverAllLossesAndCloseToIt() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(2);
        double farthest = 0;
        for (int i = 0; i < CASES; i++) {
            NodeOffer offer = drawn(random);
            int use = 1 + random.nextInt(3000);
            int overhead = random.nextInt(500);
            long price = 1 + random.nextLong(3_000_000);

            Reruns reruns = Reruns.resumed(offer, price, use, overhead);

            double exact = overAllLosses(offer, price, use, overhead);
            double expected = reruns.expected().doubleValue();
            double risk = reruns.risk() / (NodeOffer.ALL * HOUR);
            assertThat(expected).as("case %d", i).isGreaterThan(exact - 1);
            assertThat(expected - exact).as("case %d", i).isLessThan(reruns.bill() * risk * risk / (1 - risk) + 1);
            farthest = Math.max(farthest, expected / exact);
        }
        assertThat(farthest).isBetween(1.0, 1.25);
    }

    /**
     * What is to be expected, by the chain of all that can happen: each run is lost in each of its seconds with the
     * same probability, what is left is run again.
     */
    private static double overAllLosses(NodeOffer offer, long price, int use, int overhead) {
        double lost = offer.hazard() / (NodeOffer.ALL * HOUR);
        double[] cost = new double[use + 1];
        double change = 1;
        while (change > 1e-12) {
            double[] next = new double[use + 1];
            double[] sums = new double[use + overhead + 1];
            for (int left = 0; left < use + overhead; left++) {
                sums[left + 1] = sums[left] + cost[Math.min(use, left)];
            }
            change = 0;
            for (int work = 1; work <= use; work++) {
                next[work] =
                        (double) price * offer.billing().billed(work) + lost * (sums[work + overhead] - sums[overhead]);
                change = Math.max(change, Math.abs(next[work] - cost[work]) / next[work]);
            }
            cost = next;
        }
        return cost[use];
    }

    private static NodeOffer drawn(RandomGenerator random) {
        return offer(
                new Billing(
                        random.nextLong(30),
                        random.nextInt(3) == 0 ? random.nextLong(200) : 0,
                        1 + random.nextLong(random.nextBoolean() ? 5 : 90),
                        random.nextLong(10)),
                random.nextLong(NodeOffer.ALL));
    }

    private static NodeOffer offer(Billing billing, long hazard) {
        return new NodeOffer(PlanBuilder.oneCore("n", 1_000_000), billing, PurchaseQuota.of("n", 1), hazard);
    }
}
