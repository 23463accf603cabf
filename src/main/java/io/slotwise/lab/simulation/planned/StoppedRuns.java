package io.slotwise.lab.simulation.planned;

import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job did in runs that the policy stopped, as a cluster's records keep it.
 *
 * @param done work that it need not do again, seconds on the reference node
 * @param overhead of its restart, spent at the beginning of its next run, seconds on the reference node
 * @param paidCost for these runs, taken off its budget
 * @param stops the seconds in which it was stopped, ascending
 * @param back the first second in which its pods are there again
 * @param lost pod-seconds in which no work was done that it has kept
 */
record StoppedRuns(long done, long overhead, Cost paidCost, long seconds, List<Long> stops, long back, long lost) {
    static final StoppedRuns NOTHING = new StoppedRuns(0, 0, Cost.ZERO, 0, List.of(), Long.MIN_VALUE, 0);

    StoppedRuns {
        stops = List.copyOf(stops);
    }

    /**
     * After one more run of the job, stopped at {@code now} for this move, that did kept work for so many seconds.
     */
    StoppedRuns after(Job job, Move move, long now, JobRun run, long worked) {
        List<Long> all = new ArrayList<>(stops);
        all.add(now);
        return new StoppedRuns(
                job.estimate() - move.work(),
                move.gang().runtime() - move.work(),
                paidCost.plus(run.cost()),
                seconds + worked,
                all,
                move.back(),
                lost + run.loss().processorTime());
    }
}
