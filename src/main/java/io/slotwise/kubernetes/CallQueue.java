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
 * they came. Each runs in a virtual thread of its own. Few records are written at a time, and few starts made durable.
 *
 * <p>No start is made durable while all places are taken by bindings or kept for those of starts under way: so the pods
 * of a gang whose start is durable are bound next to each other and at once, before another gang starts, however slow
 * the API server is. Nor is a record written then, or while starts that wait will take as much: so a gang whose window
 * is now starts soon after it is told. What a planning cycle waits for goes before that, so that a burst of starts
 * keeps no gang that comes meanwhile from being planned. What people are told comes last.
 *
 * <p>As TCP does with a new connection (slow start; M. Allman, V. Paxson, E. Blanton, RFC 5681, 2009, section 3.1),
 * starts first hand on a quarter of what may be under way, and one more for each binding that is answered: a program
 * that has just begun is slow, and the first gangs are bound one after the other rather than all of them late.
 */
final class CallQueue {
    private static final Logger LOG = Logger.getLogger(CallQueue.class);
    /** Of all places this part may be taken by bindings at first. */
    private static final int FIRST_PART = 4;

    private final int atOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Rank, Queue<Call>> waiting = new EnumMap<>(Rank.class);
    private final Map<Rank, Integer> underWay = new EnumMap<>(Rank.class);
    /** Bindings that starts under way will hand on. */
    private int expected;
    /** Bindings that starts which wait will hand on. */
    private int later;
    /** While so many bindings are under way or expected no start goes; it grows to the number of places. */
    private int enough;

    private record Call(Runnable task, int bindings) {}

    /** A call's place in the queue: the first comes first. */
    enum Rank {
        /** A pod of a gang whose start is durable. */
        BINDING(1),
        /** What makes a start durable: each brings the bindings of a gang, which are to follow it at once. */
        START(8),
        /** A write for which the planning cycle waits: a ledger, or the record of a gang that gives room up. */
        AWAITED(8),
        /** A record: that of a gang whose window is now brings its start. */
        RECORD(8),
        /** A pod on its way to kube-scheduler. */
        RELEASE(4),
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
     * @param atOnce calls that may be under way at a time, positive
     */
    CallQueue(int atOnce) {
        this.atOnce = atOnce;
        this.enough = Math.max(1, atOnce / FIRST_PART);
        for (Rank rank : Rank.values()) {
            waiting.put(rank, new ArrayDeque<>());
            underWay.put(rank, 0);
        }
    }

    Executor of(Rank rank) {
        return task -> add(rank, new Call(task, 0));
    }

    /** Runs a start that hands on so many bindings before it returns. */
    void start(int bindings, Runnable task) {
        add(Rank.START, new Call(task, bindings));
    }

    private void add(Rank rank, Call call) {
        lock.lock();
        try {
            queue(rank).add(call);
            later += call.bindings();
        } finally {
            lock.unlock();
        }
        next();
    }

    private Queue<Call> queue(Rank rank) {
        return Objects.requireNonNull(waiting.get(rank));
    }

    private void next() {
        lock.lock();
        try {
            // The end of one call may be what several wait for.
            for (Rank rank = first(); rank != null; rank = first()) {
                Call call = queue(rank).remove();
                underWay.merge(rank, 1, Integer::sum);
                later -= call.bindings();
                expected += call.bindings();
                begin(rank, call);
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin(Rank rank, Call call) {
        Thread.ofVirtual().start(() -> run(rank, call));
    }

    private int running() {
        return underWay.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The first rank of which a call waits that may go; null: none. */
    private @Nullable Rank first() {
        if (running() >= atOnce) {
            return null;
        }
        for (Rank rank : Rank.values()) {
            if (!queue(rank).isEmpty() && underWay.getOrDefault(rank, 0) < rank.most(atOnce) && isInTime(rank)) {
                return rank;
            }
        }
        return null;
    }

    /** Whether what a call brings can follow it at once. */
    private boolean isInTime(Rank rank) {
        return switch (rank) {
            case START -> hasRoomForAStart();
            case RECORD -> hasRoomForARecord();
            case BINDING, AWAITED, RELEASE, EVENT -> true;
        };
    }

    private int bindings() {
        return queue(Rank.BINDING).size() + underWay.getOrDefault(Rank.BINDING, 0);
    }

    /** A start without an answer keeps no other from going. */
    private boolean hasRoomForAStart() {
        return bindings() + expected < enough || (bindings() == 0 && underWay.getOrDefault(Rank.START, 0) < 2);
    }

    /** What has no answer keeps not all records from going: one goes at a time. */
    private boolean hasRoomForARecord() {
        return bindings() + expected + later < enough
                || (bindings() == 0 && underWay.getOrDefault(Rank.RECORD, 0) == 0);
    }

    private void run(Rank rank, Call call) {
        try {
            call.task().run();
        } catch (RuntimeException | Error bug) {
            LOG.errorf(bug, "a call failed");
        } finally {
            lock.lock();
            try {
                underWay.merge(rank, -1, Integer::sum);
                expected -= call.bindings();
                enough = Math.min(atOnce, rank == Rank.BINDING ? enough + 1 : enough);
            } finally {
                lock.unlock();
            }
            next();
        }
    }
}
