package io.slotwise.bench;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.SharedEnvironment;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The time and memory of single cycles in very large full clusters, which take minutes each. The JVM is not warm. */
final class LargeCluster {
    private static final long MEBIBYTE = 1 << 20;
    private static final int ENDS = 5;

    private final StringBuilder report = new StringBuilder("""
            ### the first plan of a full cluster, and plans after the ends of pods, one after another

            | nodes | pods | gangs | heap of the snapshot, MiB | heap after the plan, MiB | first plan, s \
            | after the first end, s | after the fifth, s | heap before it, MiB |
            |---:|---:|---:|---:|---:|---:|---:|---:|---:|
            """);

    /**
     * Measures with two waiting gangs for each five nodes.
     *
     * @param sizes the number of sizes of pods, as in {@link SharedEnvironment#busy(int, int, long)}
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
        Planner planner = new Planner(Policy.EXACT, CommonPoolWorkers.ALL);
        long begun = System.nanoTime();
        Plan last = planner.plan(snapshot);
        double first = seconds(begun);
        Snapshot published = snapshot.published(last);
        long planned = heap();
        List<Occupation> left = new ArrayList<>(snapshot.cluster().occupations());
        int pods = left.size();
        double[] afterEnds = new double[ENDS];
        long later = planned;
        for (int end = 0; end < ENDS; end++) {
            left.remove(pods / 2);
            Snapshot next = new Snapshot(
                    end + 1, new Cluster(snapshot.cluster().inventory(), left), published.requests(), List.of());
            later = heap();
            begun = System.nanoTime();
            last = planner.plan(next);
            afterEnds[end] = seconds(begun);
            published = next.published(last);
        }
        report.append(String.format(
                Locale.ROOT,
                "| %,d | %,d | %,d | %,d | %,d | %.1f | %.2f | %.2f | %,d |%n",
                nodes,
                pods,
                gangs,
                (loaded - before) / MEBIBYTE,
                (planned - before) / MEBIBYTE,
                first,
                afterEnds[0],
                afterEnds[ENDS - 1],
                (later - before) / MEBIBYTE));
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
