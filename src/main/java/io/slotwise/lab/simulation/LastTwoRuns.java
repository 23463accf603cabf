package io.slotwise.lab.simulation;

import io.slotwise.lab.workload.Job;
import java.util.HashMap;
import java.util.Map;

/**
 * The mean of the last two runs of the same user, rounded up; of one if there is only one.
 *
 * <p>Source: D. Tsafrir, Y. Etsion, D. G. Feitelson, "Backfilling Using System-Generated Predictions Rather than User
 * Runtime Estimates", IEEE Transactions on Parallel and Distributed Systems 18(6), 2007, section 4. Their users'
 * estimates, beyond which a prediction never goes, are not known here.
 */
public final class LastTwoRuns implements RuntimeGuess {
    private final long otherwise;
    private final Map<String, long[]> last = new HashMap<>();

    /**
     * Nothing is known of any user.
     *
     * @param otherwise the estimate of a user's first job, seconds
     */
    public LastTwoRuns(long otherwise) {
        this.otherwise = otherwise;
    }

    @Override
    public long of(Job job) {
        long[] runs = last.get(job.user());
        return runs == null ? otherwise : Math.ceilDiv(runs[0] + runs[1], 2L);
    }

    @Override
    public void ended(JobRun run) {
        long seconds = run.job().runtime();
        last.merge(run.job().user(), new long[] {seconds, seconds}, (known, now) -> new long[] {now[0], known[0]});
    }
}
