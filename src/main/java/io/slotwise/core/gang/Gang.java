package io.slotwise.core.gang;

import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pods that must start together.
 *
 * @param shapes the pods by request, one shape if all are alike; all shapes have the same runtime
 * @param demand the request as a whole, in seconds since the epoch
 * @param priority a larger number goes first under the queue order {@code priority}, and may displace smaller ones
 * @param arrival the time at which the gang entered the queue, seconds since the epoch
 * @param placementRequest with the batch or online
 * @param preempts whether the gang may displace gangs of lower priority at all
 */
public record Gang(
        GangId id,
        List<Shape> shapes,
        Demand demand,
        int priority,
        long arrival,
        PlacementRequest placementRequest,
        boolean preempts) {
    /** Pods of a gang with the same request: their sorted names, at least one, and the request of each. */
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

    /** A gang that displaces others if its priority allows. */
    public Gang(GangId id, List<Shape> shapes, Demand demand, int priority, long arrival, PlacementRequest request) {
        this(id, shapes, demand, priority, arrival, request, true);
    }

    /** A gang whose pods are all alike, placed as the policy says. */
    public Gang(GangId id, List<String> pods, PodRequest request, Demand demand, int priority, long arrival) {
        this(id, List.of(new Shape(pods, request)), demand, priority, arrival, PlacementRequest.USUAL);
    }

    public Budget budget() {
        return demand.budget();
    }

    public Criterion criterion() {
        return demand.criterion();
    }

    public ValueOfTime valueOfTime() {
        return demand.valueOfTime();
    }

    public Preferences preferences() {
        return demand.preferences();
    }

    public long earliestStart() {
        return demand.earliestStart();
    }

    public long deadline() {
        return demand.deadline();
    }

    public Topology topology() {
        return demand.topology();
    }

    public int maxPerNode() {
        return demand.maxPerNode();
    }

    public boolean lockstep() {
        return demand.lockstep();
    }

    public Provision provision() {
        return demand.provision();
    }

    public @Nullable String queue() {
        return demand.queue();
    }

    /** Returns the use of its queue in an interval, or nothing if no queue bounds it. */
    public Stream<QueueUse> use(Interval interval) {
        String queue = queue();
        return queue == null ? Stream.empty() : Stream.of(new QueueUse(id.toString(), queue, total(), interval));
    }

    public boolean preemptible() {
        return demand.preemptible();
    }

    /** Returns the sum of all pods' requests; {@link Long#MAX_VALUE} where it overflows. */
    public Resources total() {
        Resources total = Resources.NONE;
        for (Shape shape : shapes) {
            total = total.plus(shape.request().resources(), shape.pods().size());
        }
        return total;
    }

    public Predecessors after() {
        return demand.after();
    }

    /** Returns the names of all pods, sorted; one pod of the window for each. */
    public List<String> pods() {
        return shapes.size() == 1
                ? shapes.getFirst().pods()
                : shapes.stream()
                        .flatMap(shape -> shape.pods().stream())
                        .sorted()
                        .toList();
    }

    public int size() {
        int size = shapes.getFirst().pods().size();
        for (int i = 1; i < shapes.size(); i++) {
            size += shapes.get(i).pods().size();
        }
        return size;
    }

    public boolean isUniform() {
        return shapes.size() == 1;
    }

    /** Returns whether any free places serve the gang: all pods are alike, and none has a rule about the others. */
    public boolean takesAnyPlaces() {
        return isUniform() && !isSliced() && !hasRules();
    }

    /** Returns whether parts of the gang run in one domain each. */
    public boolean isSliced() {
        return !topology().slices().isEmpty();
    }

    /** Returns the pods' rules about other pods, each once. */
    public List<PodRule> rules() {
        return shapes.stream()
                .flatMap(shape -> shape.request().rules().stream())
                .distinct()
                .toList();
    }

    public boolean hasRules() {
        for (Shape shape : shapes) {
            if (!shape.request().rules().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    public Map<String, PodRequest> requests() {
        Map<String, PodRequest> requests = new HashMap<>();
        for (Shape shape : shapes) {
            shape.pods().forEach(pod -> requests.put(pod, shape.request()));
        }
        return requests;
    }

    /** Returns the request of a pod. A pod that is not in the gang has the request of the first shape. */
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

    /** Returns the request of every pod. Throws if they are not all alike. */
    public PodRequest request() {
        if (!isUniform()) {
            throw new IllegalStateException(
                    "The pods of gang (%s) ask for %d different things.".formatted(id, shapes.size()));
        }
        return shapes.getFirst().request();
    }

    /** Returns the seconds of one pod on the reference node. */
    public long runtime() {
        return shapes.getFirst().request().runtime();
    }

    public Gang startingFrom(long second) {
        return asking(demand.withEarliestStart(second));
    }

    public Gang lasting(long runtime) {
        return reshaped(request -> request.lasting(runtime));
    }

    public Gang paying(Budget other) {
        return asking(demand.withBudget(other));
    }

    public Gang wanting(Criterion other) {
        return asking(demand.withCriterion(other));
    }

    public Gang valuing(ValueOfTime other) {
        return asking(demand.withValueOfTime(other));
    }

    public Gang preferring(Preferences other) {
        return asking(demand.withPreferences(other));
    }

    /** Returns the value of the time from the arrival to this end, 1/3600 millionths: {@link ValueOfTime#delay}. */
    public long delay(long end) {
        return valueOfTime().delay(arrival, end);
    }

    /** Returns a copy with another deadline, seconds since the epoch, or {@link Interval#FOREVER} for none. */
    public Gang endingBy(long second) {
        return asking(demand.withDeadline(second));
    }

    public Gang after(Predecessors predecessors) {
        return asking(demand.withAfter(predecessors));
    }

    public Gang within(Topology topology) {
        return asking(demand.withTopology(topology));
    }

    public Gang spread(int mostPerNode) {
        return asking(demand.withMaxPerNode(mostPerNode));
    }

    /** Returns a copy that must not leave these resource domains. With null it may go anywhere. */
    public Gang staying(@Nullable Home home) {
        return reshaped(request -> request.staying(home));
    }

    public Gang without(PodRule rule) {
        return reshaped(request -> request.without(rule));
    }

    public Gang loose() {
        return asking(demand.withLockstep(false));
    }

    /** Returns a copy with the first {@code size} pods by name. Throws if the pods are not all alike. */
    public Gang first(int size) {
        return of(List.of(new Shape(pods().subList(0, size), request())));
    }

    public Gang asking(Demand other) {
        return new Gang(id, shapes, other, priority, arrival, placementRequest, preempts);
    }

    private Gang of(List<Shape> others) {
        return new Gang(id, others, demand, priority, arrival, placementRequest, preempts);
    }

    private Gang reshaped(UnaryOperator<PodRequest> change) {
        return of(shapes.stream()
                .map(shape -> new Shape(shape.pods(), change.apply(shape.request())))
                .toList());
    }
}
