package io.slotwise.lab.simulation.processors;

import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.workload.Job;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * A lower bound of money plus delay for every schedule of some jobs on whole processors, even with full knowledge of
 * all jobs and their runtimes. Jobs run without a stop, and in time for their deadlines, as far as a start at once
 * would be.
 *
 * <p>The relaxation: each job may start at any time, as if it were alone, but pays for a processor and second at least
 * the <em>room price</em> {@code m(t)}. What the machine could earn by these prices is given back. Let {@code c_i(t)}
 * be the price of processor i, {@code v_j} the value of delay of job j, {@code n_j} its processors and {@code s_j} its
 * start. Then
 * <pre>
 * L(m) = sum_j min_s [ v_j(s) + sum_{t in run} sum_{i among the n_j cheapest} max(c_i(t), m(t)) ]
 *        - sum_t sum_i max(0, m(t) - c_i(t))
 * </pre>
 *
 * <p>is below the cost of every schedule, for any m. Proof: In a schedule a job pays {@code c_i(t) = max(c_i, m) -
 * max(0, m - c_i)} for a processor. Its n_j different processors cost at least as much in the first term as the n_j
 * cheapest. No processor has two jobs at once, so the second terms of all jobs together are at most those of all
 * processors. So the sum of what jobs pay and lose is at least L(m).
 *
 * <p>It is the Lagrangian dual of the time-indexed integer programme, with the room on each processor relaxed. L is
 * concave and piecewise linear in m. A step goes along a subgradient, the processors that are requested beyond the
 * existing ones. It aims at a level above the best bound so far, which is lowered if it is not reached. The length of a
 * step is computed in floating point and only decides which m is tried. L is exact, in 1/3600 millionths.
 *
 * <p>Prices m are constant on {@value #SPANS} spans, and more if the processors' own prices change. After the last span
 * m is 0 and a processor costs its least; it begins when all jobs could have run one after the other, or a week later
 * if prices change. A best start of a job is its submission, its latest start, or a start at which its start or end
 * meets the border of a span. Its payment is linear between these, and the value of delay is concave. With n jobs of d
 * different sizes, b spans and N processors: O(bN) once, and O((n + d) b) a step.
 *
 * <p>Source of the dual, there with precedences and no money: R. H. Möhring, A. S. Schulz, F. Stork, M. Uetz, "Solving
 * Project Scheduling Problems by Minimum Cut Computations", Management Science 49(3), 2003, section 2. Source of the
 * steps: J. L. Goffin, K. C. Kiwiel, "Convergence of a Simple Subgradient Level Method", Mathematical Programming 85,
 * 1999. See also, for one machine: M. X. Goemans, M. Queyranne, A. S. Schulz, M. Skutella, Y. Wang, "Single Machine
 * Scheduling with Release Dates", SIAM Journal on Discrete Mathematics 15(2), 2002. Their bound is a relaxation of the
 * same programme, in which jobs may be cut.
 */
public final class CostBound {
    private static final int SPANS = 1000;
    private static final long WEEK = 7 * 24 * 3600L;
    private static final int STEPS = 300;
    /** The number of steps without a gain after which the level is lowered. */
    private static final int PATIENCE = 8;
    /** The first level is above the first bound by one part in this number. */
    private static final int FIRST_PART = 10;
    /** The limit of a sum of prices, so that its sum with a value of delay fits into a long. */
    private static final long MOST = Long.MAX_VALUE / 4;

    private final SortedMap<Integer, List<Lone>> bySize = new TreeMap<>();
    /** The first seconds of the spans; the last span has no end. */
    private final long[] starts;
    /** By span, the prices of the cheapest processors, from none to all, millionths per hour; equal ones are shared. */
    private final long[][] sums;

    private final int processors;
    private final long mostPrice;

    /** A job in the relaxation; {@code latest} is its latest start for its deadline. */
    private record Lone(long submit, int size, long seconds, ValueOfTime value, long latest) {
        static Lone of(Job job, ValueOfTime value) {
            long seconds = Math.min(job.runtime(), job.estimate());
            long deadline = job.terms().deadline();
            boolean hopeless = deadline == Interval.FOREVER || deadline - seconds < job.submit();
            return new Lone(
                    job.submit(), job.size(), seconds, value, hopeless ? Long.MAX_VALUE / 2 : deadline - seconds);
        }

        long delay(long start) {
            return value.delay(submit, start + seconds);
        }
    }

    private static final class Step {
        private final BigInteger bound;
        private final long[] excess;

        Step(BigInteger bound, long[] excess) {
            this.bound = bound;
            this.excess = excess;
        }
    }

    private CostBound(List<Lone> jobs, List<StepFunction> prices) {
        this.processors = prices.size();
        jobs.forEach(lone ->
                bySize.computeIfAbsent(lone.size, _ -> new ArrayList<>()).add(lone));
        long first = jobs.stream().mapToLong(Lone::submit).min().orElseThrow();
        long last = jobs.stream().mapToLong(Lone::submit).max().orElseThrow();
        long longest = jobs.stream().mapToLong(Lone::seconds).max().orElseThrow();
        long work = jobs.stream()
                .mapToLong(lone -> Math.multiplyExact(lone.size, lone.seconds))
                .reduce(0, Math::addExact);
        boolean changing = !prices.stream().allMatch(StepFunction::isConstant);
        long end = last + longest + Math.ceilDiv(work, processors) + (changing ? WEEK : 0);
        this.starts = borders(first, end, prices);
        this.sums = sums(prices);
        this.mostPrice = MOST / processors / (end - first + longest);
    }

    /**
     * Returns the bound.
     *
     * @param jobs those that run, each no larger than the machine; runtimes are cut at the estimates
     * @param prices the prices of each processor over time, millionths of the currency unit per hour; at least one
     */
    public static Cost of(Collection<Job> jobs, List<StepFunction> prices, Function<Job, ValueOfTime> worth) {
        for (Job job : jobs) {
            if (job.size() > prices.size()) {
                throw new IllegalArgumentException("The job (%s) needs %d processors, and there are %d."
                        .formatted(job.id(), job.size(), prices.size()));
            }
        }
        return jobs.isEmpty()
                ? Cost.ZERO
                : Cost.of(new CostBound(
                                jobs.stream()
                                        .map(job -> Lone.of(job, worth.apply(job)))
                                        .toList(),
                                prices)
                        .best());
    }

    /** Returns the first seconds of spans of about equal length, with borders where prices change. */
    private static long[] borders(long first, long end, List<StepFunction> prices) {
        SortedSet<Long> borders = new TreeSet<>();
        long step = Math.ceilDiv(end - first, (long) SPANS);
        for (long at = first; at < end; at += step) {
            borders.add(at);
        }
        for (StepFunction price : prices) {
            for (int i = price.pieceAt(first) + 1; i < price.pieces() && price.start(i) < end; i++) {
                borders.add(price.start(i));
            }
        }
        borders.add(end);
        return borders.stream().mapToLong(Long::longValue).toArray();
    }

    private long[][] sums(List<StepFunction> prices) {
        Set<Long> changes = new HashSet<>();
        for (StepFunction price : prices) {
            for (int i = 1; i < price.pieces(); i++) {
                changes.add(price.start(i));
            }
        }
        List<long[]> known = new ArrayList<>();
        long[][] all = new long[starts.length][];
        for (int span = 0; span < starts.length; span++) {
            long at = starts[span];
            boolean last = span == starts.length - 1;
            boolean same = span > 0 && !changes.contains(at) && !(last && !changes.isEmpty());
            all[span] = same
                    ? all[span - 1]
                    : shared(known, ascending(prices.stream().mapToLong(price -> last ? price.min() : price.at(at))));
        }
        return all;
    }

    private static long[] ascending(LongStream prices) {
        long[] cheapest = prices.sorted().toArray();
        long[] sum = new long[cheapest.length + 1];
        for (int i = 0; i < cheapest.length; i++) {
            sum[i + 1] = Math.addExact(sum[i], cheapest[i]);
        }
        return sum;
    }

    private static long[] shared(List<long[]> known, long[] sum) {
        return known.stream()
                .filter(other -> Arrays.equals(other, sum))
                .findFirst()
                .orElseGet(() -> {
                    known.add(sum);
                    return sum;
                });
    }

    private long price(int span, int processor) {
        return sums[span][processor + 1] - sums[span][processor];
    }

    private int upTo(int span, long price) {
        int low = 0;
        int high = processors;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (price(span, middle) <= price) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private BigInteger best() {
        long[] room = new long[starts.length];
        for (int span = 0; span < room.length; span++) {
            room[span] = price(span, 0);
        }
        long[] base = room.clone();
        long[] bestRoom = room.clone();
        Step step = step(room);
        BigInteger best = step.bound;
        double above = best.doubleValue() / FIRST_PART;
        int idle = 0;
        for (int i = 0; i < STEPS; i++) {
            double length = 0;
            for (long excess : step.excess) {
                length += (double) excess * excess;
            }
            if (length == 0) {
                return best;
            }
            double stride = (best.subtract(step.bound).doubleValue() + above) / length;
            for (int span = 0; span < room.length - 1; span++) {
                long to = Math.round(room[span] + stride * step.excess[span]);
                room[span] = Math.clamp(to, base[span], Math.max(base[span], mostPrice));
            }
            step = step(room);
            boolean gained = step.bound.subtract(best).doubleValue() >= above / FIRST_PART;
            if (step.bound.compareTo(best) > 0) {
                best = step.bound;
                bestRoom = room.clone();
            }
            idle = gained ? 0 : idle + 1;
            if (idle == PATIENCE) {
                above /= 2;
                idle = 0;
                room = bestRoom.clone();
                step = step(room);
            }
        }
        return best;
    }

    /** Returns the bound under these prices, and its subgradient: processor seconds beyond the existing ones. */
    private Step step(long[] room) {
        int spans = starts.length;
        int[] cheap = new int[spans];
        long[] excess = new long[spans];
        BigInteger bound = BigInteger.ZERO;
        for (int span = 0; span < spans - 1; span++) {
            cheap[span] = upTo(span, room[span]);
            long seconds = starts[span + 1] - starts[span];
            long earned = room[span] * cheap[span] - sums[span][cheap[span]];
            bound = bound.subtract(BigInteger.valueOf(earned).multiply(BigInteger.valueOf(seconds)));
            excess[span] = -seconds * cheap[span];
        }
        for (List<Lone> alike : bySize.values()) {
            Tariff tariff = new Tariff(alike.getFirst().size, room, cheap);
            for (Lone lone : alike) {
                Choice choice = tariff.cheapest(lone);
                bound = bound.add(BigInteger.valueOf(choice.cost));
                tariff.ask(choice.start, lone.seconds, excess);
            }
        }
        excess[spans - 1] = 0;
        return new Step(bound, excess);
    }

    private record Choice(long start, long cost) {}

    /** The payments of jobs of one size under given prices of room. */
    private final class Tariff {
        /** The price of a second in each span, and of all seconds before it. */
        private final long[] rate = new long[starts.length];

        private final long[] before = new long[starts.length];
        /** The number of processors for which a job pays the room price. */
        private final int[] paying = new int[starts.length];

        private long least = Long.MAX_VALUE;

        Tariff(int size, long[] room, int[] cheap) {
            for (int span = 0; span < rate.length; span++) {
                paying[span] = Math.min(size, cheap[span]);
                rate[span] = Math.addExact(
                        Math.multiplyExact(room[span], paying[span]), sums[span][size] - sums[span][paying[span]]);
                least = Math.min(least, rate[span]);
                if (span > 0) {
                    before[span] = Math.addExact(
                            before[span - 1], Math.multiplyExact(rate[span - 1], starts[span] - starts[span - 1]));
                }
            }
        }

        private int spanOf(long second) {
            int found = Arrays.binarySearch(starts, second);
            return found >= 0 ? found : -found - 2;
        }

        /** Returns the earliest of the job's best starts. */
        Choice cheapest(Lone lone) {
            int from = spanOf(lone.submit);
            int to = spanOf(lone.submit + lone.seconds);
            long at = lone.submit;
            Choice bestChoice = new Choice(at, cost(lone, at, from, to));
            while (from < starts.length - 1 && at < lone.latest) {
                long ends = to == starts.length - 1 ? Long.MAX_VALUE : starts[to + 1] - lone.seconds;
                at = Math.min(lone.latest, Math.min(starts[from + 1], ends));
                from += starts[from + 1] == at ? 1 : 0;
                to += ends == at ? 1 : 0;
                if (lone.delay(at) + least * lone.seconds >= bestChoice.cost) {
                    return bestChoice;
                }
                long cost = cost(lone, at, from, to);
                bestChoice = cost < bestChoice.cost ? new Choice(at, cost) : bestChoice;
            }
            return bestChoice;
        }

        private long cost(Lone lone, long at, int from, int to) {
            long end = at + lone.seconds;
            long paid = before[to] + rate[to] * (end - starts[to]) - before[from] - rate[from] * (at - starts[from]);
            return Math.addExact(lone.delay(at), paid);
        }

        /** Adds the processor seconds of a run for which the room price is paid. */
        void ask(long start, long seconds, long[] excess) {
            long end = start + seconds;
            for (int span = spanOf(start); span < starts.length && starts[span] < end; span++) {
                long until = span == starts.length - 1 ? end : Math.min(end, starts[span + 1]);
                excess[span] += paying[span] * (until - Math.max(start, starts[span]));
            }
        }
    }
}
