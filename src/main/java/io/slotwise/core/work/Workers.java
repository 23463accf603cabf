package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The workers for independent parts of a computation. The core has no threads, so callers pass workers in. No result of
 * the core depends on their number.
 */
public interface Workers {
    /** The calling thread, one part after the other. */
    Workers CALLER = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
            List<R> done = new ArrayList<>(parts.size());
            parts.forEach(part -> done.add(work.apply(part)));
            return done;
        }
    };

    /**
     * Does the work for each part, and returns when all of it is done.
     *
     * @param work must not change anything that another part's work reads
     * @return the results in the order of the parts
     */
    <T, R> List<R> each(List<T> parts, Function<T, R> work);
}
