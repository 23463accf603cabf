package io.slotwise.lab.workload.paper;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.random.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The distributed environment in which the papers compare their window searches, and the one job that they search for.
 *
 * <p>A node's performance is a whole number in [2; 10], all equally likely. Its price per time unit is proportional to
 * the performance, with a normal deviation. Local tasks fill 10 % to 50 % of its interval, by a hyper-geometric
 * distribution, each at least 10 time units long, at random places. A time unit is a second; the interval begins at
 * second 0; a pod takes a whole node.
 *
 * <p>The same model, number of nodes, interval and seed give the same environment. O(nodes and their tasks).
 *
 * <p>Source: V. Toporkov, A. Toporkova, A. Tselishchev, D. Yemelyanov, "Slot Selection and Co-allocation Algorithms for
 * Economic Scheduling in Distributed Computing" (2013), section 3.1. What it leaves open is chosen so that its own
 * results come out:
 *
 * <ul>
 *   <li>The job's 150 time units hold on the slowest node, of performance 2, so that a node of performance p takes
 *       ceil(300 / p): 30 to 150. Only so are the shortest runtimes about 33 and those of the cheapest windows above
 *       100, as section 3.2 reports; with 150 / p no pod would take more than 75.
 *   <li>One unit of performance costs 1.1 units of money per time unit, with a standard deviation of 0.2 of that. Then
 *       a pod costs about 330 on any node and five more than the budget of 1500, which so bites, as the section says;
 *       minCost's cost is about 1020 (reported: 1027.3) and CSA's least cost 1350 (1352).
 *   <li>The hyper-geometric distribution draws 4 of 8 balls of which 4 are marked; each marked one adds 10 % of load to
 *       10 %.
 *   <li>A local task is at most 100 time units long, all lengths equally likely: the number of slots is then about that
 *       of table 2 for every length of the interval.
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

    /** One of the paper's; {@code interval}: time units, at least 100. */
    public static PaperEnvironment of(int nodes, long interval, long seed) {
        return of(MODEL, nodes, interval, seed);
    }

    /** One of another model; parameters as those of {@link #of(int, long, long)}. */
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

    /** The same with this node in the place of the one of its name, under the same local tasks. */
    public PaperEnvironment with(Node other) {
        List<Node> nodes = cluster.inventory().stream()
                .map(node -> node.name().equals(other.name()) ? other : node)
                .toList();
        return new PaperEnvironment(new Cluster(nodes, cluster.occupations()), interval);
    }

    /** The job: five parallel slots of 150 time units on the slowest nodes for at most 1500. */
    public static Gang job(Criterion criterion) {
        return JobModel.job("job", PODS, WORK, BUDGET, criterion);
    }

    public Eligibility eligibility(Gang gang) {
        return new Eligibility(Eligibility.Kind.of(gang), new Timeline(cluster, 0, 0), true);
    }

    public List<Offer> offers(Gang gang) {
        return eligibility(gang).offers();
    }

    public SlotTerms terms(Gang gang) {
        return SlotTerms.of(gang, 0, interval);
    }
}
