package io.slotwise.lab.simulation.metric;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.time.Interval;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.JobRun.Deal;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Simulation;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.SimulationObserver.Why;
import io.slotwise.lab.workload.Job;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures one replication while it runs. O(log w) for each job, with w waiting jobs; O(w + users + owners) memory.
 *
 * <p>Utilisation and loss of capacity are those of F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L. Vasconcelos, G.
 * C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems", section VI,
 * equations (5) and (6). The loss is {@code sum n_i (t_{i+1} - t_i) delta / N (t_q - t_1)}, with {@code n_i} idle
 * processors between two seconds with starts or ends. {@code delta} is 1 if some waiting job is no larger than the idle
 * capacity, else 0. If nodes come and go, {@code N (t_q - t_1)} is the capacity summed over time.
 *
 * <p>User satisfaction is that of S. Bansal, C. Hota, "Distributed Scheduling on Utility Grids" (2012), section 5,
 * equation (12). It is the mean over ended jobs of {@code response / time weight + cost / cost weight}, in seconds and
 * currency units. Less is better. Because of the division, the least weight has the largest effect. Here all jobs have
 * the policy's weights.
 *
 * <p>Source of the bounded slowdown with a threshold of 10 seconds: D. G. Feitelson, L. Rudolph, "Metrics and
 * Benchmarking for Parallel Job Scheduling", Job Scheduling Strategies for Parallel Processing (1998), LNCS 1459, pp.
 * 1-24. Source of the fairness: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination for
 * Resource Allocation in Shared Computer Systems", DEC Research Report TR-301 (1984).
 */
public final class ReplicationMetrics implements SimulationObserver {
    /** The number 1 in millionths. */
    static final long ONE = 1_000_000;

    private static final long THRESHOLD = 10;
    private static final double PERCENT = 100;
    private static final BigDecimal COST_UNITS = BigDecimal.valueOf(3600 * Money.MICROS_PER_UNIT);

    private final ToLongFunction<Job> capacityOf;
    private final Function<Job, ValueOfTime> worth;

    /** The weights of time and cost; null if the policy has none. */
    private final @Nullable CriterionWeights weights;

    private @Nullable QueueFairness queues;

    private final SortedMap<Long, Integer> waiting = new TreeMap<>();
    private final Distribution waitDistribution = new Distribution();
    private final SortedMap<Integer, Distribution> waitByPriority = new TreeMap<>();
    private final Distribution responseDistribution = new Distribution();
    private final Distribution slowdownDistribution = new Distribution();
    private final Distribution boundedSlowdowns = new Distribution();
    private final SortedMap<String, Tally> users = new TreeMap<>();
    private final SortedMap<String, BigInteger> income = new TreeMap<>();
    private final SortedMap<String, Long> broken = new TreeMap<>();
    private final Tally utilityTally = new Tally();
    private final Tally budgetsTally = new Tally();
    private BigInteger paidOfBudgets = BigInteger.ZERO;
    private BigInteger paidByEnded = BigInteger.ZERO;
    private long overBudget;
    private BigInteger delay = BigInteger.ZERO;
    private boolean valued;
    /** The lower bound of cost plus delay. */
    private @Nullable Cost boundCost;

    private long deadlines;
    private long deadlinesKept;
    private long refused;
    private long ended;
    private final Map<Why, Long> stops = new EnumMap<>(Why.class);
    private long promised;
    private long kept;
    private int mostPassed;
    private final Distribution knownDistribution = new Distribution();
    private final Distribution slackDistribution = new Distribution();
    private final Distribution sparedDistribution = new Distribution();
    private long processorTime;
    private long lostTime;
    private BigInteger lostCost = BigInteger.ZERO;
    private BigInteger work = BigInteger.ZERO;
    private BigInteger offered = BigInteger.ZERO;
    private BigInteger lost = BigInteger.ZERO;
    private long first = Long.MIN_VALUE;
    private long last;
    private long second;
    /** The idle capacity that some waiting job would fit into. */
    private long wasted;

    private MachineLoad load = new MachineLoad(0, 0, 0);

    /** Creates metrics for a machine on which jobs take this capacity, and users who state their true value of time. */
    public ReplicationMetrics(ToLongFunction<Job> capacityOf) {
        this(capacityOf, job -> job.terms().valueOfTime(), null);
    }

    /** Creates metrics with the true value of time ({@code worth}) and the weights of time and cost, or null. */
    public ReplicationMetrics(
            ToLongFunction<Job> capacityOf, Function<Job, ValueOfTime> worth, @Nullable CriterionWeights weights) {
        this.capacityOf = capacityOf;
        this.worth = worth;
        this.weights = weights;
    }

    private static final class Tally {
        private BigInteger sum = BigInteger.ZERO;
        private long count;

        void add(long value) {
            sum = sum.add(BigInteger.valueOf(value));
            count++;
        }

        double mean() {
            return sum.doubleValue() / count;
        }
    }

    @Override
    public void refused(Job job) {
        refused++;
    }

    @Override
    public void submitted(Job job) {
        if (first == Long.MIN_VALUE) {
            first = job.submit();
            last = first;
        }
        waits(job);
        deadlines += job.terms().deadline() == Interval.FOREVER ? 0 : 1;
    }

    private void waits(Job job) {
        waiting.merge(capacityOf.applyAsLong(job), 1, Integer::sum);
    }

    @Override
    public void started(JobRun run) {
        waiting.computeIfPresent(capacityOf.applyAsLong(run.job()), (_, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        stops.merge(why, 1L, Long::sum);
        waits(run.job());
        took(run);
    }

    private void took(JobRun run) {
        processorTime =
                Math.addExact(processorTime, run.processorTime() - run.loss().processorTime());
        work = work.add(BigInteger.valueOf(run.work() - run.loss().work()));
        lostTime = Math.addExact(lostTime, run.loss().processorTime());
        lostCost = lostCost.add(BigInteger.valueOf(run.loss().cost().microSecondsPerHour()));
        earn(run);
    }

    @Override
    public void ended(JobRun run) {
        ended++;
        last = Math.max(last, run.end());
        took(run);
        long responds = run.end() - run.job().submit();
        long boundedSlowdown = Math.max(ONE, ratio(responds, Math.max(THRESHOLD, run.runtime())));
        waitDistribution.add(run.waited());
        waitByPriority
                .computeIfAbsent(run.job().terms().priority(), _ -> new Distribution())
                .add(run.waited());
        responseDistribution.add(responds);
        slowdownDistribution.add(ratio(responds, run.runtime()));
        boundedSlowdowns.add(boundedSlowdown);
        users.computeIfAbsent(run.job().user(), _ -> new Tally()).add(boundedSlowdown);
        spend(run);
        value(run);
        judge(run);
        long deadline = run.job().terms().deadline();
        deadlinesKept += deadline != Interval.FOREVER && run.end() <= deadline ? 1 : 0;
    }

    /** Returns the ratio in millionths, rounded half up. */
    private static long ratio(long part, long whole) {
        return (Math.multiplyExact(part, ONE) + whole / 2) / whole;
    }

    private void earn(JobRun run) {
        run.income()
                .forEach((owner, cost) ->
                        income.merge(owner, BigInteger.valueOf(cost.microSecondsPerHour()), BigInteger::add));
    }

    private void spend(JobRun run) {
        Cost cost = run.cost().plus(run.before().paidCost());
        paidByEnded = paidByEnded.add(BigInteger.valueOf(cost.microSecondsPerHour()));
        Cost limit = run.job().terms().budget().limit();
        if (!limit.equals(Cost.UNLIMITED)) {
            budgetsTally.add(limit.microSecondsPerHour());
            paidOfBudgets = paidOfBudgets.add(BigInteger.valueOf(cost.microSecondsPerHour()));
            overBudget += cost.compareTo(limit) > 0 ? 1 : 0;
        }
    }

    private void value(JobRun run) {
        ValueOfTime time = worth.apply(run.job());
        if (!time.isNone()) {
            valued = true;
            delay = delay.add(BigInteger.valueOf(time.delay(run.job().submit(), run.end())));
        }
    }

    private void judge(JobRun run) {
        Deal deal = run.deal();
        if (deal != null) {
            promised++;
            mostPassed = Math.max(mostPassed, deal.passed());
            kept += deal.first().isKept(run.start()) ? 1 : 0;
            knownDistribution.add(Math.max(0, run.start() - deal.told()));
            slackDistribution.add(deal.first().by() - deal.first().start());
            sparedDistribution.add(Math.max(0, deal.first().by() - run.start()));
            deal.broken().forEach(cause -> broken.merge(cause.key(), 1L, Long::sum));
            deal.loss().ifPresent(utilityTally::add);
        }
    }

    @Override
    public void passed(long now, MachineLoad after) {
        BigInteger seconds = BigInteger.valueOf(first == Long.MIN_VALUE ? 0 : now - Math.max(first, second));
        offered = offered.add(BigInteger.valueOf(load.capacity()).multiply(seconds));
        lost = lost.add(BigInteger.valueOf(wasted).multiply(seconds));
        second = now;
        load = after;
        wasted = !waiting.isEmpty() && waiting.firstKey() <= after.idle() ? after.idle() : 0;
    }

    /** Adds the figures of a measure that sees the same simulation. */
    public void setQueues(QueueFairness fairness) {
        queues = fairness;
    }

    public void setBound(Cost leastCost) {
        boundCost = leastCost;
    }

    public ReplicationOutcome outcome(int run, long seed, Simulation.Ending ending) {
        return outcome(run, seed, ending, Optional.empty());
    }

    /** Returns the outcome under a policy that can buy nodes. */
    public ReplicationOutcome outcome(int run, long seed, Simulation.Ending ending, Optional<NodeSpending> spending) {
        return new ReplicationOutcome(
                run,
                seed,
                ending.complete(),
                new ReplicationOutcome.Jobs(refused, ended, ending.waiting() + ending.running()),
                new ReplicationOutcome.Stops(
                        stops(Why.DISTURBED), stops(Why.DISPLACED), stops(Why.MOVED), lostTime, units(lostCost)),
                waitDistribution.spread(),
                waitByPriority.entrySet().stream()
                        .map(entry -> new ReplicationOutcome.Level(
                                entry.getKey(), entry.getValue().spread()))
                        .toList(),
                responseDistribution.spread(),
                slowdownDistribution.spread(),
                boundedSlowdowns.spread(),
                first == Long.MIN_VALUE ? 0 : last - first,
                processorTime,
                part(work, offered),
                part(lost, offered),
                accounts(),
                utilityTally.count == 0 ? Spread.UNKNOWN : utilityTally.mean() * PERCENT / ONE,
                satisfaction(),
                new ReplicationOutcome.Promises(
                        promised,
                        kept,
                        mostPassed,
                        broken,
                        knownDistribution.spread(),
                        slackDistribution.spread(),
                        sparedDistribution.spread()),
                fairness(),
                deadlines == 0 ? null : new ReplicationOutcome.Deadlines(deadlines, deadlines - deadlinesKept),
                spending.map(nodeSpending -> new ReplicationOutcome.Bought(
                                nodeSpending.nodes(), units(nodeSpending.cost().exact())))
                        .orElse(null),
                queues == null ? null : queues.figures());
    }

    private double satisfaction() {
        if (weights == null || ended == 0 || weights.time() == 0 || weights.cost() == 0) {
            return Spread.UNKNOWN;
        }
        double seconds = responseDistribution.spread().mean();
        double cost = paidByEnded.doubleValue() / COST_UNITS.doubleValue() / ended;
        return seconds / weights.time() + cost / weights.cost();
    }

    private long stops(Why why) {
        return stops.getOrDefault(why, 0L);
    }

    private static double part(BigInteger part, BigInteger whole) {
        return whole.signum() == 0 ? 0 : part.doubleValue() / whole.doubleValue();
    }

    private ReplicationOutcome.Accounts accounts() {
        SortedMap<String, BigDecimal> earned = new TreeMap<>();
        income.forEach((owner, cost) -> earned.put(owner, units(cost)));
        BigInteger paid = income.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
        return new ReplicationOutcome.Accounts(
                units(paid),
                earned,
                budgetsTally.sum.signum() == 0 ? Spread.UNKNOWN : part(paidOfBudgets, budgetsTally.sum),
                overBudget,
                valued ? units(delay) : null,
                boundCost == null ? null : units(boundCost.exact()));
    }

    /** Returns currency units, rounded half up to a millionth, in the form that JSON reads back. */
    private static BigDecimal units(BigInteger cost) {
        BigDecimal units = new BigDecimal(cost)
                .divide(COST_UNITS, Money.SCALE, RoundingMode.HALF_UP)
                .stripTrailingZeros();
        return units.scale() < 0 ? units.setScale(0) : units;
    }

    private ReplicationOutcome.Fairness fairness() {
        double[] means =
                users.values().stream().mapToDouble(tally -> tally.mean() / ONE).toArray();
        if (means.length == 0) {
            return new ReplicationOutcome.Fairness(0, 1, 1, 1);
        }
        double sum = 0;
        double squares = 0;
        for (double mean : means) {
            sum += mean;
            squares += mean * mean;
        }
        Arrays.sort(means);
        return new ReplicationOutcome.Fairness(
                means.length,
                sum * sum / (means.length * squares),
                means[(means.length - 1) / 2],
                means[means.length - 1] / means[0]);
    }
}
