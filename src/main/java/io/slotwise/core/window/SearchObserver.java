package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import java.util.function.Supplier;

/**
 * Wraps every search for the best window of one gang. The core has no clock, so a caller measures the time of searches
 * here. No result of the core depends on the observer.
 *
 * <p>Several threads may call it at once. One search is one call, regardless of the number of node sets. A repeated
 * search is another call.
 */
public interface SearchObserver {
    public SearchObserver NONE = new SearchObserver() {};

    default <T> T around(Criterion criterion, Supplier<T> search) {
        return search.get();
    }
}
