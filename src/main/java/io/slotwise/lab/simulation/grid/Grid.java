package io.slotwise.lab.simulation.grid;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Clusters of processors, which are numbered through; {@code clocks}: of the processors, megahertz. */
public record Grid(List<Cluster> clusters, List<Integer> clocks) {
    /** A job's processing time holds on a processor of this clock, megahertz. */
    public static final int STANDARD_CLOCK = 2000;

    private static final int SLOWEST = 1500;
    private static final int FASTEST = 3000;

    /** Processors that one local dispatcher serves. */
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

    /** Clusters of these sizes whose processors' clocks are drawn: 1500 to 3000 megahertz, all equally likely. */
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
