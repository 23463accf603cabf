package io.slotwise.core.window;

import io.slotwise.core.gang.Criterion;
import java.util.function.Supplier;

/**
 * Who is told of every search for the best window of one gang. The core has no clock: a host that wants to know how
 * long searches take stands around them. No answer of the core depends on it.
 *
 * <p>Several threads may call it at once. One search is one call, whatever sets of nodes it looks through; a gang that
 * is searched for again is told of again.
 */
public interface SearchObserver {
    public SearchObserver NONE = new SearchObserver() {};

    /** Lets one search happen. */
    default <T> T around(Criterion criterion, Supplier<T> search) {
        return search.get();
    }
}
