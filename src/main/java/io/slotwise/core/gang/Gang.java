package io.slotwise.core.gang;

import io.slotwise.core.gang.NodeConstraint.Home;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that must start together.
 *
 * @param id its name
 * @param shapes its pods by what they ask for: one shape if all ask for the same; all shapes have the same runtime
 * @param budget what it may pay
 * @param criterion what it wants to be least
 * @param earliestStart the window starts no earlier, seconds since the epoch; {@link Long#MIN_VALUE}: no limit
 * @param deadline the window ends no later, seconds since the epoch; {@link Interval#FOREVER}: no limit
 * @param topology a node label's key: all pods on nodes with one value of it; null: no such limit
 * @param maxPerNode the most pods on one node; {@link Integer#MAX_VALUE}: no limit
 * @param lockstep every pod keeps its node, and is charged for it, until the slowest ends
 * @param priority a larger number goes first under the queue order {@code priority}, and may displace smaller ones
 * @param arrival when it entered the queue, seconds since the epoch
 * @param placing with the batch or online
 * @param preempts whether it may displace gangs of lower priority at all
 * @param valueOfTime what it is worth to the gang that its end comes an hour earlier, currency units
 */
public record Gang(
        GangId id,
        List<Shape> shapes,
        Budget budget,
        Criterion criterion,
        long earliestStart,
        long deadline,
        @Nullable String topology,
        int maxPerNode,
        boolean lockstep,
        int priority,
        long arrival,
        Placing placing,
        boolean preempts,
        Money valueOfTime) {
    /** The largest value of time, currency units per hour: what it makes of a year and more can be counted. */
    public static final Money MOST_VALUE_OF_TIME = new Money(100_000 * Money.MICROS_PER_UNIT);

    /** What a delay is worth at most: the sum with the cost of any window fits a long. */
    private static final long MOST_DELAY = Long.MAX_VALUE / 2;

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
        if (valueOfTime.micros() < 0 || valueOfTime.compareTo(MOST_VALUE_OF_TIME) > 0) {
            throw new IllegalArgumentException("The value of time (%s) of gang (%s) must be between 0 and %s."
                    .formatted(valueOfTime.brief(), id, MOST_VALUE_OF_TIME.brief()));
        }
        if (maxPerNode <= 0) {
            throw new IllegalArgumentException(
                    "The most pods per node (%d) of gang (%s) must be positive.".formatted(maxPerNode, id));
        }
    }

    /** A gang that displaces others if its priority lets it. */
    public Gang(
            GangId id,
            List<Shape> shapes,
            Budget budget,
            Criterion criterion,
            long earliestStart,
            long deadline,
            @Nullable String topology,
            int maxPerNode,
            boolean lockstep,
            int priority,
            long arrival,
            Placing placing) {
        this(
                id,
                shapes,
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                arrival,
                placing,
                true);
    }

    /** A gang whose time is worth nothing. */
    public Gang(
            GangId id,
            List<Shape> shapes,
            Budget budget,
            Criterion criterion,
            long earliestStart,
            long deadline,
            @Nullable String topology,
            int maxPerNode,
            boolean lockstep,
            int priority,
            long arrival,
            Placing placing,
            boolean preempts) {
        this(
                id,
                shapes,
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                arrival,
                placing,
                preempts,
                Money.ZERO);
    }

    /** A gang whose pods all ask for the same, placed as the policy says. */
    public Gang(
            GangId id,
            List<String> pods,
            PodRequest request,
            Budget budget,
            Criterion criterion,
            long earliestStart,
            long deadline,
            @Nullable String topology,
            int maxPerNode,
            boolean lockstep,
            int priority,
            long arrival) {
        this(
                id,
                List.of(new Shape(pods, request)),
                budget,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                arrival,
                Placing.USUAL);
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
        int size = 0;
        for (Shape shape : shapes) {
            size += shape.pods().size();
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
        return with(copy -> copy.earliestStart = second);
    }

    /** The same gang with another runtime of every pod, seconds. */
    public Gang lasting(long runtime) {
        return with(copy -> copy.shapes = shapes.stream()
                .map(shape -> new Shape(shape.pods(), shape.request().lasting(runtime)))
                .toList());
    }

    /** The same gang with another budget. */
    public Gang paying(Budget other) {
        return with(copy -> copy.budget = other);
    }

    /** The same gang with another criterion. */
    public Gang wanting(Criterion other) {
        return with(copy -> copy.criterion = other);
    }

    /** The same gang with another value of an hour. */
    public Gang valuing(Money hour) {
        return with(copy -> copy.valueOfTime = hour);
    }

    /**
     * What it is worth to the gang that it does not end when it arrives but at this second, 1/3600 millionths: the value of time times the seconds between,
     * exactly, up to half of what a long holds. Less than nothing for an end before the arrival, as one
     * clock may see it.
     */
    public long delay(long end) {
        long seconds = end - arrival;
        long value = valueOfTime.micros();
        if (value > 0 && Math.abs(seconds) > MOST_DELAY / value) {
            return seconds > 0 ? MOST_DELAY : -MOST_DELAY;
        }
        return value * seconds;
    }

    /** The same gang with another deadline, seconds since the epoch; {@link Interval#FOREVER}: none. */
    public Gang endingBy(long second) {
        return with(copy -> copy.deadline = second);
    }

    /** The same gang on nodes with one value of another label; null: of any values. */
    public Gang within(@Nullable String label) {
        return with(copy -> copy.topology = label);
    }

    /** The same gang with another limit of pods per node. */
    public Gang spread(int mostPerNode) {
        return with(copy -> copy.maxPerNode = mostPerNode);
    }

    /** The same gang that must not leave these resource domains; null: it may go anywhere. */
    public Gang staying(@Nullable Home domains) {
        return with(copy -> copy.shapes = shapes.stream()
                .map(shape -> new Shape(shape.pods(), shape.request().staying(domains)))
                .toList());
    }

    /** The same gang whose pods do not ask for this any more. */
    public Gang without(PodRule rule) {
        return with(copy -> copy.shapes = shapes.stream()
                .map(shape -> new Shape(shape.pods(), shape.request().without(rule)))
                .toList());
    }

    /** The same gang whose pods each end by their own node's speed. */
    public Gang loose() {
        return with(copy -> copy.lockstep = false);
    }

    /**
     * The first {@code size} of its pods by name.
     *
     * @throws IllegalStateException if they do not all ask for the same
     */
    public Gang first(int size) {
        return with(copy -> copy.shapes = List.of(new Shape(pods().subList(0, size), request())));
    }

    private Gang with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return new Gang(
                id,
                copy.shapes,
                copy.budget,
                copy.criterion,
                copy.earliestStart,
                copy.deadline,
                copy.topology,
                copy.maxPerNode,
                copy.lockstep,
                priority,
                arrival,
                placing,
                preempts,
                copy.valueOfTime);
    }

    /** What of a gang may be asked for in another way. */
    private static final class Copy {
        private List<Shape> shapes;
        private Budget budget;
        private Criterion criterion;
        private long earliestStart;
        private long deadline;
        private @Nullable String topology;
        private int maxPerNode;
        private boolean lockstep;
        private Money valueOfTime;

        Copy(Gang gang) {
            this.shapes = gang.shapes;
            this.budget = gang.budget;
            this.criterion = gang.criterion;
            this.earliestStart = gang.earliestStart;
            this.deadline = gang.deadline;
            this.topology = gang.topology;
            this.maxPerNode = gang.maxPerNode;
            this.lockstep = gang.lockstep;
            this.valueOfTime = gang.valueOfTime;
        }
    }
}
