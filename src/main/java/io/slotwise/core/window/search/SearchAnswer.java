package io.slotwise.core.window.search;

import io.slotwise.core.window.Window;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search.
 *
 * @param bounded whether something was left out, so that a better window may exist
 */
record SearchAnswer(@Nullable Window window, boolean bounded, long visited) {
    /** No window, from a search that visited nothing. */
    static final SearchAnswer NOTHING = new SearchAnswer(null, false, 0);

    /** Returns the answer of a search that continued this one: its window, and what both have visited. */
    SearchAnswer then(SearchAnswer next) {
        return new SearchAnswer(next.window, bounded || next.bounded, visited + next.visited);
    }

    /** Returns the better window of both, of equals this one, and what both have visited. */
    SearchAnswer or(SearchAnswer other, Comparator<Window> order) {
        boolean better = other.window != null && (window == null || order.compare(other.window, window) < 0);
        return new SearchAnswer(better ? other.window : window, bounded || other.bounded, visited + other.visited);
    }

    /** Returns this answer, marked as bounded. */
    SearchAnswer leftOut() {
        return new SearchAnswer(window, true, visited);
    }
}
