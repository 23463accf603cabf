package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds a plan and its snapshot by hand, for tests of code that shows or carries out plans. Times are seconds after
 * {@link #NOW}.
 */
public final class PlanBuilder {
    /** 2030-01-01T00:00:00Z. */
    public static final long NOW = 1_893_456_000L;

    private final List<Node> nodes = new ArrayList<>();
    private final List<Occupation> load = new ArrayList<>();
    private final List<Planned> windows = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();

    /** Returns a node of one core for nine pods, at a price per hour in millionths. */
    public static Node oneCore(String name, long micros) {
        return cores(name, 1, micros);
    }

    public static Node cores(String name, int cores, long micros) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                cpu(1000L * cores).with(Resources.PODS, 9),
                Performance.REFERENCE,
                "o",
                StepFunction.constant(micros),
                List.of());
    }

    /** Adds a node of this many milli-cores whose income goes to {@code owner}. */
    public PlanBuilder node(String name, long milliCores, String owner) {
        return node(name, milliCores, owner, List.of());
    }

    /** Adds a node with intervals that its owner keeps for itself. */
    public PlanBuilder node(String name, long milliCores, String owner, List<Interval> unavailable) {
        nodes.add(new Node(
                name,
                Map.of(),
                List.of(),
                true,
                cpu(milliCores).with(Resources.PODS, 110),
                Performance.REFERENCE,
                owner,
                StepFunction.constant(0),
                unavailable));
        return this;
    }

    /** Adds load on a node from the beginning of time until {@code end}. */
    public PlanBuilder running(String node, long milliCores, long end) {
        load.add(new Occupation(
                "other/running",
                node,
                cpu(milliCores),
                new Interval(NOW - 3600, Math.min(NOW + end, Interval.FOREVER))));
        return this;
    }

    /** Returns an interval of seconds after {@link #NOW}. */
    public static Interval interval(long start, long end) {
        return new Interval(NOW + start, NOW + end);
    }

    /** A pod of a window: its node, its runtime in seconds and its cost in 1/3600 millionths. */
    public record PlacedPod(String node, long seconds, long exactCost) {}

    /** Adds a planned gang {@code user/NAME} with pods {@code NAME-0}, {@code NAME-1}, ... of 1000 milli-cores. */
    public PlanBuilder window(String name, long start, @Nullable String budget, PlacedPod... pods) {
        List<Placement> placements = new ArrayList<>();
        for (PlacedPod pod : pods) {
            placements.add(new Placement(
                    name + "-" + placements.size(),
                    pod.node(),
                    NOW + start,
                    NOW + start + pod.seconds(),
                    new Cost(pod.exactCost())));
        }
        Gang gang = GangBuilder.gang(name, pods.length, 1000, 600)
                .budget(new Budget(budget == null ? null : Money.parse(budget), null))
                .criterion(Criterion.COST)
                .arrival(NOW)
                .build();
        windows.add(new Planned(gang, Window.of(gang.id(), NOW + start, placements), WindowOrigin.CYCLIC, false));
        return this;
    }

    public PlanBuilder pending(String name, Refusal refusal) {
        pending.add(new Pending(new GangId("user", name), refusal));
        return this;
    }

    public Plan plan() {
        return Usual.plan(NOW, NOW + Policy.EXACT.horizon(), windows, pending, List.of(), List.of());
    }

    /** The plan's snapshot, with the parts that reports read. */
    public Snapshot snapshot() {
        return new Snapshot(NOW, new Cluster(nodes, load), List.of(), List.of());
    }

    private static Resources cpu(long milliCores) {
        return Resources.of(Map.of(Resources.CPU, milliCores, Resources.PODS, 1L));
    }
}
