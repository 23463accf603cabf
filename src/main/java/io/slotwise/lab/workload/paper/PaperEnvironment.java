package io.slotwise.lab.workload.paper;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The distributed environment in which the papers compare their window searches, with the single job.
 *
 * <p>A node's performance is a whole number in [2; 10], all equally likely. Its price per time unit is proportional to
 * the performance, with a normal deviation. Local tasks fill 10 % to 50 % of its interval, by a hyper-geometric
 * distribution, each at least 10 time units long, at random places. A time unit is a second, the interval begins at
 * second 0, and a pod takes a whole node.
 *
 * <p>The same model, number of nodes, interval and seed give the same environment. O(nodes and their tasks).
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 3.1. Choices that the paper leaves open reproduce its
 * results:
 * <ul>
 * <li>The job's 150 time units hold on the slowest node, of performance 2, so that a node of performance p takes
 * ceil(300 / p): 30 to 150. Only then are the shortest runtimes about 33 and those of the cheapest windows above 100,
 * as section 3.2 reports. With 150 / p no pod would take more than 75.
 * <li>One unit of performance costs 1.1 units of money per time unit, with a standard deviation of 0.2 of that. Then a
 * pod costs about 330 on any node, and five cost more than the budget of 1500, which is a real limit, as the section
 * says. The cost of minCost is about 1020 (reported: 1027.3), and the least cost of CSA is 1350 (1352).
 * <li>The hyper-geometric distribution draws 4 of 8 balls of which 4 are marked; each marked one adds 10 % of load to
 * 10 %.
 * <li>A local task is at most 100 time units long, all lengths equally likely. The number of slots is then about that
 * of table 2 for every length of the interval.
 * </ul>
 *
 * @param interval time units in which windows may lie
 */
public record PaperEnvironment(Cluster cluster, long interval) {
    /** The scheduling interval of the paper's main experiment, time units. */
    public static final long INTERVAL = 600;

    public static final EnvironmentModel MODEL =
            new EnvironmentModel(2, 10, performance -> performance * 1.1, 0.2, new LocalLoad(10, 50, 10, 100));

    private static final int PODS = 5;
    private static final long WORK = 300;
    private static final double BUDGET = 1500;

    /** Returns an environment of the paper; {@code interval} is at least 100 time units. */
    public static PaperEnvironment of(int nodes, long interval, long seed) {
        return of(MODEL, nodes, interval, seed);
    }

    /** Returns an environment of another model, with parameters as in {@link #of(int, long, long)}. */
    public static PaperEnvironment of(EnvironmentModel model, int nodes, long interval, long seed) {
        RandomGenerator random = SeededRandom.L64X128.seeded(seed);
        List<Node> all = new ArrayList<>();
        List<Occupation> load = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            String name = name(i);
            all.add(model.node(name, random));
            for (Interval taskInterval : model.load().tasks(interval, random)) {
                load.add(new Occupation("local/" + name, name, PaperUnits.NODE, taskInterval));
            }
        }
        return new PaperEnvironment(new Cluster(all, load), interval);
    }

    public static String name(int node) {
        return "n%04d".formatted(node);
    }

    /** Returns the same environment with another node of the same name, under the same local tasks. */
    public PaperEnvironment with(Node other) {
        List<Node> nodes = cluster.inventory().stream()
                .map(node -> node.name().equals(other.name()) ? other : node)
                .toList();
        return new PaperEnvironment(new Cluster(nodes, cluster.occupations()), interval);
    }

    /** Returns the job: five parallel slots of 150 time units on the slowest nodes for at most 1500. */
    public static Gang job(Criterion criterion) {
        return JobModel.job("job", PODS, WORK, BUDGET, criterion);
    }

    public Eligibility eligibility(Gang gang) {
        return new Eligibility(Eligibility.Kind.of(gang), new Timeline(cluster, 0, 0), true);
    }

    public SlotTerms terms(Gang gang) {
        return SlotTerms.of(gang, 0, interval);
    }
}
