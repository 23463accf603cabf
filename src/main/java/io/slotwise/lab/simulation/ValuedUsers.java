package io.slotwise.lab.simulation;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A workload whose users know the value of their time. Each user draws the value of an hour for all jobs, and the jobs
 * minimize cost plus delay unless they state another criterion.
 *
 * <p>The value is log-uniform over two decades around the machine's mean price: from a tenth of the price of a
 * processor hour to ten times that, rounded down to a micro-unit. Draws depend only on the seed and the user's name. A
 * job with a value of its own keeps it. Some users misstate their value: ten times or a tenth of it, with equal
 * probability.
 *
 * @param meanPrice the mean price of a processor, millionths of the currency unit per hour, positive
 * @param misstatingPercent the share of users who misstate their value, 0 to 100
 */
public record ValuedUsers(
        Workload original, long meanPrice, int misstatingPercent, long seed, RandomSource randomSource)
        implements DerivedWorkload {
    private static final double DECADES = 2;
    private static final int MISSTATED = 10;
    private static final int ALL = 100;
    private static final long MIXER = 0xD1342543DE82EF95L;

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::valued);
    }

    private Job valued(Job job) {
        return job.terms().valueOfTime().isNone() ? job.valuing(of(job.user()).value) : job;
    }

    /** Returns a workload in which an hour has the same value for every job that states none. */
    public static Workload alike(Workload originalWorkload, Money hour) {
        return DerivedWorkload.of(
                originalWorkload,
                job -> job.terms().valueOfTime().isNone() ? job.valuing(ValueOfTime.always(hour)) : job);
    }

    private record Value(ValueOfTime ownTime, ValueOfTime value) {}

    private Value of(String user) {
        RandomGenerator random = new NamedDraws(randomSource, seed, MIXER).of(user);
        double factor = StrictMath.pow(10, DECADES * random.nextDouble() - DECADES / 2);
        long own = Math.min((long) (meanPrice * factor), ValueOfTime.MOST.micros());
        if (random.nextInt(ALL) >= misstatingPercent) {
            return new Value(hours(own), hours(own));
        }
        return new Value(hours(own), hours(random.nextBoolean() ? own * MISSTATED : own / MISSTATED));
    }

    private static ValueOfTime hours(long micros) {
        return ValueOfTime.always(new Money(Math.min(micros, ValueOfTime.MOST.micros())));
    }

    /** Returns the user's true value of time, whatever the job states; a value of the original job is true. */
    public ValueOfTime worth(Job job) {
        ValueOfTime value = job.terms().valueOfTime();
        Value drawnValue = of(job.user());
        return value.equals(drawnValue.value) ? drawnValue.ownTime : value;
    }
}
