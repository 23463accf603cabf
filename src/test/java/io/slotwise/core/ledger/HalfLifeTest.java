package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.money.Cost;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class HalfLifeTest {
    private static final long DAY = 86_400;

    @Test
    void useWeighsHalfAfterEachHalfLifeAndLinearlyLessInBetween() {
        HalfLife week = new HalfLife(7 * DAY);

        assertThat(left(week, 800, -5)).isEqualTo(800);
        assertThat(left(week, 800, 0)).isEqualTo(800);
        assertThat(left(week, 800, 7 * DAY / 2)).isEqualTo(600);
        assertThat(left(week, 800, 7 * DAY)).isEqualTo(400);
        assertThat(left(week, 800, 21 * DAY)).isEqualTo(100);
        assertThat(left(week, 800, 700 * DAY)).isZero();
        assertThat(left(week, 800, Long.MAX_VALUE)).isZero();
    }

    @Test
    void decayIsExactAndNeverGrows() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        for (int i = 0; i < 20_000; i++) {
            HalfLife halfLife = new HalfLife(1 + random.nextLong(1L << (1 + random.nextInt(28))));
            long used = random.nextLong() >>> (1 + random.nextInt(62));
            long age = random.nextLong(1L << (1 + random.nextInt(34)));

            long left = left(halfLife, used, age);

            assertThat(left).isEqualTo(exactly(used, halfLife.seconds(), age));
            assertThat(left(halfLife, used, age + 1)).isLessThanOrEqualTo(left);
        }
    }

    private static long exactly(long used, long halfLife, long age) {
        long halvings = age / halfLife;
        if (halvings > 62) {
            return 0;
        }
        BigInteger whole = BigInteger.valueOf(used >> halvings);
        BigInteger gone = whole.multiply(BigInteger.valueOf(age % halfLife))
                .divide(BigInteger.valueOf(halfLife).shiftLeft(1));
        return whole.subtract(gone).longValueExact();
    }

    @Test
    void aDayCountsInFullUntilItIsOver() {
        TreeMap<Long, Cost> days = new TreeMap<>();
        days.put(10L, new Cost(800));
        days.put(11L, new Cost(80));
        HalfLife day = new HalfLife(DAY);

        assertThat(day.left(days, 11 * DAY)).isEqualTo(new Cost(880));
        assertThat(day.left(days, 12 * DAY)).isEqualTo(new Cost(480));
        assertThat(day.left(days, 13 * DAY)).isEqualTo(new Cost(240));
    }

    @Test
    void aLedgerCountsDaysAndRunsThatHaveNotEnded() {
        TreeMap<Long, Charge> days = new TreeMap<>();
        days.put(10L, new Charge(new Cost(700), new Cost(100)));
        Ledger ledger = new Ledger(
                "n",
                "",
                LedgerStatement.NONE,
                Collections.unmodifiableSortedMap(days),
                List.of(
                        new LedgerEntry(new LedgerEntry.Key("a", 12 * DAY), "a", 12 * DAY + 60, new Cost(30), null),
                        new LedgerEntry(
                                new LedgerEntry.Key("b", 10 * DAY),
                                "b",
                                10 * DAY + 60,
                                new Cost(9000),
                                new LedgerEntry.Settled(new Charge(new Cost(700), new Cost(100)), 10 * DAY + 60))));

        assertThat(ledger.used(new HalfLife(DAY), 12 * DAY, UseUnit.MONEY)).isEqualTo(new Cost(430));
    }

    @Test
    void aHalfLifeIsPositive() {
        assertThatThrownBy(() -> new HalfLife(0)).hasMessage("The half-life (0 s) must be positive.");
    }

    private static long left(HalfLife halfLife, long used, long age) {
        return halfLife.left(new Cost(used), age).microSecondsPerHour();
    }
}
