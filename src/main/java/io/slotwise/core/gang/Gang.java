package io.slotwise.core.gang;

import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.time.Interval;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pods that must start together.
 *
 * @param id its name
 * @param shapes its pods by what they ask for: one shape if all ask for the same; all shapes have the same runtime
 * @param demand what it asks for as a whole, in seconds since the epoch
 * @param priority a larger number goes first under the queue order {@code priority}, and may displace smaller ones
 * @param arrival when it entered the queue, seconds since the epoch
 * @param placing with the batch or online
 * @param preempts whether it may displace gangs of lower priority at all
 */
public record Gang(
        GangId id,
        List<Shape> shapes,
        Demand demand,
        int priority,
        long arrival,
        PlacementRequest placing,
        boolean preempts) {
    /**
     * Pods of a gang that ask for the same.
     *
     * @param pods their names, sorted; at least one
     * @param request what each of them asks for
     */
    public record Shape(List<String> pods, PodRequest request) {
        public Shape {
            pods = pods.stream().sorted().toList();
        }
    }

    public Gang {
        shapes = List.copyOf(shapes);
        demand = demand.after().isNone()
                ? demand
                : demand.withAfter(demand.after().in(id.namespace()));
        if (shapes.isEmpty() || shapes.stream().anyMatch(shape -> shape.pods().isEmpty())) {
            throw new IllegalArgumentException("The gang (%s) must have a pod of each shape.".formatted(id));
        }
        PodRequest first = shapes.getFirst().request();
        for (Shape shape : shapes) {
            PodRequest request = shape.request();
            if (request.runtime() != first.runtime() || request.nodeIndependent() != first.nodeIndependent()) {
                throw new IllegalArgumentException(
                        "The pods of gang (%s) must have the same runtime, not %d s and %d s."
                                .formatted(id, first.runtime(), request.runtime()));
            }
        }
    }

    /** A gang that displaces others if its priority lets it. */
    public Gang(GangId id, List<Shape> shapes, Demand demand, int priority, long arrival, PlacementRequest placing) {
        this(id, shapes, demand, priority, arrival, placing, true);
    }

    /** A gang whose pods all ask for the same, placed as the policy says. */
    public Gang(GangId id, List<String> pods, PodRequest request, Demand demand, int priority, long arrival) {
        this(id, List.of(new Shape(pods, request)), demand, priority, arrival, PlacementRequest.USUAL);
    }

    /** What it may pay. */
    public Budget budget() {
        return demand.budget();
    }

    /** What it wants to be least. */
    public Criterion criterion() {
        return demand.criterion();
    }

    /** What it is worth to the gang that its end comes earlier. */
    public ValueOfTime valueOfTime() {
        return demand.valueOfTime();
    }

    /** What its window would better be like. */
    public Preferences preferences() {
        return demand.preferences();
    }

    /** The window starts no earlier, seconds since the epoch; {@link Long#MIN_VALUE}: no limit. */
    public long earliestStart() {
        return demand.earliestStart();
    }

    /** The window ends no later, seconds since the epoch; {@link Interval#FOREVER}: no limit. */
    public long deadline() {
        return demand.deadline();
    }

    /** A node label's key: all pods on nodes with one value of it; null: no such limit. */
    public @Nullable String topology() {
        return demand.topology();
    }

    /** The most pods on one node; {@link Integer#MAX_VALUE}: no limit. */
    public int maxPerNode() {
        return demand.maxPerNode();
    }

    /** Whether every pod keeps its node, and is charged for it, until the slowest ends. */
    public boolean lockstep() {
        return demand.lockstep();
    }

    /** Whether nodes are bought for it. */
    public Provision provision() {
        return demand.provision();
    }

    /** Whether it keeps its work when it is stopped. */
    public boolean migratable() {
        return demand.migratable();
    }

    /** The gangs after whose end it starts, each with its namespace. */
    public Predecessors after() {
        return demand.after();
    }

    /** The names of all pods, sorted; one pod of the window for each. */
    public List<String> pods() {
        return shapes.size() == 1
                ? shapes.getFirst().pods()
                : shapes.stream()
                        .flatMap(shape -> shape.pods().stream())
                        .sorted()
                        .toList();
    }

    /** The number of pods, n. */
    public int size() {
        int size = shapes.getFirst().pods().size();
        for (int i = 1; i < shapes.size(); i++) {
            size += shapes.get(i).pods().size();
        }
        return size;
    }

    /** Whether all pods ask for the same. */
    public boolean isUniform() {
        return shapes.size() == 1;
    }

    /** What its pods ask of other pods, each rule once. */
    public List<PodRule> rules() {
        return shapes.stream()
                .flatMap(shape -> shape.request().rules().stream())
                .distinct()
                .toList();
    }

    /** Whether its pods ask anything of other pods. */
    public boolean hasRules() {
        for (Shape shape : shapes) {
            if (!shape.request().rules().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** What each pod asks for. */
    public Map<String, PodRequest> requests() {
        Map<String, PodRequest> requests = new HashMap<>();
        for (Shape shape : shapes) {
            shape.pods().forEach(pod -> requests.put(pod, shape.request()));
        }
        return requests;
    }

    /** What this pod asks for; a pod that is not one of the gang's is taken for one of the first shape. */
    public PodRequest requestOf(String pod) {
        if (isUniform()) {
            return shapes.getFirst().request();
        }
        for (Shape shape : shapes) {
            if (Collections.binarySearch(shape.pods(), pod) >= 0) {
                return shape.request();
            }
        }
        return shapes.getFirst().request();
    }

    /**
     * What every pod asks for.
     *
     * @throws IllegalStateException if they do not all ask for the same
     */
    public PodRequest request() {
        if (!isUniform()) {
            throw new IllegalStateException(
                    "The pods of gang (%s) ask for %d different things.".formatted(id, shapes.size()));
        }
        return shapes.getFirst().request();
    }

    /** Seconds of one pod on the reference node. */
    public long runtime() {
        return shapes.getFirst().request().runtime();
    }

    /** The same gang with another earliest start, seconds since the epoch. */
    public Gang startingFrom(long second) {
        return asking(demand.withEarliestStart(second));
    }

    /** The same gang with another runtime of every pod, seconds. */
    public Gang lasting(long runtime) {
        return reshaped(request -> request.lasting(runtime));
    }

    /** The same gang with another budget. */
    public Gang paying(Budget other) {
        return asking(demand.withBudget(other));
    }

    /** The same gang with another criterion. */
    public Gang wanting(Criterion other) {
        return asking(demand.withCriterion(other));
    }

    /** The same gang with another value of time. */
    public Gang valuing(ValueOfTime other) {
        return asking(demand.withValueOfTime(other));
    }

    /** The same gang with other preferences. */
    public Gang preferring(Preferences other) {
        return asking(demand.withPreferences(other));
    }

    /**
     * What it is worth to the gang that it does not end when it arrives but at this second, 1/3600 millionths: see
     * {@link ValueOfTime#delay}.
     */
    public long delay(long end) {
        return valueOfTime().delay(arrival, end);
    }

    /** The same gang with another deadline, seconds since the epoch; {@link Interval#FOREVER}: none. */
    public Gang endingBy(long second) {
        return asking(demand.withDeadline(second));
    }

    /** The same gang after other gangs. */
    public Gang after(Predecessors others) {
        return asking(demand.withAfter(others));
    }

    /** The same gang on nodes with one value of another label; null: of any values. */
    public Gang within(@Nullable String label) {
        return asking(demand.withTopology(label));
    }

    /** The same gang with another limit of pods per node. */
    public Gang spread(int mostPerNode) {
        return asking(demand.withMaxPerNode(mostPerNode));
    }

    /** The same gang that must not leave these resource domains; null: it may go anywhere. */
    public Gang staying(@Nullable Home domains) {
        return reshaped(request -> request.staying(domains));
    }

    /** The same gang whose pods do not ask for this any more. */
    public Gang without(PodRule rule) {
        return reshaped(request -> request.without(rule));
    }

    /** The same gang whose pods each end by their own node's speed. */
    public Gang loose() {
        return asking(demand.withLockstep(false));
    }

    /**
     * The first {@code size} of its pods by name.
     *
     * @throws IllegalStateException if they do not all ask for the same
     */
    public Gang first(int size) {
        return of(List.of(new Shape(pods().subList(0, size), request())));
    }

    /** The same gang that asks for something else. */
    public Gang asking(Demand other) {
        return new Gang(id, shapes, other, priority, arrival, placing, preempts);
    }

    private Gang of(List<Shape> others) {
        return new Gang(id, others, demand, priority, arrival, placing, preempts);
    }

    private Gang reshaped(UnaryOperator<PodRequest> change) {
        return of(shapes.stream()
                .map(shape -> new Shape(shape.pods(), change.apply(shape.request())))
                .toList());
    }
}
