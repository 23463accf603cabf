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
 * Gangs of namespace {@code user} whose pods NAME-0, NAME-1, ... all ask for the same processors. One that is given
 * nothing more wants the earliest start, by no deadline and for any money, and arrived at second 0.
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
     * A gang.
     *
     * @param pods how many
     * @param milliCores of each pod
     * @param runtime seconds on the reference node
     */
    public static GangBuilder gang(String name, int pods, long milliCores, long runtime) {
        return new GangBuilder(name, pods, milliCores, runtime);
    }

    /** In a namespace; else {@code user}. */
    public GangBuilder namespace(String whose) {
        namespace = whose;
        return this;
    }

    /** It takes its runtime on every node. */
    public GangBuilder nodeIndependent() {
        return nodeIndependent(true);
    }

    /** Whether it takes its runtime on every node. */
    public GangBuilder nodeIndependent(boolean does) {
        nodeIndependent = does;
        return this;
    }

    /** With a budget. */
    public GangBuilder budget(Budget most) {
        budget = most;
        return this;
    }

    /** With another criterion. */
    public GangBuilder criterion(Criterion least) {
        criterion = least;
        return this;
    }

    /** It starts no earlier. */
    public GangBuilder earliestStart(long second) {
        earliestStart = second;
        return this;
    }

    /** It ends no later. */
    public GangBuilder deadline(long second) {
        deadline = second;
        return this;
    }

    /** With so many pods at most on a node. */
    public GangBuilder maxPerNode(int most) {
        maxPerNode = most;
        return this;
    }

    /** Whether its pods keep their nodes until the slowest ends. */
    public GangBuilder lockstep(boolean does) {
        lockstep = does;
        return this;
    }

    /** With a priority. */
    public GangBuilder priority(int higherGoesFirst) {
        priority = higherGoesFirst;
        return this;
    }

    /** It displaces nobody, whatever its priority. */
    public GangBuilder displacingNobody() {
        preempts = false;
        return this;
    }

    /** With the second after which a later end costs it nothing more. */
    public GangBuilder valueUntil(long second) {
        valueUntil = second;
        return this;
    }

    /** With what an hour is worth to it. */
    public GangBuilder valueOfTime(Money hour) {
        valueOfTime = hour;
        return this;
    }

    /** With a mode of its own, or input to move. */
    public GangBuilder placing(PlacementRequest how) {
        placing = how;
        return this;
    }

    /** It arrived in this second. */
    public GangBuilder arrival(long second) {
        arrival = second;
        return this;
    }

    /** The gang. */
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
