package io.slotwise.lab.workload.paper;

import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The local tasks of a node's owner, which take the node before any job does.
 *
 * <p>The share of the interval that they fill is hyper-geometric: {@value #DRAWN} of {@value #BALLS} balls are drawn,
 * half of which are marked. The share is {@code least} without a marked one and {@code most} with only marked ones, in
 * equal steps between. Tasks of uniform lengths fill it exactly; the last one takes the rest. Uniform cuts spread the
 * free time between them.
 *
 * @param shortest task, time units
 * @param longest task, time units; the last one may be longer by less than {@code shortest}
 */
public record LocalLoad(int leastPercent, int mostPercent, int shortest, int longest) {
    private static final int BALLS = 8;
    private static final int DRAWN = 4;
    private static final int PERCENT = 100;

    public LocalLoad {
        if (leastPercent < 0 || mostPercent < leastPercent || mostPercent > PERCENT) {
            throw new IllegalArgumentException(
                    "The load (%d to %d %%) must be a range within 0 to 100.".formatted(leastPercent, mostPercent));
        }
        if (shortest <= 0 || longest < shortest) {
            throw new IllegalArgumentException(
                    "The local tasks (%d to %d time units) must be a range of positive lengths."
                            .formatted(shortest, longest));
        }
    }

    /** Returns the tasks of one node in [0, interval), in order. O(tasks). */
    List<Interval> tasks(long interval, RandomGenerator random) {
        long load = load(interval, random);
        List<Long> lengths = new ArrayList<>();
        for (long left = load; left > 0; left -= lengths.getLast()) {
            long length = random.nextLong(shortest, longest + 1L);
            lengths.add(left - length < shortest ? left : length);
        }
        long[] cuts =
                random.longs(lengths.size(), 0, interval - load + 1).sorted().toArray();
        List<Interval> tasks = new ArrayList<>();
        long before = 0;
        for (int i = 0; i < cuts.length; i++) {
            long start = cuts[i] + before;
            tasks.add(new Interval(start, start + lengths.get(i)));
            before += lengths.get(i);
        }
        return tasks;
    }

    private long load(long interval, RandomGenerator random) {
        int steps = leastPercent * DRAWN + marked(random) * (mostPercent - leastPercent);
        return interval * steps / (PERCENT * DRAWN);
    }

    private static int marked(RandomGenerator random) {
        boolean[] marked = new boolean[BALLS];
        Arrays.fill(marked, 0, BALLS / 2, true);
        int hits = 0;
        for (int drawn = 0; drawn < DRAWN; drawn++) {
            int ball = random.nextInt(drawn, BALLS);
            boolean hit = marked[ball];
            marked[ball] = marked[drawn];
            hits += hit ? 1 : 0;
        }
        return hits;
    }
}
