package io.slotwise.lab.simulation.processors;

import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Conservative backfilling: every job holds a reservation from its submission on, at the earliest second in which it
 * delays none of those before it, and only ever moves forward.
 *
 * <p>Invariant: running jobs until their expected end and the reservations of all waiting jobs together never need more
 * processors than there are. A pass in a second in which jobs have ended gives back what they leave of their estimates,
 * and then <em>compresses</em>: job after job in the order of submission gives its reservation up and takes the
 * earliest one, all others staying in place. A hole that a later job leaves is not offered again in the same pass. Then
 * new jobs reserve, in order, and what is due starts.
 *
 * <p>With q jobs waiting and b breakpoints of the profile (at most two for each job that waits, one for each that runs)
 * a compression takes O(q b) at worst; a job is looked at only up to its own reservation, since from there on its
 * processors are known to be free.
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

    /** The discipline on an idle machine. */
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
}
