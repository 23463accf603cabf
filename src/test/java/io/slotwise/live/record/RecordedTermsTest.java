package io.slotwise.live.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.NodeConstraint.Toleration;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedTermsTest {
    private static final Gang GANG = new Gang(
            new GangId("user", "g"),
            List.of(new Gang.Shape(
                    List.of("g-0", "g-1"),
                    new PodRequest(
                            Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L, "memory", 1L << 30)),
                            new NodeConstraint(
                                    Map.of("pool", "a", "disk", "ssd"),
                                    List.of(new Term(
                                            List.of(new Requirement("zone", Operator.IN, List.of("z1", "z2"))),
                                            List.of())),
                                    List.of(
                                            new Toleration("gpu", false, "yes", Taint.Effect.NO_SCHEDULE),
                                            new Toleration(null, true, "", null)),
                                    Set.of()),
                            600,
                            false))),
            Demand.NONE
                    .withBudget(new Budget(null, Money.parse("0.5")))
                    .withCriterion(Criterion.COST)
                    .withEarliestStart(0)
                    .withTopology(Topology.within(TopologyLevel.of("zone")))
                    .withMaxPerNode(4)
                    .withLockstep(true),
            0,
            0,
            PlacementRequest.USUAL,
            true);

    /**
     * If this test fails, give the form another number: replicas of two versions must not take each other's form for an
     * edit.
     */
    @Test
    void aFormOfTheFingerprintNeverChangesItsMeaning() {
        assertThat(RecordedTerms.of(GANG).request()).isEqualTo("4:6634179bc755db23");
    }

    @Test
    void anotherValueOfTimeIsAnotherRequestOnlyWhereTheWindowFollowsFromIt() {
        Gang valued = GANG.wanting(Criterion.VALUE).valuing(ValueOfTime.always(Money.parse("2")));

        assertThat(RecordedTerms.of(valued).differFrom(RecordedTerms.of(valued)))
                .isFalse();
        assertThat(RecordedTerms.of(valued.valuing(ValueOfTime.always(Money.parse("3"))))
                        .differFrom(RecordedTerms.of(valued)))
                .isTrue();
        assertThat(RecordedTerms.of(GANG.valuing(ValueOfTime.always(Money.parse("3"))))
                        .differFrom(RecordedTerms.of(GANG)))
                .isFalse();
    }

    @Test
    void additionsOfKubeSchedulerToAPodAreNoEdit() {
        PodRequest request = GANG.shapes().getFirst().request();
        PodRequest first = new PodRequest(
                request.resources().plus(Resources.of(Map.of("devices of class gpu", 1L))),
                request.constraint(),
                request.runtime(),
                request.nodeIndependent());
        Gang before = new Gang(
                GANG.id(),
                List.of(new Gang.Shape(List.of("g-0"), first), new Gang.Shape(List.of("g-1"), request)),
                GANG.demand(),
                GANG.priority(),
                GANG.arrival(),
                GANG.placementRequest(),
                GANG.preempts());

        assertThat(before.shapes()).hasSize(2);
        assertThat(RecordedTerms.of(GANG).differFrom(RecordedTerms.of(before))).isFalse();
        assertThat(RecordedTerms.of(before).differFrom(RecordedTerms.of(GANG))).isFalse();
    }

    @Test
    void onlyFingerprintsOfOneFormAreCompared() {
        RecordedTerms terms = RecordedTerms.of(GANG);

        assertThat(terms.differFrom(terms)).isFalse();
        assertThat(terms.differFrom(with(terms, "4:0000000000000000"))).isTrue();
        assertThat(terms.differFrom(with(terms, "0000000000000000"))).isFalse();
        assertThat(terms.differFrom(with(terms, "5:0000000000000000"))).isFalse();
        assertThat(terms.differFrom(terms.ofPods("0000000000000000"))).isFalse();
        assertThat(terms.differFrom(with(terms, ""))).isFalse();
    }

    private static RecordedTerms with(RecordedTerms terms, String request) {
        return new RecordedTerms(
                terms.criterion(), terms.runtime(), terms.budget(), request, terms.priority(), terms.lockstep());
    }

    /** The largest value and the earliest time that a record's schema accepts. */
    @Test
    void theValueOfADelayIsExactForAnyRecord() {
        RecordedTerms.Worth worth = new RecordedTerms.Worth(
                Money.parse("999999.999999"),
                Instant.parse("0001-01-01T00:00:00Z").getEpochSecond(),
                Interval.FOREVER);
        long end = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

        assertThat(worth.delay(end).exact())
                .isEqualTo(BigInteger.valueOf(999_999_999_999L).multiply(BigInteger.valueOf(end - worth.since())));
        assertThat(worth.delay(worth.since() - 1)).isEqualTo(Cost.ZERO);
    }
}
