package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.IntersectingAlternatives;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replication: AEP with the Execution Similarity criterion, which finds a window of one gang within its budget and
 * limits at a small distance from a reference.
 *
 * <p>One pass collects the steps at which free units change and a window is within the budget. Of these the 256 nearest
 * to the start that is wanted are looked at, the nearest first: at their first second, at the one nearest to that start
 * (if start or finish count), at the start of the reference's own window, and at the last second where prices move.
 * Windows that are looked at there: the reference's own nodes; every run of n neighbouring units in the order of cost,
 * from the cheapest n to the dearest within the budget; and every run in the order of duration, from the shortest on. A
 * second whose error of start alone is more than the best distance is passed over. The eight seconds with the nearest
 * windows are then visited again, and single units are exchanged there, each for the free one that brings cost or
 * processor time nearest to the reference, as long as the distance falls, at most n times.
 *
 * <p>Invariants. Every window looked at satisfies all limits of the gang. If there is a window within the budget at
 * all, one is found: the cheapest of a step is among those looked at there. If the figures wanted are the reference
 * window's own, and it is free and within the limits, the distance is 0. Apart from that the result is heuristic: a
 * combination of units that is no run, and that no such exchange leads to, is missed. Of those looked at with equal
 * distances the window that is best by the gang's criterion wins, then the earlier start, the lower cost, the nodes'
 * names.
 *
 * <p>For m changes of N nodes with c distinct durations: O(m log m) for the pass, O(N (c + log m + log N)) for each of
 * the 256 steps, mostly O(N log m), and O(n^2 (n + log N)) for the exchanges; O(m + N) space.
 *
 * <p>Source: the paper on anticipation, section 3, AEP modification with the Execution Similarity criterion.
 *
 * <p>Deviations. The paper's listing computes one distance at each step and does not say which n slots of the extended
 * window it is of; it also leaves the budget out. The runs, the exchanges and the further seconds are ours.
 */
public record Replication(Distance distance) {
    private record Found(double distance, Window window) {}

    /** The nearest window that is found; empty if there is none at all within the budget and the limits. */
    public Optional<Window> closest(Follower follower) {
        if (!follower.gang().isUniform() || follower.gang().hasRules()) {
            return ofMixed(follower);
        }
        return follower.search().passes(follower.terms()).stream()
                .map(units -> new ReplicationPass(distance, follower, units))
                .flatMap(pass -> Stream.ofNullable(pass.nearest())
                        .map(choice -> new Found(choice.distance(), pass.window(choice))))
                .min(Comparator.comparingDouble(Found::distance)
                        .thenComparing(Found::window, WindowSearch.order(follower.gang())))
                .map(Found::window);
    }

    /** For pods that differ or look at others: the nearest of what a gang can choose from without its reference. */
    private Optional<Window> ofMixed(Follower follower) {
        Gang gang = follower.gang();
        return IntersectingAlternatives.find(gang, follower.search(), follower.terms(), Integer.MAX_VALUE).stream()
                .map(window ->
                        new Found(distance.between(WindowFigures.of(window, gang), follower.reference()), window))
                .min(Comparator.comparingDouble(Found::distance).thenComparing(Found::window, WindowSearch.order(gang)))
                .map(Found::window);
    }
}
