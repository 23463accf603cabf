package io.slotwise.core.backfill;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Moves a chosen window to the earliest start on its own nodes at which it costs no more.
 *
 * <p>Unchosen alternatives leave gaps before the chosen ones. Applied in start order, every window moves into the gaps
 * that earlier ones leave. Durations stay, so finish and runtime do not worsen either. A gang with preferences moves to
 * the nearest of these starts, if that is no further away. This is the search for the earliest start on the window's
 * few nodes, each with exactly as many places as the window has on it.
 */
public record WindowShift(Timeline timeline, SearchObserver observer) {
    /** Returns the shifted window, or the same one if it cannot start earlier. Precondition: its room is free. */
    public Window earlier(Gang gang, Window window, Supplier<List<Eligibility>> eligibility, SlotTerms terms) {
        if (window.start() <= terms.earliest()) {
            return window;
        }
        if (!mayStartSooner(gang, window, terms, node -> node)) {
            return window;
        }
        boolean prefers = !gang.preferences().isNone();
        return WindowSearch.onNodesOf(gang, window, eligibility.get())
                .observedBy(observer)
                .best(
                        prefers ? gang.criterion() : Criterion.START,
                        terms.within(window.start() - 1, window.end()),
                        window.cost())
                .filter(soonerWindow -> !prefers || soonerWindow.value(gang) <= window.value(gang))
                .orElse(window);
    }

    /** Returns whether a window with room in the timeline might start earlier. Mostly O(breakpoints of a node). */
    public boolean mayBeEarlier(Gang gang, Window window, SlotTerms terms) {
        return window.start() > terms.earliest()
                && mayStartSooner(gang, window, terms, node -> window.restoredOn(node, gang));
    }

    /** Returns whether each pod separately could start sooner on its node, a necessary condition. */
    private boolean mayStartSooner(Gang gang, Window window, SlotTerms terms, UnaryOperator<NodeTimeline> seen) {
        @Nullable NodeTimeline node = null;
        @Nullable Placement before = null;
        for (Placement placement : window.placements()) {
            if (before == null || !before.node().equals(placement.node())) {
                NodeTimeline nodeTimeline = timeline.node(placement.node());
                if (nodeTimeline == null) {
                    return false;
                }
                node = seen.apply(nodeTimeline);
            }
            before = placement;
            Resources resources = gang.requestOf(placement.pod()).resources();
            if (Objects.requireNonNull(node)
                            .starts(
                                    resources,
                                    placement.end() - placement.start(),
                                    terms.earliest(),
                                    window.start() - 1)
                    == null) {
                return false;
            }
        }
        return true;
    }
}
