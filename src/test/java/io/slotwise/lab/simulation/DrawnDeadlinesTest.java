package io.slotwise.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.time.Interval;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.OracleStarts;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DrawnDeadlinesTest {
    private static final long DAY = 24 * 3600;

    private record Jobs(List<Job> all) implements Workload {
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
            return all.stream();
        }
    }

    private static final List<Job> JOBS = IntStream.range(0, 900)
            .mapToObj(i -> OracleStarts.job("j" + i, i, 1, 10, 20, "user"))
            .toList();

    private static List<Job> drawn(List<Job> jobs, int percent) {
        return new DrawnDeadlines(new Jobs(jobs), percent, 1, SeededRandom.L64X128)
                .jobs()
                .toList();
    }

    @Test
    void aShareOfTheJobsHasOneToThreeDaysAndWantsTheLeastCost() {
        List<Job> jobs = drawn(JOBS, 33);

        List<Job> timed = jobs.stream()
                .filter(job -> job.terms().deadline() != Interval.FOREVER)
                .toList();
        assertThat(timed).hasSizeBetween(250, 345);
        assertThat(timed).allSatisfy(job -> {
            assertThat(job.terms().deadline() - job.submit() - job.estimate()).isBetween(DAY, 3 * DAY);
            assertThat(job.terms().criterion()).isEqualTo(Criterion.COST);
        });
        assertThat(jobs.stream().filter(job -> !timed.contains(job)))
                .allSatisfy(job -> assertThat(job.terms().criterion()).isEqualTo(Criterion.START));
        assertThat(drawn(JOBS, 33)).isEqualTo(jobs);
        assertThat(drawn(JOBS, 0)).isEqualTo(JOBS);
    }

    @Test
    void aDeadlineAndACriterionOfItsOwnStay() {
        Job job = JOBS.getFirst();
        Job own = job.on(job.terms().endingBy(5000));
        Job fast = job.on(job.terms().paying(job.terms().budget(), Criterion.FINISH));

        assertThat(drawn(List.of(own), 100)).containsExactly(own);
        assertThat(drawn(List.of(fast), 100).getFirst().terms().criterion()).isEqualTo(Criterion.FINISH);
    }
}
