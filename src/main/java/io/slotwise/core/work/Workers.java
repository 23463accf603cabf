package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Who does work whose parts do not depend on each other. The core has no threads of its own: a host hands them in. No
 * answer of the core depends on how many there are.
 */
public interface Workers {
    /** The caller itself, one part after the other. */
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
     * @param work must not change anything that another part's work looks at
     * @return the answers in the order of the parts
     */
    <T, R> List<R> each(List<T> parts, Function<T, R> work);
}
