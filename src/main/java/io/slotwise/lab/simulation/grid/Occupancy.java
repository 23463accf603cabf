package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.simulation.grid.Grid.Cluster;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class Occupancy {
    private final @Nullable GridJob[] running;
    private final @Nullable GridJob[] reservedFor;
    private final BitSet idle = new BitSet();
    private final int[] queued;

    Occupancy(int processors) {
        this.running = new GridJob[processors];
        this.reservedFor = new GridJob[processors];
        this.queued = new int[processors];
        idle.set(0, processors);
    }

    /** Returns the processors that are neither busy nor reserved. The caller must not change the set. */
    BitSet idle() {
        return idle;
    }

    boolean isIdle(BitSet processors) {
        for (int p = processors.nextSetBit(0); p >= 0; p = processors.nextSetBit(p + 1)) {
            if (!idle.get(p)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether nothing runs on these processors, reserved or not. */
    boolean isQuiet(BitSet processors) {
        return processors.stream().allMatch(p -> running[p] == null);
    }

    @Nullable
    GridJob runningOn(int processor) {
        return running[processor];
    }

    /** Returns t(p), the tasks in the queue of a processor, including those with reservations. */
    int queued(int processor) {
        return queued[processor];
    }

    /** Returns t_s(p): 1 if a task runs on the processor, else 0. */
    int busy(int processor) {
        return running[processor] == null ? 0 : 1;
    }

    int quiet(Cluster cluster) {
        int quiet = cluster.size();
        for (int p = cluster.first(); p < cluster.end(); p++) {
            quiet -= busy(p);
        }
        return quiet;
    }

    void enqueue(BitSet processors) {
        processors.stream().forEach(p -> queued[p]++);
    }

    void dequeue(BitSet processors) {
        processors.stream().forEach(p -> queued[p]--);
    }

    void reserve(GridJob job) {
        job.processors().stream().forEach(p -> {
            reservedFor[p] = job;
            idle.clear(p);
        });
    }

    void start(GridJob job) {
        dequeue(job.processors());
        job.processors().stream().forEach(p -> {
            if (running[p] != null) {
                throw new IllegalStateException("The processor (%d) runs already.".formatted(p));
            }
            running[p] = job;
            reservedFor[p] = reservedFor[p] == job ? null : reservedFor[p];
            idle.clear(p);
        });
    }

    /** Removes the job's tasks from their processors. Reserved processors stay reserved. */
    void release(GridJob job) {
        job.processors().stream().forEach(p -> {
            running[p] = null;
            idle.set(p, reservedFor[p] == null);
        });
    }

    List<Integer> idleOf(Cluster cluster) {
        List<Integer> found = new ArrayList<>();
        for (int p = idle.nextSetBit(cluster.first()); p >= 0 && p < cluster.end(); p = idle.nextSetBit(p + 1)) {
            found.add(p);
        }
        return found;
    }
}
