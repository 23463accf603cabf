package io.slotwise.lab.simulation.grid;

import java.util.ArrayList;
import java.util.List;

/**
 * The observations of a grid, in sums.
 *
 * <p>The average response time is the mean of end minus arrival, ART = (1/m) x sum of rt(j). The utilisation is U = sum
 * of p_j x te_j over makespan x N for p_j processors kept for te_j seconds. The loss of capacity is LoC = sum of n_i
 * (t_(i+1) - t_i) delta over N (t_q - t_1). It counts the processor-seconds that are idle while a job waits in a
 * cluster with as many idle processors as the job has tasks, relative to all processor-seconds. The paper leaves open
 * whether idle processors in other clusters than the job's are lost, so both readings are counted.
 *
 * <p>Source: Pinto et al. (2014), section VI, equations (4), (5) and (6).
 */
public final class GridRecord {
    private final int processors;
    private final int every;
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private int executed;
    private long response;
    private long work;
    private long lost;
    private long lostByCluster;
    private long first = -1;
    private long last;
    private long localMigrations;
    private long externalMigrations;
    private long interruptions;

    /**
     * The state after a number of executed jobs.
     *
     * @param executed jobs, m
     * @param responseTime the average, seconds
     * @param utilisation the utilisation of all processors since the first arrival, 0 to 1
     */
    public record Checkpoint(int executed, double responseTime, double utilisation) {}

    GridRecord(int processors, int every) {
        this.processors = processors;
        this.every = every;
    }

    void passed(long from, long to, int idle, int wasted) {
        first = first < 0 ? from : first;
        last = to;
        lost += wasted > 0 ? (to - from) * idle : 0;
        lostByCluster += (to - from) * wasted;
    }

    void ended(GridJob job, long seconds, long now) {
        executed++;
        response += now - job.job().submit();
        work += seconds * job.tasks();
        last = now;
        if (executed % every == 0) {
            checkpoints.add(new Checkpoint(executed, averageResponseTime(), utilisation()));
        }
    }

    void migrated(boolean external) {
        if (external) {
            externalMigrations++;
        } else {
            localMigrations++;
        }
    }

    void interrupted() {
        interruptions++;
    }

    public int executed() {
        return executed;
    }

    public double averageResponseTime() {
        return (double) response / executed;
    }

    public double utilisation() {
        return (double) work / (processors * (double) (last - first));
    }

    public double lossOfCapacity() {
        return (double) lost / (processors * (double) (last - first));
    }

    /** Returns LoC if only idle processors of the waiting job's cluster are lost. */
    public double lossOfCapacityByCluster() {
        return (double) lostByCluster / (processors * (double) (last - first));
    }

    public long localMigrations() {
        return localMigrations;
    }

    public long externalMigrations() {
        return externalMigrations;
    }

    public long interruptions() {
        return interruptions;
    }

    public List<Checkpoint> checkpoints() {
        return List.copyOf(checkpoints);
    }
}
