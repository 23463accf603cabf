package io.slotwise.bench;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.RememberedPlan;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.recall.PlanMemory;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.SharedEnvironment;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time and memory of cycles of very large clusters that are full, one of each: they take minutes. Times are those of a
 * JVM that is not warm.
 */
final class LargeCluster {
    private static final long MEBIBYTE = 1 << 20;

    private final StringBuilder report = new StringBuilder("""
            ### the first plan of a full cluster, and the plan after one pod's end

            | nodes | pods | gangs | heap of the snapshot, MiB | heap after the plan, MiB | first plan, s \
            | plan after an end, s |
            |---:|---:|---:|---:|---:|---:|---:|
            """);

    /**
     * Two gangs wait for each five nodes.
     *
     * @param sizes how many sizes of pods there are, as in {@link SharedEnvironment#busy(int, int, long)}
     */
    void run(int nodes, int sizes) {
        int gangs = nodes * 2 / 5;
        long before = heap();
        SharedEnvironment environment = SharedEnvironment.busy(nodes, sizes, 1);
        List<Request> requests = SharedEnvironment.batch(gangs, 1).stream()
                .map(gang -> new Request(gang, null))
                .toList();
        Snapshot snapshot = new Snapshot(0, environment.cluster(), requests, List.of());
        long loaded = heap();
        Planner planner = new Planner(Policy.DEFAULT, CommonPoolWorkers.ALL);
        long begun = System.nanoTime();
        RememberedPlan first = planner.plan(snapshot, StopSignal.NEVER, PlanMemory.NOTHING);
        double firstSeconds = seconds(begun);
        Snapshot published = snapshot.published(first.plan());
        long planned = heap();
        List<Occupation> left = new ArrayList<>(snapshot.cluster().occupations());
        int pods = left.size();
        left.remove(pods / 2);
        Snapshot next = new Snapshot(1, new Cluster(snapshot.cluster().nodes(), left), published.requests(), List.of());
        begun = System.nanoTime();
        planner.plan(next, StopSignal.NEVER, first.memory());
        report.append(String.format(
                Locale.ROOT,
                "| %,d | %,d | %,d | %,d | %,d | %.1f | %.2f |%n",
                nodes,
                pods,
                gangs,
                (loaded - before) / MEBIBYTE,
                (planned - before) / MEBIBYTE,
                firstSeconds,
                seconds(begun)));
    }

    String markdown() {
        return report.append('\n').toString();
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static long heap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
