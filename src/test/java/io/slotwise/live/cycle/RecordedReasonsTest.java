package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationAssignments;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The reasons of waiting gangs in their records and events. */
class RecordedReasonsTest extends OneReplica {
    @Test
    void aGangOverItsBudgetWaitsAndSaysSoOnce() {
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("1.5"));

        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(gang).plannedAspect().reason()).isEqualTo("OverBudget");
        assertThat(host.known(gang).terms().budget()).hasToString("1.500000");
        assertThat(host.told)
                .containsExactly("g OverBudget: no window within budget: the cheapest costs 2, the budget is 1.5");
    }

    @Test
    void aReasonOfWhichOnlyFiguresChangeIsRecordedButNotToldAgain() {
        host.arrives("first", 2, 600);
        loop.cycle();
        GangId gang = host.arrives("g", 2, 3600, FakeHost.budget("1.5"));
        loop.cycle();
        String before = host.known(gang).plannedAspect().message();
        host.told.clear();

        host.arrives("second", 2, 600);
        loop.cycle();

        assertThat(before).startsWith("no window within budget: the cheapest costs 2 at 2030-01-01T00:10:");
        assertThat(host.known(gang).plannedAspect().message())
                .startsWith("no window within budget: the cheapest costs 2 at 2030-01-01T00:20:");
        assertThat(host.told).noneMatch(told -> told.startsWith("g "));

        host.nodes.clear();
        host.withNode("n1", "2").withNode("n2", "2");
        loop.cycle();
        assertThat(host.known(gang).plannedAspect().message()).contains("the cheapest costs 2 at");
        host.passTo(host.second() + ReasonRefresh.PAUSE);
        loop.cycle();
        assertThat(host.known(gang).plannedAspect().message()).contains("the cheapest costs 4");
        assertThat(host.told).noneMatch(told -> told.startsWith("g "));
    }

    @Test
    void nodesThatComeOneByOneAreNoNewsToAGangThatFitsOnNone() {
        GangId gang = host.arrives("g", 50, 3600);
        host.nodes.clear();
        host.withNode("n0", "2");
        loop.cycle();
        List<String> first = List.copyOf(host.told);
        String reason = host.known(gang).plannedAspect().message();

        for (int i = 1; i <= 10; i++) {
            host.withNode("n" + i, "2");
            host.passTo(host.second() + 5);
            loop.cycle();
        }
        int writes = host.writes;
        host.passTo(host.second() + ReasonRefresh.PAUSE);
        loop.cycle();

        assertThat(first).hasSize(1);
        assertThat(host.told).isEqualTo(first);
        assertThat(writes).isLessThanOrEqualTo(2);
        assertThat(reason).contains("take 1 when");
        assertThat(host.known(gang).plannedAspect().message()).contains("take 11 when");
    }

    @Test
    void aReasonThatComesBackIsToldOnce() {
        host.arrives("g", 2, 3600, FakeHost.budget("1.5"));
        for (int i = 0; i < 6; i++) {
            host.nodes.clear();
            if (i % 2 == 0) {
                host.withNode("n1", "2").withNode("n2", "2");
            } else {
                host.withNode("n1", "2");
            }
            host.passTo(host.second() + 5);
            loop.cycle();
        }

        assertThat(host.told)
                .satisfiesExactlyInAnyOrder(
                        dear -> assertThat(dear).startsWith("g OverBudget: "),
                        large -> assertThat(large).startsWith("g NoWindow: too large"));
    }

    @Test
    void aReplicaThatTakesOverTellsOnceMoreWhyGangsWait() {
        host.arrives("g", 2, 3600, FakeHost.budget("1.5"));
        loop.cycle();
        host.told.clear();
        int writes = host.writes;
        PlanningLoop successor = replica();

        successor.cycle();
        successor.cycle();

        assertThat(host.told)
                .containsExactly("g OverBudget: no window within budget: the cheapest costs 2, the budget is 1.5");
        assertThat(host.writes).isEqualTo(writes);
    }

    @Test
    void aGangThatWaitsForAMomentOnlyHasNoRecord() {
        PlanningLoop patient = host.replica(
                current, () -> host.leads, starter, PlanPublisher.Writers.all(Runnable::run), Duration.ofSeconds(1));
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        Member late = Objects.requireNonNull(host.pods.remove("g-1"));
        patient.cycle();
        assertThat(host.records).isEmpty();
        assertThat(patient.deadline()).isEqualTo(host.instant().plusSeconds(1));

        host.pods.put("g-1", late);
        patient.cycle();
        assertThat(host.startedDirectly).containsExactly("g");

        GangId waiting = host.arrives("h", 2, 100);
        host.pods.remove("h-1");
        patient.cycle();
        host.pass(Duration.ofSeconds(1));
        patient.cycle();
        assertThat(host.known(waiting).plannedAspect().reason()).isEqualTo("WaitingForMembers");
    }

    @Test
    void aReasonStaysWhileItsInstantsAreAboutTheSame() {
        GangId gang = new GangId("user", "g");
        GangRecord told = GangRecord.first(gang, 0).refused(new Refusal.NotBefore(1000), 0);

        RecordUpdate near = new RecordUpdate(told);
        verdicts().pending(near, new Pending(gang, new Refusal.NotBefore(1059)));
        assertThat(near.after().plannedAspect().refusal()).isEqualTo(new Refusal.NotBefore(1000));
        assertThat(near.announcements()).isEmpty();

        RecordUpdate later = new RecordUpdate(told);
        verdicts().pending(later, new Pending(gang, new Refusal.NotBefore(1060)));
        assertThat(later.after().plannedAspect().refusal()).isEqualTo(new Refusal.NotBefore(1060));
        assertThat(later.announcements()).as("only its instant is new").isEmpty();

        RecordUpdate other = new RecordUpdate(told);
        verdicts(TestNews.ALL).pending(other, new Pending(gang, new Refusal.NotBackfilled()));
        assertThat(other.announcements()).hasSize(1);
    }

    @Test
    void aRecordNamesNoForeignGangAndStaysTheSameWhileOthersMove() {
        GangId gang = new GangId("user", "g");
        Pending behind =
                new Pending(gang, new Refusal.BehindPromises(new GangId("secret", "month-end-close"), 1000, 1));
        RecordUpdate update = new RecordUpdate(GangRecord.first(gang, 0));

        verdicts().pending(update, behind);

        GangRecord written = update.after();
        assertThat(written.toString()).doesNotContain("secret", "month-end-close");
        assertThat(written.plannedAspect().message()).startsWith("behind promised gangs: a gang of another namespace");
        assertThat(written.tells(behind.refusal())).isTrue();
        RecordUpdate next = new RecordUpdate(written.withVersion("1"));
        verdicts().pending(next, new Pending(gang, new Refusal.BehindPromises(new GangId("secret", "x"), 1000, 1)));
        assertThat(next.changed()).isFalse();
        assertThat(next.announcements()).isEmpty();
    }

    @Test
    void aRecordOfABrokenPromiseNamesNoGangOfAnotherNamespace() {
        RecordUpdate update = new RecordUpdate(GangRecord.first(new GangId("user", "g"), 0));

        update.breakPromise(Cause.DISPLACED, new BrokenPromise.Displaced(new GangId("secret", "week-1"), 2, 1), 5);

        assertThat(update.after().toString()).doesNotContain("week-1");
        assertThat(update.after().plannedAspect().message())
                .isEqualTo("displaced: a gang of another namespace takes its room and has a higher priority (2, "
                        + "this one 1)");
        assertThat(update.announcements()).singleElement().satisfies(told -> {
            assertThat(told.message()).contains("secret/week-1");
            assertThat(told.asSeen("user"::equals).message()).doesNotContain("week-1");
        });
    }

    private static PlanOutcomes verdicts() {
        return verdicts(TestNews.NONE);
    }

    private static PlanOutcomes verdicts(TestNews news) {
        Snapshot nothing = new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of());
        return new PlanOutcomes(
                5,
                new PromisedPrices(nothing, LoopSettings.EXACT.policy()),
                ReservationAssignments.of(nothing, ReservationNames.NONE, _ -> PromiseTariff.CONSTANT, false),
                Currency.NONE,
                news);
    }

    @Test
    void theRecordOfAGangThatWaitsIsNotWrittenForEverySecondThatPasses() {
        GangId running = host.arrives("running", 3, 1000);
        loop.cycle();
        host.passTo(host.window(running).start());
        host.openBarrier(running);
        loop.cycle();
        GangId gang = host.arrives("late", 3, 100, Budget.UNLIMITED);
        host.gangs.put(gang, Objects.requireNonNull(host.gangs.get(gang)).endingBy(host.second() + 500));
        loop.cycle();
        GangRecord first = host.known(gang);
        assertThat(first.plannedAspect().reason()).isEqualTo("NoWindow");

        for (int i = 0; i < 30; i++) {
            host.passTo(host.second() + 1);
            loop.cycle();
        }
        assertThat(host.known(gang).version()).isEqualTo(first.version());
    }
}
