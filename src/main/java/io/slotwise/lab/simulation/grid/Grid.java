package io.slotwise.lab.simulation.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Clusters of processors with consecutive numbers. The clocks are those of the processors, megahertz. */
public record Grid(List<Cluster> clusters, List<Integer> clocks) {
    /** The clock for which a job's processing time holds, megahertz. */
    public static final int STANDARD_CLOCK = 2000;

    private static final int SLOWEST = 1500;
    private static final int FASTEST = 3000;

    /** The processors of one local dispatcher. */
    public record Cluster(int first, int size) {
        int end() {
            return first + size;
        }
    }

    public Grid {
        clusters = List.copyOf(clusters);
        clocks = List.copyOf(clocks);
        int size = clusters.stream().mapToInt(Cluster::size).sum();
        if (size != clocks.size()) {
            throw new IllegalArgumentException(
                    "The clusters have %d processors and there are %d clocks.".formatted(size, clocks.size()));
        }
    }

    /** Returns clusters of these sizes with random clocks, uniform from 1500 to 3000 megahertz. */
    public static Grid random(List<Integer> sizes, RandomGenerator random) {
        List<Cluster> clusters = new ArrayList<>();
        List<Integer> clocks = new ArrayList<>();
        for (int size : sizes) {
            clusters.add(new Cluster(clocks.size(), size));
            for (int i = 0; i < size; i++) {
                clocks.add(random.nextInt(SLOWEST, FASTEST + 1));
            }
        }
        return new Grid(clusters, clocks);
    }

    public int size() {
        return clocks.size();
    }

    int largest() {
        return clusters.stream().mapToInt(Cluster::size).max().orElse(0);
    }
}
