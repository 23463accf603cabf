package io.slotwise.core.window.sweep;

import io.slotwise.core.window.units.LowestUnits;
import java.util.Arrays;

/**
 * The least sum of a figure over the pods of all shapes, on the nodes so far, each shape on its own. O(N log N) for all
 * of N nodes.
 */
final class LeastFigures {
    private final long[] figure;
    private final long[] keys;
    private final int most;
    private final int[] pods;
    private final LowestUnits[] shapes;

    /**
     * No nodes yet.
     *
     * @param most the most units on one node
     * @param figure of a unit on each node
     */
    LeastFigures(SlotSearch search, int most, long[] figure) {
        this.figure = figure;
        this.most = most;
        this.keys = LowestUnits.distinct(figure);
        this.pods =
                search.shapes().stream().mapToInt(SlotSearch.ShapeOffers::pods).toArray();
        this.shapes =
                Arrays.stream(pods).mapToObj(n -> new LowestUnits(keys, n)).toArray(LowestUnits[]::new);
    }

    /** One more node for a shape. */
    void add(int shape, int node) {
        shapes[shape].add(Arrays.binarySearch(keys, figure[node]), Math.min(pods[shape], most));
    }

    /** Whether there are enough units for all pods. */
    boolean enough() {
        for (int shape = 0; shape < shapes.length; shape++) {
            if (shapes[shape].size() < pods[shape]) {
                return false;
            }
        }
        return true;
    }

    long sum() {
        long sum = 0;
        for (LowestUnits shape : shapes) {
            sum += shape.sum();
        }
        return sum;
    }
}
