package io.slotwise.lab.simulation.planned;

import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.workload.Job;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs of a job that the policy stopped, as a cluster's records keep them.
 *
 * @param done work that need not be repeated, seconds on the reference node
 * @param overhead the overhead of its next run's restart, seconds on the reference node
 * @param paidCost the paid cost for these runs, deducted from its budget
 * @param stops the seconds of the stops, ascending
 * @param back the first second in which its pods are recreated
 * @param lost pod-seconds without kept work
 */
record StoppedRuns(long done, long overhead, Cost paidCost, long seconds, List<Long> stops, long back, long lost) {
    static final StoppedRuns NOTHING = new StoppedRuns(0, 0, Cost.ZERO, 0, List.of(), Long.MIN_VALUE, 0);

    StoppedRuns {
        stops = List.copyOf(stops);
    }

    /** Adds a run that was stopped at {@code now} for this move, with {@code worked} seconds of kept work. */
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
