package io.slotwise.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.OracleStarts;
import io.slotwise.workload.Job;
import io.slotwise.workload.Workload;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ValuedUsersTest {
    private static final long PRICE = 2_000_000;

    private static List<Job> valued(long seed) {
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
        return new ValuedUsers(original, PRICE, seed, SeededRandom.L64X128)
                .jobs()
                .toList();
    }

    @Test
    void aUserDrawsOneValueForAllJobsFromATenthToTenTimesThePrice() {
        TreeMap<String, Money> values = new TreeMap<>();

        for (Job job : valued(1)) {
            Money value = job.terms().valueOfTime();

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
    void theSameSeedDrawsTheSameAndAnotherOneDoesNot() {
        assertThat(valued(1)).isEqualTo(valued(1));
        assertThat(valued(1)).isNotEqualTo(valued(2));
    }
}
