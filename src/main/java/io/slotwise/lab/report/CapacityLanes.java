package io.slotwise.lab.report;

import io.slotwise.lab.simulation.JobRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Gives runs a place on the axis of a machine's capacity for a picture: the lowest that is free when they start, in
 * several pieces where it must be. A run that took more than one piece of the machine need not have had these
 * processors: a count is all that is known. O(n (log n + p)) for n runs and p free pieces.
 */
final class CapacityLanes {
    private final TreeMap<Long, Long> free = new TreeMap<>();
    private final PriorityQueue<Bar> taken = new PriorityQueue<>(Comparator.comparingLong(bar -> bar.run.end()));
    private final List<Bar> bars = new ArrayList<>();

    private CapacityLanes(long capacity) {
        free.put(0L, capacity);
    }

    /**
     * A piece of a run's place.
     *
     * @param from capacity below it
     * @param to capacity below what is above it
     */
    record Bar(JobRun run, long from, long to) {}

    /** The places of runs, which are ordered by start, on a machine of this capacity; what does not fit is left out. */
    static List<Bar> of(List<JobRun> runs, long capacity) {
        CapacityLanes lanes = new CapacityLanes(capacity);
        runs.forEach(lanes::place);
        return lanes.bars;
    }

    private void place(JobRun run) {
        while (!taken.isEmpty() && taken.peek().run.end() <= run.start()) {
            give(taken.remove());
        }
        long left = run.capacity();
        while (left > 0) {
            Map.Entry<Long, Long> lowest = free.pollFirstEntry();
            if (lowest == null) {
                return;
            }
            long until = Math.min(lowest.getValue(), lowest.getKey() + left);
            if (until < lowest.getValue()) {
                free.put(until, lowest.getValue());
            }
            Bar bar = new Bar(run, lowest.getKey(), until);
            bars.add(bar);
            taken.add(bar);
            left -= until - lowest.getKey();
        }
    }

    private void give(Bar bar) {
        long from = bar.from;
        long to = bar.to;
        Long joined = free.remove(to);
        if (joined != null) {
            to = joined;
        }
        Map.Entry<Long, Long> below = free.floorEntry(from);
        if (below != null && below.getValue() == from) {
            from = below.getKey();
        }
        free.put(from, to);
    }
}
