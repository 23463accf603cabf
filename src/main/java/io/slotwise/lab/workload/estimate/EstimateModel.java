package io.slotwise.lab.workload.estimate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs have which estimate: users ask for few, round times. Twenty of them, the head, have 89 % of the jobs;
 * the others, the tail, lie between them. Times are seconds, those of the tail whole minutes.
 *
 * <p>O(K log K) for K different estimates.
 *
 * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Modeling User Runtime Estimates" (2005). Where a time of the
 * tail is one that there is already, it moves to the next free minute; the popularity's ranks in the tail are a random
 * order.
 */
final class EstimateModel {
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

    private record Point(long jobs, long estimates) {}

    private record Weighted(long seconds, double percent) {}

    private EstimateModel() {}

    /**
     * An estimate.
     *
     * @param seconds what is asked for
     * @param jobs how many ask for it
     */
    record Popular(long seconds, long jobs) {}

    /**
     * The estimates of so many jobs, the most popular of the head first.
     *
     * @param jobs how many, positive
     * @param maximum the longest estimate, seconds, at least {@link TsafrirEstimates#SHORTEST_MAXIMUM}
     */
    static List<Popular> estimates(int jobs, long maximum, EstimateTemplate template, RandomGenerator random) {
        if (maximum < TsafrirEstimates.SHORTEST_MAXIMUM) {
            throw new IllegalArgumentException("The longest estimate (%d s) must not be below %d s."
                    .formatted(maximum, TsafrirEstimates.SHORTEST_MAXIMUM));
        }
        int different = different(jobs);
        List<Long> times = headTimes(maximum);
        List<Weighted> weighted = new ArrayList<>(head(times, template, different));
        weighted.addAll(tail(times, different, maximum, random));
        return counted(weighted, jobs);
    }

    /** How many different estimates so many jobs have, K(N): linear between points seen in logs. */
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

    /** The maximum, then the other round times by ascending time. */
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

    /** The head by rank; with few jobs only its most popular ones. */
    private static List<Weighted> head(List<Long> times, EstimateTemplate template, int different) {
        double others = IntStream.rangeClosed(2, HEAD)
                .mapToDouble(EstimateModel::headPercent)
                .sum();
        return IntStream.range(0, HEAD)
                .boxed()
                .sorted(Comparator.comparing(template.ranks()::get))
                .limit(different)
                .map(i -> {
                    int rank = template.ranks().get(i);
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

    /** Times by the fractional function of their relative rank; fewer than {@code size} only if no minute is left. */
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

    /** Shares out the jobs: whole numbers whose sums follow the weights' sums. */
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
