package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.simulation.grid.Grid.Cluster;

/**
 * Sends jobs to the cluster with the least average load, C = (1/n) x sum of [t(p) + t_s(p)] over its n processors p,
 * t(p) tasks in the queue and t_s(p) running; ties go to the first cluster. O(processors) for each job.
 *
 * <p>Source: Pinto et al. (2014), section IV-A, equation (2). A job with more tasks than a cluster has processors
 * cannot go there, since tasks of one job never share a processor.
 */
final class GridDispatcher {
    private final Grid grid;
    private final Occupancy occupancy;

    GridDispatcher(Grid grid, Occupancy occupancy) {
        this.grid = grid;
        this.occupancy = occupancy;
    }

    Cluster cluster(int tasks) {
        return grid.clusters().stream()
                .filter(cluster -> cluster.size() >= tasks)
                .min(this::compare)
                .orElseThrow(() -> new IllegalArgumentException(
                        "No cluster has %d processors; the largest has %d.".formatted(tasks, grid.largest())));
    }

    private int compare(Cluster one, Cluster other) {
        return Long.compare(load(one) * other.size(), load(other) * one.size());
    }

    private long load(Cluster cluster) {
        long load = 0;
        for (int p = cluster.first(); p < cluster.end(); p++) {
            load += occupancy.queued(p) + occupancy.busy(p);
        }
        return load;
    }
}
