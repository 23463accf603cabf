package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.RecordedTerms;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Promises of gangs whose requests are edited, and of windows that move. */
class EditedGangsTest extends OneReplica {
    @Test
    void aBudgetEditedBelowTheCostBreaksThePromise() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("2"));
        loop.cycle();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 3600, FakeHost.budget("1.9"), Criterion.START));

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.told).contains("g WindowBroken: edited: the window costs 2, the budget is now 1.900000");
    }

    @Test
    void aReleasedGangIsToldThatItsWindowWasDeleted() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.records.put(gang, host.known(gang).withPhase(Phase.STARTING).with((Promise) null));
        host.told.clear();

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.told).contains("g WindowBroken: edited: its window was deleted from its record");
    }

    @Test
    void aReleasedGangThatIsEditedIsReadBeforeItIsPlannedAgain() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        starter.look(host.instant());
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 100, Budget.UNLIMITED, Criterion.COST));
        int before = host.taken.size();

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.taken)
                .as("what claims allow is not read of a gang on its way")
                .hasSize(before + 2);
    }

    @Test
    void aRaisedBudgetKeepsThePromise() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("2"));
        loop.cycle();
        long start = host.window(gang).start();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 3600, FakeHost.budget("5"), Criterion.START));

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.window(gang).start()).isEqualTo(start);
        assertThat(host.known(gang).terms().budget()).hasToString("5.000000");
    }

    @Test
    void anotherCriterionBreaksThePromise() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("g-0", "g-1"), 100, Budget.UNLIMITED, Criterion.COST));

        loop.cycle();

        assertThat(host.broken).containsExactly(Cause.EDITED);
        assertThat(host.known(gang).terms().criterion()).isEqualTo("cost");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
    }

    @Test
    void aPromiseWithARequestInAnotherVersionsFormHolds() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        GangRecord written = host.known(gang);
        RecordedTerms terms = written.terms();
        host.records.put(
                gang,
                written.withVersion("edited")
                        .withTerms(new RecordedTerms(
                                terms.criterion(),
                                terms.runtime(),
                                terms.budget(),
                                "8c51c2d4e0b9f7a6",
                                terms.priority(),
                                terms.lockstep())));

        loop.cycle();

        assertThat(host.broken).isEmpty();
        assertThat(host.known(gang).promise()).isEqualTo(written.promise());
        assertThat(host.known(gang).terms()).isEqualTo(terms);
    }

    @Test
    void remainsOfABrokenWindowCountForNothing() {
        GangId gang = host.arrivesLater("g", 2, 100);
        loop.cycle();
        long start = host.window(gang).start();
        host.records.put(gang, host.known(gang).withPhase(Phase.BROKEN));
        host.passTo(start);

        starter.look(host.instant());
        assertThat(host.released).isEmpty();

        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(gang).plannedAspect().reason()).isEqualTo("Promised");
    }

    /** Nothing happens between the two cycles that could make Slotwise forget the promise. */
    @Test
    void aPromiseOfTheLastCycleMovesWithinItsSlackAndItsBoundStays() {
        current.write(settings.withPolicy(
                settings.policy().withReplanGain(100_000).withSlack(new PromiseSlack(0, 100_000, 0))));
        host.holds("night", 3, host.second() + 60, 300);
        loop.cycle();
        GangId slow = host.arrives("slow", 3, 1_000);
        loop.cycle();
        PromiseBound by = Objects.requireNonNull(
                Objects.requireNonNull(host.known(slow).promise()).promiseBound());
        long expected = host.window(slow).start();
        host.passTo(host.second() + settings.cycle());
        GangId quick = host.arrives("quick", 3, 80);

        loop.cycle();

        assertThat(by.start()).isEqualTo(expected + 100);
        assertThat(host.window(quick).start()).isEqualTo(expected);
        assertThat(host.window(slow).start()).isGreaterThan(expected).isLessThanOrEqualTo(by.start());
        assertThat(Objects.requireNonNull(host.known(slow).promise()).promiseBound())
                .isEqualTo(by);
        assertThat(host.broken).isEmpty();
        assertThat(host.told).anyMatch(what -> what.startsWith("slow WindowMoved: "));
    }
}
