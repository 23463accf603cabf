package io.slotwise.lab.workload.estimate;

import io.slotwise.lab.workload.DerivedWorkload;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.estimate.TsafrirEstimates.EstimateModel.Popular;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A workload whose own estimates are replaced by estimates as users give them: few, round, and far above the runtimes.
 *
 * <p>{@link EstimateModel} draws as many estimates as there are jobs. From the longest job to the shortest, each job
 * gets one of the estimates that are left and not below its runtime, at random, or the maximum if there is none. A job
 * that runs longer than the maximum is cut there.
 *
 * <p>Creation reads the workload once, in O(n log n) time and O(n) space for n jobs.
 *
 * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates" (2005).
 */
public final class TsafrirEstimates implements DerivedWorkload {
    /** The shortest maximum for which the model has enough round times, seconds. */
    public static final long SHORTEST_MAXIMUM = 2 * 3600;

    private final Workload originalWorkload;
    private final long[] estimates;

    private TsafrirEstimates(Workload originalWorkload, long[] estimates) {
        this.originalWorkload = originalWorkload;
        this.estimates = estimates;
    }

    /** Draws the estimates of one or more jobs, up to a maximum of at least two hours, in seconds. */
    public static TsafrirEstimates of(Workload originalWorkload, long maximum, RandomGenerator random) {
        long[] runtimes;
        try (Stream<Job> jobs = originalWorkload.jobs()) {
            runtimes = jobs.mapToLong(Job::runtime).toArray();
        }
        if (runtimes.length == 0) {
            return new TsafrirEstimates(originalWorkload, runtimes);
        }
        List<Popular> popular = EstimateModel.estimates(runtimes.length, maximum, random);
        return new TsafrirEstimates(originalWorkload, matched(runtimes, popular, maximum, random));
    }

    private static long[] matched(long[] runtimes, List<Popular> popular, long maximum, RandomGenerator random) {
        int[] longestFirst = IntStream.range(0, runtimes.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> runtimes[i]).reversed())
                .mapToInt(Integer::intValue)
                .toArray();
        PrimitiveIterator.OfLong descending = popular.stream()
                .sorted(Comparator.comparingLong(Popular::seconds).reversed())
                .flatMapToLong(estimatePopular ->
                        LongStream.generate(estimatePopular::seconds).limit(estimatePopular.jobs()))
                .iterator();
        long[] pool = new long[runtimes.length];
        int size = 0;
        long next = descending.nextLong();
        long[] matched = new long[runtimes.length];
        for (int job : longestFirst) {
            long runtime = Math.min(runtimes[job], maximum);
            while (next >= runtime) {
                pool[size++] = next;
                next = descending.hasNext() ? descending.nextLong() : Long.MIN_VALUE;
            }
            if (size == 0) {
                matched[job] = maximum;
            } else {
                int drawn = random.nextInt(size);
                matched[job] = pool[drawn];
                pool[drawn] = pool[--size];
            }
        }
        return matched;
    }

    @Override
    public Workload original() {
        return originalWorkload;
    }

    @Override
    public Stream<Job> jobs() {
        Iterator<Long> each = LongStream.of(estimates).iterator();
        return originalWorkload.jobs().sequential().map(job -> estimated(job, each.next()));
    }

    private static Job estimated(Job job, long estimate) {
        Job other = job.estimated(estimate);
        return other.runtime() <= estimate
                ? other
                : new Job(other.id(), other.submit(), other.parts(), estimate, other.user(), other.terms());
    }

    /**
     * The popularity of estimates: users choose few, round times. Twenty estimates, the head, have 89 % of the jobs;
     * the others, the tail, lie between them. Times are seconds, whole minutes in the tail.
     *
     * <p>O(K log K) for K different estimates.
     *
     * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates" (2005). A time of the tail
     * that already exists moves to the next free minute. The popularity ranks in the tail are a random order.
     */
    static final class EstimateModel {
        private static final int HEAD = 20;
        private static final double HEAD_PERCENT = 89;
        private static final double TAIL_PERCENT = 11;
        private static final long MINUTE = 60;
        private static final long HOUR = 3600;

        private static final List<Long> ROUND = List.of(
                5 * MINUTE,
                10 * MINUTE,
                15 * MINUTE,
                20 * MINUTE,
                30 * MINUTE,
                HOUR,
                2 * HOUR,
                3 * HOUR,
                4 * HOUR,
                5 * HOUR,
                6 * HOUR,
                8 * HOUR,
                10 * HOUR,
                12 * HOUR,
                18 * HOUR);
        private static final List<Long> STEPS = List.of(
                200 * HOUR,
                100 * HOUR,
                50 * HOUR,
                10 * HOUR,
                5 * HOUR,
                2 * HOUR,
                HOUR,
                20 * MINUTE,
                10 * MINUTE,
                5 * MINUTE);

        private static final List<Point> DIFFERENT = List.of(
                new Point(0, 0),
                new Point(20, 10),
                new Point(200, 20),
                new Point(1_000, 35),
                new Point(10_000, 90),
                new Point(70_000, 340),
                new Point(250_000, 565));

        /** The popularity ranks on SDSC's SP2: of the maximum, then of the head's other times, ascending. */
        private static final List<Integer> RANKS =
                List.of(3, 1, 4, 17, 13, 7, 8, 18, 2, 6, 16, 10, 5, 15, 14, 19, 11, 12, 9, 20);

        private record Point(long jobs, long estimates) {}

        private record Weighted(long seconds, double percent) {}

        private EstimateModel() {}

        /** An estimate in seconds, and its number of jobs. */
        record Popular(long seconds, long jobs) {}

        /** Returns the estimates of one or more jobs, the most popular of the head first. */
        static List<Popular> estimates(int jobs, long maximum, RandomGenerator random) {
            if (maximum < TsafrirEstimates.SHORTEST_MAXIMUM) {
                throw new IllegalArgumentException("The longest estimate (%d s) must not be below %d s."
                        .formatted(maximum, TsafrirEstimates.SHORTEST_MAXIMUM));
            }
            int different = different(jobs);
            List<Long> times = headTimes(maximum);
            List<Weighted> weighted = new ArrayList<>(head(times, different));
            weighted.addAll(tail(times, different, maximum, random));
            return counted(weighted, jobs);
        }

        /** Returns K(N), the number of different estimates, linear between points observed in logs. */
        static int different(int jobs) {
            for (int i = 1; i < DIFFERENT.size(); i++) {
                Point from = DIFFERENT.get(i - 1);
                Point to = DIFFERENT.get(i);
                if (jobs <= to.jobs) {
                    long rise = (jobs - from.jobs) * (to.estimates - from.estimates) / (to.jobs - from.jobs);
                    return (int) Math.max(1, from.estimates + rise);
                }
            }
            return (int) DIFFERENT.getLast().estimates;
        }

        /** Returns the maximum, then the other round times, ascending. */
        static List<Long> headTimes(long maximum) {
            NavigableSet<Long> others = new TreeSet<>();
            ROUND.stream().filter(time -> time < maximum).forEach(others::add);
            for (long step : STEPS) {
                for (long time = (maximum - 1) / step * step; time > 0 && others.size() < HEAD - 1; time -= step) {
                    others.add(time);
                }
            }
            List<Long> times = new ArrayList<>(HEAD);
            times.add(maximum);
            times.addAll(others);
            return times;
        }

        /** Returns the head by rank; for few jobs only its most popular times. */
        private static List<Weighted> head(List<Long> times, int different) {
            double others = IntStream.rangeClosed(2, HEAD)
                    .mapToDouble(EstimateModel::headPercent)
                    .sum();
            return IntStream.range(0, HEAD)
                    .boxed()
                    .sorted(Comparator.comparing(RANKS::get))
                    .limit(different)
                    .map(i -> {
                        int rank = RANKS.get(i);
                        return new Weighted(times.get(i), rank == 1 ? HEAD_PERCENT - others : headPercent(rank));
                    })
                    .toList();
        }

        private static double headPercent(int rank) {
            return 14.0491 * StrictMath.exp(-0.177531 * rank) + 0.462513;
        }

        private static List<Weighted> tail(List<Long> head, int different, long maximum, RandomGenerator random) {
            int size = different - HEAD;
            if (size <= 0) {
                return List.of();
            }
            List<Long> times = tailTimes(head, size, different, maximum);
            shuffle(times, random);
            double sum = IntStream.range(0, times.size())
                    .mapToDouble(EstimateModel::tailWeight)
                    .sum();
            return IntStream.range(0, times.size())
                    .mapToObj(i -> new Weighted(times.get(i), TAIL_PERCENT * tailWeight(i) / sum))
                    .toList();
        }

        private static double tailWeight(int position) {
            return StrictMath.pow(HEAD + 1 + position, -2.267);
        }

        /**
         * Returns the times of the tail. They follow the model's fractional function of the relative rank. There are
         * fewer than {@code size} only if no minute is free.
         */
        private static List<Long> tailTimes(List<Long> head, int size, int different, long maximum) {
            double a = 1 + 12.1039 * StrictMath.pow(different, -0.6026);
            TreeSet<Long> taken = new TreeSet<>(head);
            List<Long> times = new ArrayList<>(size);
            for (int i = 1; i <= size; i++) {
                double x = (double) i / (size + 1);
                double y = (a - 1) * x / (a - x);
                long minute = Math.max(1, StrictMath.round(y * maximum / MINUTE));
                Long free = free(taken, minute, maximum);
                if (free != null) {
                    taken.add(free);
                    times.add(free);
                }
            }
            return times;
        }

        private static @Nullable Long free(Set<Long> taken, long minute, long maximum) {
            long last = (maximum - 1) / MINUTE;
            for (long distance = 0; distance <= last; distance++) {
                for (long candidate : new long[] {minute + distance, minute - distance}) {
                    if (candidate >= 1 && candidate <= last && !taken.contains(candidate * MINUTE)) {
                        return candidate * MINUTE;
                    }
                }
            }
            return null;
        }

        private static void shuffle(List<Long> times, RandomGenerator random) {
            for (int i = times.size() - 1; i > 0; i--) {
                int other = random.nextInt(i + 1);
                long kept = times.get(i);
                times.set(i, times.get(other));
                times.set(other, kept);
            }
        }

        /** Distributes the jobs: whole numbers whose sums follow those of the weights. */
        private static List<Popular> counted(List<Weighted> weighted, int jobs) {
            double all = weighted.stream().mapToDouble(Weighted::percent).sum();
            List<Popular> estimates = new ArrayList<>(weighted.size());
            double sum = 0;
            long given = 0;
            for (int i = 0; i < weighted.size(); i++) {
                sum += weighted.get(i).percent;
                long upTo = i == weighted.size() - 1 ? jobs : StrictMath.round(sum / all * jobs);
                if (upTo > given) {
                    estimates.add(new Popular(weighted.get(i).seconds, upTo - given));
                    given = upTo;
                }
            }
            return estimates;
        }
    }
}
