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
 * A workload whose users know what their time is worth: each draws what it is worth that a job of theirs ends an hour
 * earlier, and keeps it for all jobs; jobs want cost and delay to be least together, unless they say what else they
 * want.
 *
 * <p>The value is log-uniform over two decades around the machine's mean price: from a tenth of what an hour of one
 * processor costs to ten times that, rounded down to a micro-unit. What a user draws follows from the seed and the
 * user's name alone. A job that has a value of its own keeps it. A part of the users state another value than theirs:
 * ten times it or a tenth of it, with the same probability.
 *
 * @param meanPrice of a processor, millionths of the currency unit per hour, positive
 * @param misstatingPercent how many users state another value, drawn: 0 to 100
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

    /** A workload in which it is worth the same to every job that does not say otherwise to end an hour earlier. */
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

    /** What time is worth to the user of a job, whatever the job says; what a job brings of its own holds. */
    public ValueOfTime worth(Job job) {
        ValueOfTime value = job.terms().valueOfTime();
        Value drawnValue = of(job.user());
        return value.equals(drawnValue.value) ? drawnValue.ownTime : value;
    }
}
