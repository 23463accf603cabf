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
 * Limits the number of concurrent calls to the API server. Urgent calls go first, and those of one rank in the order of
 * arrival. Each runs in a virtual thread of its own. Few records are written, and few starts made durable, at a time.
 *
 * <p>No start is made durable while all places are taken by bindings or reserved for those of current starts. So the
 * pods of a gang whose start is durable are bound together and at once, before another gang starts, however slow the
 * API server is. Nor is a record written then, or while waiting starts need the places, so a gang whose window begins
 * now starts soon after its promise. Writes for which a planning cycle waits go before records, so that a burst of
 * starts does not delay the planning of new gangs. Events go last.
 *
 * <p>As in TCP's slow start (M. Allman, V. Paxson, E. Blanton, RFC 5681, 2009, section 3.1), starts first add bindings
 * for a quarter of the places, and one more for each answered binding. A program that has just started is slow, and the
 * first gangs are bound one after the other instead of all late.
 */
final class CallQueue {
    private static final Logger LOG = Logger.getLogger(CallQueue.class);
    /** The divisor of the places that bindings may take at first. */
    private static final int FIRST_PART = 4;

    private final int atOnce;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Rank, Queue<Call>> waiting = new EnumMap<>(Rank.class);
    private final Map<Rank, Integer> underWay = new EnumMap<>(Rank.class);
    /** The bindings that current starts will add. */
    private int expected;
    /** The bindings that waiting starts will add. */
    private int later;
    /** Starts wait while at least this number of bindings is running or expected. Grows to the number of places. */
    private int enough;

    private record Call(Runnable task, int bindings) {}

    /** The ranks of calls, the most urgent first. */
    enum Rank {
        /** A pod of a gang whose start is durable. */
        BINDING(1),
        /** A write that makes a start durable, after which the bindings of the gang must follow at once. */
        START(8),
        /** A write for which the planning cycle waits: a ledger, or the record of a gang that gives up room. */
        AWAITED(8),
        /** A record; that of a gang whose window begins now leads to its start. */
        RECORD(8),
        /** The release of a pod to kube-scheduler. */
        RELEASE(4),
        /** An event for users. Half of the places stay free of events, so that a binding finds one at once. */
        EVENT(2);

        private final int part;

        /** The rank may take {@code 1 / part} of the places. */
        Rank(int part) {
            this.part = part;
        }

        private int most(int atOnce) {
            return Math.max(1, atOnce / part);
        }
    }

    /** Creates a queue for {@code atOnce} calls at a time, positive. */
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

    /** Runs a start that adds {@code bindings} bindings before it returns. */
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
            // The end of one call may release several others.
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

    /** Returns the first rank with a call that may run, or null. */
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

    /** Returns whether the calls that follow from this rank can run at once. */
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

    /** A start without an answer does not block all others. */
    private boolean hasRoomForAStart() {
        return bindings() + expected < enough || (bindings() == 0 && underWay.getOrDefault(Rank.START, 0) < 2);
    }

    /** Calls without an answer do not block all records: one is written at a time. */
    private boolean hasRoomForARecord() {
        return bindings() + expected + later < enough
                || (bindings() == 0 && underWay.getOrDefault(Rank.RECORD, 0) == 0);
    }

    private void run(Rank rank, Call call) {
        try {
            call.task().run();
        } catch (RuntimeException | Error failure) {
            LOG.errorf(failure, "a call failed");
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
