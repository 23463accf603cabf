package io.slotwise.core.queue;

import java.util.List;
import java.util.stream.Stream;

/**
 * The queues of a planning cycle.
 *
 * @param running the use of all gangs that have started, one entry for each gang
 */
public record QueueState(QueueTree tree, List<QueueUse> running) {
    public QueueState {
        running = List.copyOf(running);
    }

    /** Returns the state with further uses. */
    public QueueState with(List<QueueUse> uses) {
        return new QueueState(
                tree, Stream.concat(running.stream(), uses.stream()).toList());
    }

    /** Returns the state in which a holder's use ends by a second. */
    public QueueState endingBy(String holder, long second) {
        List<QueueUse> left = running.stream()
                .filter(use -> !use.holder().equals(holder) || use.interval().start() < second)
                .map(use -> use.holder().equals(holder) ? use.endingBy(second) : use)
                .toList();
        return new QueueState(tree, left);
    }
}
