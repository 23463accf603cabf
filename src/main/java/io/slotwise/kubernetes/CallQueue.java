package io.slotwise.kubernetes;

import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Calls to the API server: at most so many at a time, the urgent ones first and those of one rank in the order in which they came. Each runs in a
 * virtual thread of its own. So the pods of a gang whose start is durable are bound next to each other, before another gang starts, and what people
 * are told comes last.
 */
final class CallQueue {
    private static final Logger LOG = Logger.getLogger(CallQueue.class);

    private final int atOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Call> waiting = new PriorityQueue<>();
    private long count;
    private int running;

    /** A call's place in the queue: the first comes first. */
    enum Rank {
        /** A pod of a gang whose start is durable. */
        BINDING,
        /** What makes a start durable. */
        START,
        /** A record or a pod on its way to kube-scheduler. */
        RECORD,
        /** What people are told. */
        EVENT
    }

    private record Call(Rank rank, long number, Runnable task) implements Comparable<Call> {
        @Override
        public int compareTo(Call other) {
            int byRank = rank.compareTo(other.rank);
            return byRank != 0 ? byRank : Long.compare(number, other.number);
        }
    }

    /**
     * An empty queue.
     *
     * @param atOnce calls that may be under way at a time, positive
     */
    CallQueue(int atOnce) {
        this.atOnce = atOnce;
    }

    /** Runs tasks of one rank. */
    Executor of(Rank rank) {
        return task -> {
            lock.lock();
            try {
                waiting.add(new Call(rank, count++, task));
            } finally {
                lock.unlock();
            }
            next();
        };
    }

    private void next() {
        Call call;
        lock.lock();
        try {
            if (running >= atOnce || waiting.isEmpty()) {
                return;
            }
            call = waiting.remove();
            running++;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().start(() -> run(call));
    }

    private void run(Call call) {
        try {
            call.task.run();
        } catch (RuntimeException | Error bug) {
            LOG.errorf(bug, "a call failed");
        } finally {
            lock.lock();
            try {
                running--;
            } finally {
                lock.unlock();
            }
            next();
        }
    }
}
