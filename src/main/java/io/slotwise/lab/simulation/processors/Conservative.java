package io.slotwise.lab.simulation.processors;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * Conservative backfilling: every job has a reservation from its submission on, at the earliest second in which it
 * delays no earlier job, and reservations only move forward.
 *
 * <p>Invariant: running jobs until their expected end and the reservations of all waiting jobs never need more
 * processors than exist. A pass in a second with ends first frees the unused rest of their estimates, and then
 * <em>compresses</em>. In the order of submission, each job gives up its reservation and takes the earliest one, while
 * all others stay. A hole that a later job leaves is not offered again in the same pass. Then new jobs reserve in
 * order, and due jobs start.
 *
 * <p>With q waiting jobs and b breakpoints of the profile (at most two per waiting job, one per running job) a
 * compression takes O(q b) at worst. The search for a job ends at its own reservation, from which on its processors are
 * known to be free.
 *
 * <p>Source: A. W. Mu'alem, D. G. Feitelson, "Utilization, Predictability, Workloads, and User Runtime Estimates in
 * Scheduling the IBM SP2 with Backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001, pp.
 * 529-543, section 2.
 */
public final class Conservative extends Discipline {
    private final FreeProfile profile;
    private final List<Reserved> queue = new ArrayList<>();
    private final List<Job> submitted = new ArrayList<>();
    private boolean compresses;
    private long due = NEVER;

    public Conservative(ProcessorMachine processors) {
        super(processors);
        this.profile = new FreeProfile(processors.total());
    }

    private static final class Reserved {
        private final Job job;
        private final int size;
        private final long seconds;
        private long start;

        Reserved(Job job, long start) {
            this.job = job;
            this.size = job.size();
            this.seconds = job.estimate();
            this.start = start;
        }
    }

    @Override
    void queue(Job job, long now) {
        submitted.add(job);
    }

    @Override
    public void ended(JobRun run) {
        super.ended(run);
        long expected = run.start() + run.job().estimate();
        if (run.end() < expected) {
            profile.give(run.end(), expected, (int) run.capacity());
        }
        compresses = true;
    }

    @Override
    public List<JobRun> pass(long now) {
        profile.forgetBefore(now);
        if (compresses) {
            compress(now);
        }
        for (Job job : submitted) {
            Reserved reserved = new Reserved(job, profile.earliest(now, job.size(), job.estimate()));
            profile.take(reserved.start, reserved.start + reserved.seconds, reserved.size);
            queue.add(reserved);
        }
        submitted.clear();
        compresses = false;
        return startDue(now);
    }

    private void compress(long now) {
        for (Reserved reserved : queue) {
            if (reserved.start <= now) {
                continue;
            }
            long earlier = profile.earliest(now, reserved.size, reserved.seconds, reserved.start);
            if (earlier < reserved.start) {
                profile.give(reserved.start, reserved.start + reserved.seconds, reserved.size);
                profile.take(earlier, earlier + reserved.seconds, reserved.size);
                reserved.start = earlier;
            }
        }
    }

    private List<JobRun> startDue(long now) {
        List<JobRun> starts = new ArrayList<>();
        due = NEVER;
        Iterator<Reserved> waiting = queue.iterator();
        while (waiting.hasNext()) {
            Reserved reserved = waiting.next();
            if (reserved.start <= now) {
                starts.add(processors.start(reserved.job, now));
                waiting.remove();
            } else {
                due = Math.min(due, reserved.start);
            }
        }
        return starts;
    }

    @Override
    public long wakesAt() {
        return due;
    }

    /**
     * The number of free processors over time, a step function in arrays: piece {@code i} has {@code free[i]} on {@code
     * [starts[i], starts[i + 1])}, the last one for ever. Not thread-safe.
     *
     * <p>With b breakpoints {@link #take} and {@link #give} take O(b), of which all but the touched pieces are one
     * block copy. {@link #earliest} takes O(log b + pieces up to the answer's end).
     */
    private static final class FreeProfile {
        private long[] starts = new long[16];
        private int[] free = new int[16];
        /** The first piece; earlier ones are forgotten. */
        private int first;
        /** The index after the last piece. */
        private int end = 1;

        FreeProfile(int processors) {
            starts[0] = Long.MIN_VALUE;
            free[0] = processors;
        }

        /** Drops the time before second {@code now}. O(pieces dropped). */
        void forgetBefore(long now) {
            while (first + 1 < end && starts[first + 1] <= now) {
                first++;
            }
        }

        void take(long from, long to, int processors) {
            change(from, to, -processors);
        }

        void give(long from, long to, int processors) {
            change(from, to, processors);
        }

        /**
         * Returns the first second from {@code from} on with {@code processors} processors free for {@code seconds}
         * seconds.
         */
        long earliest(long from, int processors, long seconds) {
            return earliest(from, processors, seconds, Long.MAX_VALUE);
        }

        /**
         * Returns the first second of {@code [from, known)} from which {@code processors} processors are free for
         * {@code seconds} seconds, or until {@code known}, after which they are known to be free. Returns {@code known}
         * if there is none.
         */
        long earliest(long from, int processors, long seconds, long known) {
            long begin = from;
            for (int i = pieceAt(from); i < end && starts[i] < known; i++) {
                if (free[i] < processors) {
                    begin = i + 1 < end ? starts[i + 1] : Long.MAX_VALUE;
                } else if (i + 1 == end || starts[i + 1] - begin >= seconds) {
                    return begin;
                }
            }
            return Math.min(begin, known);
        }

        private void change(long from, long to, int by) {
            makeRoom();
            int low = split(from);
            int high = split(to);
            for (int i = low; i < high; i++) {
                free[i] += by;
            }
            join(high);
            join(low);
        }

        private int pieceAt(long t) {
            int i = Arrays.binarySearch(starts, first, end, t);
            return i >= 0 ? i : Math.max(first, -i - 2);
        }

        /** Makes {@code t} a breakpoint and returns the piece that begins there. */
        private int split(long t) {
            int i = pieceAt(t);
            if (starts[i] >= t) {
                return i;
            }
            System.arraycopy(starts, i + 1, starts, i + 2, end - i - 1);
            System.arraycopy(free, i, free, i + 1, end - i);
            starts[i + 1] = t;
            end++;
            return i + 1;
        }

        private void makeRoom() {
            if (end + 2 <= starts.length) {
                return;
            }
            int size = end - first;
            int capacity = 2 * size <= starts.length ? starts.length : 2 * starts.length;
            starts = Arrays.copyOf(Arrays.copyOfRange(starts, first, end), capacity);
            free = Arrays.copyOf(Arrays.copyOfRange(free, first, end), capacity);
            first = 0;
            end = size;
        }

        /** Drops the breakpoint of piece {@code i} if nothing changes there. */
        private void join(int i) {
            if (i > first && i < end && free[i] == free[i - 1]) {
                System.arraycopy(starts, i + 1, starts, i, end - i - 1);
                System.arraycopy(free, i + 1, free, i, end - i - 1);
                end--;
            }
        }
    }
}
