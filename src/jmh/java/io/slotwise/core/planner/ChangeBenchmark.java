package io.slotwise.core.planner;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.SharedEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
    /** The queues below a queue: 1,000 queues have five levels. */
    private static final int CHILDREN = 6;

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

    /** The number of queues, in five levels below the root. With 0 there are none. */
    @Param("0")
    int queues;

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
        List<Request> requests =
                SharedEnvironment.batch(gangs, 1).stream().map(this::request).toList();
        planner = new Planner(Policy.EXACT.withImproveLimit(improveLimit), CommonPoolWorkers.ALL);
        beginning = after(0, environment.cluster(), requests);
        snapshot = beginning;
        for (int i = 0; i < SETTLING && change != Change.FIRST; i++) {
            rest();
        }
    }

    /** A gang of a queue that none is below. */
    private Request request(Gang gang) {
        return new Request(
                queues == 0
                        ? gang
                        : gang.asking(gang.demand()
                                .withQueue(queue(
                                        queues - 1 - Math.floorMod(gang.id().hashCode(), leaves())))),
                null);
    }

    /** The queues that none is below. */
    private int leaves() {
        return queues - (queues + CHILDREN - 2) / CHILDREN;
    }

    private static String queue(int number) {
        return "q%05d".formatted(number);
    }

    /** Each queue but the first is below one of an earlier number, and is guaranteed an equal part of the cluster. */
    private @Nullable QueueState queues(Cluster cluster) {
        if (queues == 0) {
            return null;
        }
        Resources capacity = Inventory.of(cluster.inventory()).total();
        Map<String, Amount> part = Map.of(Resources.CPU, Amount.of(capacity.get(Resources.CPU) / leaves()));
        List<Queue> all = IntStream.range(0, queues)
                .mapToObj(i -> new Queue(
                        queue(i),
                        i == 0 ? null : queue((i - 1) / CHILDREN),
                        1 + i % 3,
                        i < queues - leaves() ? Map.of() : part,
                        Map.of(Resources.CPU, Amount.of(capacity.get(Resources.CPU) / 2)),
                        Map.of(),
                        false))
                .toList();
        return new QueueState(QueueTree.of(all, capacity), List.of());
    }

    private Snapshot after(long now, Cluster cluster, List<Request> requests) {
        return new Snapshot(now, cluster, requests, List.of()).withQueues(queues(cluster));
    }

    /** Plans a second later without a change. Returns whether windows move. */
    private boolean rest() {
        snapshot = after(snapshot.now() + 1, snapshot.cluster(), snapshot.requests());
        Plan planned = planner.plan(snapshot);
        List<Request> before = snapshot.requests();
        snapshot = after(
                snapshot.now(), snapshot.cluster(), snapshot.published(planned).requests());
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
                requests.add(request(SharedEnvironment.batch(gangs + turn, 1).getLast()));
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
        snapshot = after(snapshot.now() + 1, cluster, requests);
    }

    @Benchmark
    public Plan plan() {
        Plan planned = planner.plan(snapshot);
        snapshot = after(
                snapshot.now(), snapshot.cluster(), snapshot.published(planned).requests());
        return planned;
    }
}
