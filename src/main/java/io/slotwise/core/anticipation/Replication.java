package io.slotwise.core.anticipation;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.IntersectingAlternatives;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replication: AEP with the Execution Similarity criterion. Finds a window of one gang, within its budget and limits,
 * at a small distance from a reference.
 *
 * <p>One pass collects the steps at which free units change and a window is within the budget. The 256 steps nearest to
 * the reference start are considered, the nearest first. The seconds of a step are the first, the nearest to that start
 * (if start or finish count), the start of the reference's own window, and the last where prices move. A second whose
 * error of start alone exceeds the best distance is skipped.
 *
 * <p>Three kinds of windows are considered at each second: on the reference's own nodes, on every run of n neighbouring
 * units in the order of cost, and on every run in the order of duration. Runs by cost go from the cheapest n to the
 * most expensive within the budget. The eight seconds with the nearest windows are then visited again. There single
 * units are exchanged, each for the free unit that brings cost or processor time nearest to the reference, as long as
 * the distance falls, at most n times.
 *
 * <p>Invariants. Every window considered satisfies all limits of the gang. If there is a window within the budget at
 * all, one is found: the cheapest of a step is considered. If the reference figures are the reference window's own, and
 * that window is free and within the limits, the distance is 0. Apart from that the result is heuristic: a combination
 * of units that is no run, and that no such exchange leads to, is missed. Ties go to the best window by the gang's
 * criterion, then the earlier start, the lower cost, the nodes' names.
 *
 * <p>For m changes of N nodes with c distinct durations, the pass takes O(m log m) and each of the 256 steps O(N (c +
 * log m + log N)), mostly O(N log m). The exchanges take O(n^2 (n + log N)). The space is O(m + N).
 *
 * <p>Source: the paper on anticipation, section 3, AEP modification with the Execution Similarity criterion.
 *
 * <p>Deviations. The paper's listing computes one distance at each step and does not say which n slots of the extended
 * window it is of. It also leaves the budget out. The runs, the exchanges and the further seconds are additions.
 */
public record Replication(Distance distance) {
    private record Found(double distance, Window window) {}

    /** Returns the nearest window found. Empty only if there is none within the budget and the limits. */
    public Optional<Window> closest(Follower follower) {
        if (!follower.gang().takesAnyPlaces()) {
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

    /** Returns the nearest of a gang's alternatives, for pods of several shapes, with rules or in slices. */
    private Optional<Window> ofMixed(Follower follower) {
        Gang gang = follower.gang();
        return IntersectingAlternatives.find(gang, follower.search(), follower.terms(), Integer.MAX_VALUE).stream()
                .map(window ->
                        new Found(distance.between(WindowFigures.of(window, gang), follower.reference()), window))
                .min(Comparator.comparingDouble(Found::distance).thenComparing(Found::window, WindowSearch.order(gang)))
                .map(Found::window);
    }
}
