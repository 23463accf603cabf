package io.slotwise.core.queue;

import io.slotwise.core.resource.Resources;
import java.util.List;
import java.util.Map;

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
}
