package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.simulation.grid.Grid.Cluster;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Sends the tasks of a job to the shortest queues of a cluster (JSQ), no two to the same; of queues of one length any
 * is as likely. The length is that of the queue alone, or, adapted (aLD), with the task that runs, N_t(q) = n_t + t_s.
 * O(n log n) for each job in a cluster of n processors.
 *
 * <p>Source: Pinto et al. (2014), section IV-B, equation (3).
 */
final class LocalDispatcher {
    private final Occupancy occupancy;
    private final boolean adaptive;
    private final RandomGenerator random;

    LocalDispatcher(Occupancy occupancy, boolean adaptive, RandomGenerator random) {
        this.occupancy = occupancy;
        this.adaptive = adaptive;
        this.random = random;
    }

    private record Queue(int processor, int length, long lot) {}

    /** The processors of a job's tasks in a cluster. */
    BitSet processors(Cluster cluster, int tasks) {
        BitSet chosen = new BitSet();
        ranked(cluster).stream().limit(tasks).forEach(chosen::set);
        return chosen;
    }

    /** All processors of a cluster, the shortest queue first. */
    List<Integer> ranked(Cluster cluster) {
        List<Queue> queues = new ArrayList<>();
        for (int p = cluster.first(); p < cluster.end(); p++) {
            queues.add(new Queue(p, length(p), random.nextLong()));
        }
        return queues.stream()
                .sorted(Comparator.comparingInt(Queue::length)
                        .thenComparingLong(Queue::lot)
                        .thenComparingInt(Queue::processor))
                .map(Queue::processor)
                .toList();
    }

    private int length(int processor) {
        return occupancy.queued(processor) + (adaptive ? occupancy.busy(processor) : 0);
    }
}
