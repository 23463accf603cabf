package io.slotwise.testing;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.window.SearchObserver;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Counts the searches that a planner makes. */
public final class CountedSearches implements SearchObserver {
    private final AtomicInteger searches = new AtomicInteger();

    @Override
    public <T> T around(Criterion criterion, Supplier<T> search) {
        searches.incrementAndGet();
        return search.get();
    }

    public int count() {
        return searches.get();
    }

    public void reset() {
        searches.set(0);
    }
}
