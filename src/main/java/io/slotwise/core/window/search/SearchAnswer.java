package io.slotwise.core.window.search;

import io.slotwise.core.window.Window;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * What a search has found.
 *
 * @param bounded whether something was left out, so that a better window may exist
 */
record SearchAnswer(@Nullable Window window, boolean bounded, long visited) {
    /** Nothing, for which nothing was looked at. */
    static final SearchAnswer NOTHING = new SearchAnswer(null, false, 0);

    /** The answer of a search that went on where this one ended: its window, and what both have looked at. */
    SearchAnswer then(SearchAnswer next) {
        return new SearchAnswer(next.window, bounded || next.bounded, visited + next.visited);
    }

    /** The better window of both, of equals this one, and what both have looked at. */
    SearchAnswer or(SearchAnswer other, Comparator<Window> order) {
        boolean better = other.window != null && (window == null || order.compare(other.window, window) < 0);
        return new SearchAnswer(better ? other.window : window, bounded || other.bounded, visited + other.visited);
    }

    /** The same, from a search that left something out. */
    SearchAnswer leftOut() {
        return new SearchAnswer(window, true, visited);
    }
}
