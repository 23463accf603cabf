package io.slotwise.lab.simulation;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Money;
import io.slotwise.core.work.RandomSource;
import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import java.math.BigInteger;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A workload whose users have budgets and criteria: each user draws a highest price F and a criterion for all jobs.
 *
 * <p>F is uniform on the whole micro-units from {@value #LEAST_PERCENT} % to {@value #MOST_PERCENT} % of the machine's
 * mean price. The criterion is {@code start}, {@code finish} or {@code cost} with equal probability. A job's budget is
 * {@code S = F x estimate x tasks}, rounded up to a micro-unit. Draws depend only on the seed and the user's name. A
 * job with a budget of its own keeps its terms.
 *
 * @param meanPrice the mean price of a processor, millionths of the currency unit per hour, positive
 */
public record PricedUsers(Workload original, long meanPrice, long seed, RandomSource randomSource)
        implements DerivedWorkload {
    private static final int LEAST_PERCENT = 100;
    private static final int MOST_PERCENT = 150;
    private static final long SECONDS_PER_HOUR = 3600;
    private static final long MIXER = 0x9E3779B97F4A7C15L;
    private static final List<Criterion> CRITERIA = List.of(Criterion.START, Criterion.FINISH, Criterion.COST);

    private record PricedCriterion(long price, Criterion criterion) {}

    @Override
    public Stream<Job> jobs() {
        return original.jobs().map(this::paid);
    }

    private Job paid(Job job) {
        if (!job.terms().budget().equals(Budget.UNLIMITED)) {
            return job;
        }
        PricedCriterion priced = priced(job.user());
        BigInteger total = BigInteger.valueOf(priced.price)
                .multiply(BigInteger.valueOf(job.estimate()))
                .multiply(BigInteger.valueOf(job.size()))
                .add(BigInteger.valueOf(SECONDS_PER_HOUR - 1))
                .divide(BigInteger.valueOf(SECONDS_PER_HOUR));
        return job.on(job.terms().paying(new Budget(new Money(total.longValueExact()), null), priced.criterion));
    }

    private PricedCriterion priced(String user) {
        RandomGenerator random = new NamedDraws(randomSource, seed, MIXER).of(user);
        long price = random.nextLong(meanPrice * LEAST_PERCENT / 100, meanPrice * MOST_PERCENT / 100 + 1);
        return new PricedCriterion(price, CRITERIA.get(random.nextInt(CRITERIA.size())));
    }
}
