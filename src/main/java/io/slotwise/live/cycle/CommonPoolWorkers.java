package io.slotwise.live.cycle;

import io.slotwise.core.work.Workers;
import java.util.List;
import java.util.function.Function;

/** Runs work on all processors: in the calling thread and the JVM's common pool. */
public enum CommonPoolWorkers implements Workers {
    ALL;

    @Override
    public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
        return parts.size() < 2
                ? Workers.CALLER.each(parts, work)
                : parts.parallelStream().map(work).toList();
    }
}
