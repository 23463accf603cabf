package io.slotwise.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.OracleStarts;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ValuedUsersTest {
    private static final long PRICE = 2_000_000;

    private static List<Job> valued(long seed) {
        return users(seed, 0).jobs().toList();
    }

    private static ValuedUsers users(long seed, int misstatingPercent) {
        Workload original = new Workload() {
            @Override
            public String name() {
                return "two hundred users";
            }

            @Override
            public OptionalInt processors() {
                return OptionalInt.of(4);
            }

            @Override
            public Stream<Job> jobs() {
                return IntStream.range(0, 400).mapToObj(i -> OracleStarts.job("j" + i, i, 1, 10, 20, "user" + i % 200));
            }
        };
        return new ValuedUsers(original, PRICE, misstatingPercent, seed, SeededRandom.L64X128);
    }

    @Test
    void aUserDrawsOneValueForAllJobsFromATenthToTenTimesThePrice() {
        TreeMap<String, Money> values = new TreeMap<>();

        for (Job job : valued(1)) {
            Money value = job.terms().valueOfTime().hour();

            assertThat(value.micros()).isBetween(PRICE / 10, PRICE * 10);
            assertThat(values.merge(job.user(), value, (known, _) -> known)).isEqualTo(value);
            assertThat(job.terms().criterion()).isEqualTo(Criterion.VALUE);
        }

        // Log-uniform: as many below the price as above it.
        assertThat(values.values().stream().filter(value -> value.micros() < PRICE))
                .hasSizeBetween(80, 120);
        assertThat(values.values().stream().distinct()).hasSizeGreaterThan(190);
    }

    @Test
    void aPartOfTheUsersStateTenTimesTheirValueOrATenthOfIt() {
        List<Job> honest = valued(1);
        ValuedUsers some = users(1, 20);
        TreeMap<String, Integer> misstating = new TreeMap<>();

        List<Job> jobs = some.jobs().toList();

        for (int i = 0; i < jobs.size(); i++) {
            Money own = honest.get(i).terms().valueOfTime().hour();
            Money money = jobs.get(i).terms().valueOfTime().hour();
            assertThat(some.worth(jobs.get(i)).hour()).isEqualTo(own);
            if (!money.equals(own)) {
                assertThat(money.micros()).isIn(own.micros() * 10, own.micros() / 10);
                misstating.put(jobs.get(i).user(), money.compareTo(own));
            }
        }
        assertThat(misstating).hasSizeBetween(25, 55);
        assertThat(misstating.values()).contains(-1, 1);
    }

    @Test
    void theSameSeedDrawsTheSameAndAnotherOneDoesNot() {
        assertThat(valued(1)).isEqualTo(valued(1));
        assertThat(valued(1)).isNotEqualTo(valued(2));
    }
}
