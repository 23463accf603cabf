package io.slotwise.testing;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Builds gangs of namespace {@code user} whose pods NAME-0, NAME-1, ... all request the same CPU. By default a gang
 * minimizes its start, has no deadline and no limit of its budget, and arrived at second 0.
 */
public final class GangBuilder {
    private final String name;
    private final int pods;
    private final long milliCores;
    private final long runtime;
    private String namespace = "user";
    private boolean nodeIndependent;
    private Budget budget = Budget.UNLIMITED;
    private Criterion criterion = Criterion.START;
    private long earliestStart = Long.MIN_VALUE;
    private long deadline = Interval.FOREVER;
    private int maxPerNode = Integer.MAX_VALUE;
    private boolean lockstep;
    private int priority;
    private long arrival;
    private boolean preempts = true;
    private PlacementRequest placing = PlacementRequest.USUAL;
    private Money valueOfTime = Money.ZERO;
    private long valueUntil = Interval.FOREVER;

    private GangBuilder(String name, int pods, long milliCores, long runtime) {
        this.name = name;
        this.pods = pods;
        this.milliCores = milliCores;
        this.runtime = runtime;
    }

    /**
     * Begins a gang.
     *
     * @param milliCores of each pod
     * @param runtime seconds on the reference node
     */
    public static GangBuilder gang(String name, int pods, long milliCores, long runtime) {
        return new GangBuilder(name, pods, milliCores, runtime);
    }

    public GangBuilder namespace(String whose) {
        namespace = whose;
        return this;
    }

    /** The gang has the same runtime on every node. */
    public GangBuilder nodeIndependent() {
        return nodeIndependent(true);
    }

    /** Sets whether the gang has the same runtime on every node. */
    public GangBuilder nodeIndependent(boolean does) {
        nodeIndependent = does;
        return this;
    }

    public GangBuilder budget(Budget most) {
        budget = most;
        return this;
    }

    public GangBuilder criterion(Criterion least) {
        criterion = least;
        return this;
    }

    public GangBuilder earliestStart(long second) {
        earliestStart = second;
        return this;
    }

    public GangBuilder deadline(long second) {
        deadline = second;
        return this;
    }

    /** Sets the largest number of pods on one node. */
    public GangBuilder maxPerNode(int most) {
        maxPerNode = most;
        return this;
    }

    /** Sets whether the pods keep their nodes until the slowest one ends. */
    public GangBuilder lockstep(boolean does) {
        lockstep = does;
        return this;
    }

    public GangBuilder priority(int higherGoesFirst) {
        priority = higherGoesFirst;
        return this;
    }

    /** The gang never displaces others, regardless of its priority. */
    public GangBuilder displacingNobody() {
        preempts = false;
        return this;
    }

    /** Sets the second after which a later end costs the gang nothing more. */
    public GangBuilder valueUntil(long second) {
        valueUntil = second;
        return this;
    }

    public GangBuilder valueOfTime(Money hour) {
        valueOfTime = hour;
        return this;
    }

    /** Sets the gang's own mode, or the input data that it must move. */
    public GangBuilder placing(PlacementRequest how) {
        placing = how;
        return this;
    }

    public GangBuilder arrival(long second) {
        arrival = second;
        return this;
    }

    public Gang build() {
        return new Gang(
                new GangId(namespace, name),
                List.of(new Gang.Shape(
                        IntStream.range(0, pods).mapToObj(i -> name + "-" + i).toList(),
                        new PodRequest(
                                Resources.of(Map.of(Resources.CPU, milliCores, Resources.PODS, 1L)),
                                NodeConstraint.NONE,
                                runtime,
                                nodeIndependent))),
                Demand.NONE
                        .withBudget(budget)
                        .withCriterion(criterion)
                        .withValueOfTime(new ValueOfTime(valueOfTime, valueUntil))
                        .withEarliestStart(earliestStart)
                        .withDeadline(deadline)
                        .withMaxPerNode(maxPerNode)
                        .withLockstep(lockstep),
                priority,
                arrival,
                placing,
                preempts);
    }
}
