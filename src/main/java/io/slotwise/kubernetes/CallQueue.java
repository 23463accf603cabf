package io.slotwise.kubernetes;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the API server: at most so many at a time, the urgent ones first and those of one rank in the order in which
 * they came. Each runs in a virtual thread of its own. Few records are written at a time and still fewer starts made
 * durable, so that the pods of a gang whose start is durable are bound next to each other and at once, before another
 * gang starts. What people are told comes last.
 */
final class CallQueue {
    private static final Logger LOG = Logger.getLogger(CallQueue.class);

    private final int atOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Rank, Queue<Runnable>> waiting = new EnumMap<>(Rank.class);
    private final Map<Rank, Integer> underWay = new EnumMap<>(Rank.class);

    /** A call's place in the queue: the first comes first. */
    enum Rank {
        /** A pod of a gang whose start is durable. */
        BINDING(1),
        /** What makes a start durable: each brings the bindings of a gang, which are to follow it at once. */
        START(8),
        /** A record or a pod on its way to kube-scheduler: that of a gang whose window is now brings its start. */
        RECORD(4),
        /** What people are told: a binding finds a place at once. */
        EVENT(2);

        private final int part;

        /** Of all calls that may be under way this part may be of the rank. */
        Rank(int part) {
            this.part = part;
        }

        private int most(int atOnce) {
            return Math.max(1, atOnce / part);
        }
    }

    /**
     * An empty queue.
     *
     * @param atOnce calls that may be under way at a time, positive
     */
    CallQueue(int atOnce) {
        this.atOnce = atOnce;
        for (Rank rank : Rank.values()) {
            waiting.put(rank, new ArrayDeque<>());
            underWay.put(rank, 0);
        }
    }

    /** Runs tasks of one rank. */
    Executor of(Rank rank) {
        return task -> {
            lock.lock();
            try {
                queue(rank).add(task);
            } finally {
                lock.unlock();
            }
            next();
        };
    }

    private Queue<Runnable> queue(Rank rank) {
        return Objects.requireNonNull(waiting.get(rank));
    }

    private void next() {
        lock.lock();
        try {
            Rank rank = running() < atOnce ? first() : null;
            if (rank != null) {
                Runnable task = queue(rank).remove();
                underWay.merge(rank, 1, Integer::sum);
                Thread.ofVirtual().start(() -> run(rank, task));
            }
        } finally {
            lock.unlock();
        }
    }

    private int running() {
        return underWay.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The first rank of which a call waits that may go; null: none. */
    private @Nullable Rank first() {
        for (Rank rank : Rank.values()) {
            if (!queue(rank).isEmpty() && underWay.getOrDefault(rank, 0) < rank.most(atOnce)) {
                return rank;
            }
        }
        return null;
    }

    private void run(Rank rank, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            LOG.errorf(bug, "a call failed");
        } finally {
            lock.lock();
            try {
                underWay.merge(rank, -1, Integer::sum);
            } finally {
                lock.unlock();
            }
            next();
        }
    }
}
