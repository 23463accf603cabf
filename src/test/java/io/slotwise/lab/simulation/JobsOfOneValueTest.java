package io.slotwise.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.testing.OracleStarts;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobsOfOneValueTest {
    private static final ValueOfTime TWO = ValueOfTime.always(new Money(2_000_000));
    private static final ValueOfTime OWN = ValueOfTime.always(new Money(7_000_000));

    private final Job plain = OracleStarts.job("plain", 0, 1, 10, 20, "u");

    private List<Job> valued(Job... jobs) {
        Workload original = new Workload() {
            @Override
            public String name() {
                return "some jobs";
            }

            @Override
            public OptionalInt processors() {
                return OptionalInt.of(4);
            }

            @Override
            public Stream<Job> jobs() {
                return Stream.of(jobs);
            }
        };
        return ValuedUsers.alike(original, TWO.hour()).jobs().toList();
    }

    @Test
    void aJobWithoutACriterionMinimizesCostPlusDelay() {
        Job job = valued(plain).getFirst();

        assertThat(job.terms().valueOfTime()).isEqualTo(TWO);
        assertThat(job.terms().criterion()).isEqualTo(Criterion.VALUE);
    }

    @Test
    void aJobsOwnCriterionIsKept() {
        Job cheap = plain.on(plain.terms().paying(plain.terms().budget(), Criterion.COST));
        Job proud = plain.on(plain.terms().valuing(OWN));

        List<Job> jobs = valued(cheap, proud);

        assertThat(jobs.getFirst().terms().criterion()).isEqualTo(Criterion.COST);
        assertThat(jobs.getFirst().terms().valueOfTime()).isEqualTo(TWO);
        assertThat(jobs.getLast()).isEqualTo(proud);
    }
}
