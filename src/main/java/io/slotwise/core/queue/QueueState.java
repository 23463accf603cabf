package io.slotwise.core.queue;

import io.slotwise.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The queues of a planning cycle.
 *
 * @param running the use of all gangs that have started, one entry for each gang
 * @param past by queue, what gangs that have ended used directly in it, weighted by age: units times hours
 */
public record QueueState(QueueTree tree, List<QueueUse> running, Map<String, Resources> past) {
    public QueueState {
        running = List.copyOf(running);
        past = Map.copyOf(past);
    }

    /** Returns the state with further uses. */
    public QueueState with(List<QueueUse> uses) {
        return new QueueState(
                tree, Stream.concat(running.stream(), uses.stream()).toList(), past);
    }

    /** Returns the state in which a holder's use ends by a second. */
    public QueueState endingBy(String holder, long second) {
        List<QueueUse> left = running.stream()
                .filter(use -> !use.holder().equals(holder) || use.interval().start() < second)
                .map(use -> use.holder().equals(holder) ? use.endingBy(second) : use)
                .toList();
        return new QueueState(tree, left, past);
    }
}
