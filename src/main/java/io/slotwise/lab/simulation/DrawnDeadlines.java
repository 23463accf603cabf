package io.slotwise.lab.simulation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.JobTerms;
import io.slotwise.lab.workload.Workload;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A workload in which a share of the jobs draws a deadline: one to three days, uniform on the whole seconds, after the
 * end of a start at once with the estimated runtime. Such a job minimizes cost if it would otherwise want the earliest
 * start. Draws depend only on the seed, the user and the job's name. A job with a deadline of its own keeps its terms.
 *
 * @param percent the percentage of all jobs, 0 to {@value #ALL}
 */
public record DrawnDeadlines(Workload original, int percent, long seed, RandomSource randomSource)
        implements DerivedWorkload {
    private static final int ALL = 100;
    private static final long DAY = 24 * 3600;
    private static final long LEAST = DAY;
    private static final long MOST = 3 * DAY;
    private static final long MIXER = 0xBF58476D1CE4E5B9L;

    public DrawnDeadlines {
        if (percent < 0 || percent > ALL) {
            throw new IllegalArgumentException(
                    "The share of jobs with a deadline (%d %%) must be between 0 and 100 %%.".formatted(percent));
        }
    }

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::timed);
    }

    private Job timed(Job job) {
        RandomGenerator random = new NamedDraws(randomSource, seed, MIXER).of(job);
        boolean drawn = random.nextInt(ALL) < percent;
        long slack = random.nextLong(LEAST, MOST + 1);
        JobTerms terms = job.terms();
        if (!drawn || terms.deadline() != Interval.FOREVER) {
            return job;
        }
        Criterion criterion = terms.criterion() == Criterion.START ? Criterion.COST : terms.criterion();
        return job.on(terms.paying(terms.budget(), criterion)
                .endingBy(Math.addExact(job.submit(), Math.addExact(job.estimate(), slack))));
    }
}
