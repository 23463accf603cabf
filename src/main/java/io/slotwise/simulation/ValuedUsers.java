package io.slotwise.simulation;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.money.Money;
import io.slotwise.core.work.RandomSource;
import io.slotwise.workload.DerivedWorkload;
import io.slotwise.workload.Job;
import io.slotwise.workload.Workload;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A workload whose users know what their time is worth: each draws what it is worth that a job of theirs ends an hour
 * earlier, and keeps it for all jobs; jobs want cost and delay to be least together, unless they say what else they
 * want.
 *
 * <p>The value is log-uniform over two decades around the machine's mean price: from a tenth of what an hour of one
 * processor costs to ten times that, rounded down to a micro-unit. What a user draws follows from the seed and the
 * user's name alone. A job that has a value of its own keeps it.
 *
 * @param original without values
 * @param meanPrice of a processor, millionths of the currency unit per hour, positive
 * @param seed of this replication
 */
public record ValuedUsers(Workload original, long meanPrice, long seed, RandomSource draws) implements DerivedWorkload {
    private static final double DECADES = 2;
    private static final long MIXER = 0xD1342543DE82EF95L;

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::valued);
    }

    private Job valued(Job job) {
        if (!job.terms().valueOfTime().equals(Money.ZERO)) {
            return job;
        }
        Criterion wanted = job.terms().criterion() == Criterion.START
                ? Criterion.VALUE
                : job.terms().criterion();
        return job.on(job.terms().paying(job.terms().budget(), wanted).valuing(value(job.user())));
    }

    private Money value(String user) {
        RandomGenerator random = new NamedDraws(draws, seed, MIXER).of(user);
        double factor = StrictMath.pow(10, DECADES * random.nextDouble() - DECADES / 2);
        return new Money(Math.min((long) (meanPrice * factor), Demand.MOST_VALUE_OF_TIME.micros()));
    }
}
