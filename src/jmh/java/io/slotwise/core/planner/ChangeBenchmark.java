package io.slotwise.core.planner;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.SharedEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of the first plan in a full cluster, and of the plan after one change, by the number of waiting gangs.
 * Changes follow one another, and windows still move for the earlier ones unless {@code settled}. Some plans warm the
 * JVM up, as in a service that runs for days.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 4)
@Fork(1)
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
public class ChangeBenchmark {
    private static final int SETTLING = 3;
    /** The largest number of plans until no window moves. */
    private static final int MOST = 50;

    @Param({"1000", "10000"})
    int gangs;

    @Param({"FIRST", "NOTHING", "END", "ARRIVAL", "LOSS", "EDIT"})
    Change change;

    /** The number of promised gangs that look for better windows. With 0 only new gangs are planned. */
    @Param({"2000", "0"})
    int improveLimit;

    /** True if no window moves before each change. */
    @Param({"false", "true"})
    boolean settled;

    private Planner planner;
    private Snapshot snapshot;
    private Snapshot beginning;
    private int turn;

    /** The change before a plan. */
    public enum Change {
        /** No gang has a promise. */
        FIRST,
        NOTHING,
        END,
        ARRIVAL,
        LOSS,
        EDIT
    }

    /** Makes as many nodes as gangs, and some plans, after which promises have settled. */
    @Setup
    public void settle() {
        SharedEnvironment environment = SharedEnvironment.busy(gangs, 1);
        List<Request> requests = SharedEnvironment.batch(gangs, 1).stream()
                .map(gang -> new Request(gang, null))
                .toList();
        planner = new Planner(Policy.EXACT.withImproveLimit(improveLimit), CommonPoolWorkers.ALL);
        beginning = new Snapshot(0, environment.cluster(), requests, List.of());
        snapshot = beginning;
        for (int i = 0; i < SETTLING && change != Change.FIRST; i++) {
            rest();
        }
    }

    /** Plans a second later without a change. Returns whether windows move. */
    private boolean rest() {
        snapshot = new Snapshot(snapshot.now() + 1, snapshot.cluster(), snapshot.requests(), List.of());
        Plan planned = planner.plan(snapshot);
        List<Request> before = snapshot.requests();
        snapshot = new Snapshot(
                snapshot.now(), snapshot.cluster(), snapshot.published(planned).requests(), List.of());
        return !snapshot.requests().equals(before);
    }

    /** Makes another change of its kind for each plan. */
    @Setup(Level.Invocation)
    public void change() {
        boolean moves = settled && change != Change.FIRST;
        for (int i = 0; moves && i < MOST; i++) {
            moves = rest();
        }
        turn++;
        Cluster cluster = snapshot.cluster();
        List<Request> requests = new ArrayList<>(snapshot.requests());
        switch (change) {
            case FIRST -> {
                snapshot = beginning;
                return;
            }
            case NOTHING -> {}
            case END -> {
                List<Occupation> left = new ArrayList<>(cluster.occupations());
                left.remove(turn * 7919 % left.size());
                cluster = new Cluster(cluster.inventory(), left);
            }
            case ARRIVAL ->
                requests.add(
                        new Request(SharedEnvironment.batch(gangs + turn, 1).getLast(), null));
            case LOSS -> {
                List<Node> nodes = new ArrayList<>(cluster.inventory());
                String lost = nodes.remove(turn * 7919 % nodes.size()).name();
                cluster = new Cluster(
                        nodes,
                        cluster.occupations().stream()
                                .filter(held -> !held.node().equals(lost))
                                .toList());
            }
            case EDIT -> {
                int edited = turn * 7919 % requests.size();
                Request request = requests.get(edited);
                requests.set(
                        edited,
                        request.withGang(request.gang().lasting(request.gang().runtime() + 60)));
            }
        }
        snapshot = new Snapshot(snapshot.now() + 1, cluster, requests, List.of());
    }

    @Benchmark
    public Plan plan() {
        Plan planned = planner.plan(snapshot);
        snapshot = new Snapshot(
                snapshot.now(), snapshot.cluster(), snapshot.published(planned).requests(), List.of());
        return planned;
    }
}
