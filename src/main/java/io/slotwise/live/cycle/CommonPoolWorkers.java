package io.slotwise.live.cycle;

import io.slotwise.core.work.Workers;
import java.util.List;
import java.util.function.Function;

/** Workers on all processors of the machine: the caller and the common pool of the virtual machine. */
public enum CommonPoolWorkers implements Workers {
    ALL;

    @Override
    public <T, R> List<R> each(List<T> parts, Function<T, R> work) {
        return parts.size() < 2
                ? Workers.CALLER.each(parts, work)
                : parts.parallelStream().map(work).toList();
    }
}
