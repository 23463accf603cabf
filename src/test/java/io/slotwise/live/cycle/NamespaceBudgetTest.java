package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.time.Interval;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NamespaceBudgetTest {
    private static final long HOUR = 3600;
    private static final long UNIT = 3_600_000_000L;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final LoopSettings settings = LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(3));
    private PlanningLoop loop = newLoop();

    @Test
    void aNamespaceWithABudgetHasALedgerAndOneWithoutHasNone() {
        host.arrives("g", 1, HOUR);
        loop.cycle();
        assertThat(host.ledgers).isEmpty();

        budget("5/day");
        loop.cycle();
        loop.cycle();

        assertThat(host.ledger().statement().budget()).isEqualTo(Allotment.parse("5/day"));
        assertThat(host.ledger().statement().balances().getFirst().heldCost()).isEqualTo(new Cost(UNIT));
        int writes = host.ledgerWrites;
        loop.cycle();
        assertThat(host.ledgerWrites).isEqualTo(writes);
    }

    @Test
    void aGangThatWouldPassTheBudgetWaitsAndSaysSo() {
        budget("2.5/month");
        GangId first = host.arrives("a", 2, HOUR);
        GangId second = host.arrives("b", 1, HOUR);

        loop.cycle();
        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.known(second).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(second).plannedAspect().reason()).isEqualTo("OverBudget");
        assertThat(host.known(second).plannedAspect().message())
                .isEqualTo("no window within the budget of namespace user: the cheapest costs 1, 0.5 is left until"
                        + " 2030-02-01T00:00:00Z");
    }

    @Test
    void startsOfACycleAreHeldInTheNext() {
        budget("2.5/month");
        GangId first = host.arrives("a", 2, HOUR);
        loop.cycle();
        start(first);

        GangId second = host.arrives("b", 1, HOUR);
        loop.cycle();

        assertThat(host.known(second).plannedAspect().reason()).isEqualTo("OverBudget");
        assertThat(host.ledger().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.isOpen()).isTrue();
            assertThat(entry.promised()).isEqualTo(new Cost(2 * UNIT));
            assertThat(entry.key().uid()).isEqualTo(host.known(first).uid());
        });
    }

    @Test
    void anEarlyEndRefundsAndTheNextGangStarts() {
        budget("2.5/month");
        GangId first = host.arrives("a", 2, HOUR);
        loop.cycle();
        long start = start(first);
        GangId second = host.arrives("b", 1, HOUR);
        loop.cycle();

        host.passTo(start + 600);
        host.endAt("a-0", start + 300);
        host.endAt("a-1", start + 600);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(900 * UNIT / HOUR), Cost.ZERO));
        assertThat(host.known(second).phase()).isEqualTo(Phase.STARTING);
    }

    @Test
    void anOverrunIsChargedApartAndLeavesLess() {
        budget("2.5/month");
        GangId first = host.arrives("a", 2, HOUR);
        loop.cycle();
        long start = start(first);

        host.passTo(start + HOUR + 1800);
        host.endAt("a-0", start + HOUR);
        host.endAt("a-1", start + HOUR + 1800);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(2 * UNIT), new Cost(UNIT / 2)));
        assertThat(host.ledger().statement().balances().getFirst().left()).isEqualTo(Cost.ZERO);
    }

    @Test
    void theEndOfAMemberThatIsDeletedBeforeTheOthersEndIsRemembered() {
        budget("9/month");
        GangId gang = host.arrives("a", 2, HOUR);
        loop.cycle();
        long start = start(gang);
        host.passTo(start + 600);
        host.endAt("a-0", start + 590);
        loop.cycle();
        host.pods.remove("a-0");

        loop = newLoop();
        host.passTo(start + HOUR);
        host.endAt("a-1", start + HOUR);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(590 * UNIT / HOUR + UNIT), Cost.ZERO));
    }

    @Test
    void aPodThatVanishedUnseenIsChargedAtMostItsPromise() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();

        loop = newLoop();
        host.pods.clear();
        host.passTo(start + 5 * HOUR);
        cycles(4);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
        assertThat(host.records).isEmpty();
    }

    @Test
    void aPodThatIsSeenToVanishIsChargedUntilThen() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();

        host.pods.clear();
        host.passTo(start + 2 * HOUR);
        cycles(4);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT), new Cost(UNIT)));
    }

    @Test
    void aBudgetThatCannotBeToldPromisesNothingMoreAndKeepsWhatWasPromised() {
        budget("9/month");
        GangId first = host.arrives("a", 1, HOUR);
        loop.cycle();
        host.grants.put("user", new Grant.Unreadable("unreadable"));
        GangId second = host.arrives("b", 1, HOUR);

        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.known(second).phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aBudgetThatIsLoweredKeepsWhatWasPromised() {
        budget("9/month");
        GangId first = host.arrives("a", 1, HOUR);
        loop.cycle();
        budget("0.1/month");

        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.broken).isEmpty();
    }

    /** The process dies after each number of writes in turn. Its successor charges the gang exactly once. */
    @Test
    void aCrashAtAnyStepNeitherLosesNorDoublesACharge() {
        for (int survived = 0; survived < 12; survived++) {
            FakeHost other = new FakeHost().withNodes("a", "b");
            other.grants.put("user", new Grant.Given(Allotment.parse("9/month")));
            GangId gang = other.arrives("a", 2, HOUR);
            newLoop(other).cycle();
            other.passTo(other.window(gang).start());
            other.openBarrier(gang);
            long start = other.second();
            other.passTo(start + HOUR + 60);
            other.endAt("a-0", start + 600);
            other.endAt("a-1", start + HOUR + 60);

            other.writesLeft = survived;
            PlanningLoop dying = newLoop(other);
            for (int i = 0; i < 4; i++) {
                dying.cycle();
            }
            other.writesLeft = Integer.MAX_VALUE;
            other.pods.clear();
            PlanningLoop next = newLoop(other);
            for (int i = 0; i < 6; i++) {
                next.cycle();
            }

            assertThat(other.records).as("after %d writes", survived).isEmpty();
            assertThat(Objects.requireNonNull(other.ledgers.get("user")).days().values())
                    .as("after %d writes", survived)
                    .singleElement()
                    .satisfies(day -> assertThat(day.total().microSecondsPerHour())
                            .isIn(
                                    // The ends were written before the pods went, or were not seen.
                                    600 * UNIT / HOUR + UNIT + 60 * UNIT / HOUR, 2 * UNIT));
        }
    }

    @Test
    void theRecordOfAnEndedGangStaysUntilItsLedgerIsWritten() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();
        host.passTo(start + HOUR);
        host.endAt("a-0", start + HOUR);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        Ledger before = host.ledger();
        host.ledgers.put("user", before.at("somebody else's"));
        host.staleLedgers.put("user", before);
        host.pods.clear();

        loop.cycle();
        assertThat(host.records).containsKey(gang);

        host.staleLedgers.clear();
        cycles(2);
        assertThat(host.records).doesNotContainKey(gang);
        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
    }

    @Test
    void aRecordThatIsDeletedGoesOnceItsRunIsCharged() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();
        host.deletesRecord(gang);
        host.passTo(start + 600);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);

        host.passTo(start + HOUR);
        host.endAt("a-0", start + HOUR);
        loop.cycle();
        host.refusesLedgers = true;
        loop.cycle();
        // Until then its pod tells of the run, whatever becomes of the record.
        host.passTo(start + HOUR + LoopSettings.LEAST_RECORD_TTL);
        loop.cycle();
        assertThat(host.records).containsKey(gang);
        host.refusesLedgers = false;
        loop.cycle();

        assertThat(host.records).doesNotContainKey(gang);
        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
    }

    @Test
    void aDeletedRecordOfAGangBeforeItsStartGoesAndTheGangIsPlannedAgain() {
        GangId first = host.arrives("first", 3, HOUR);
        GangId gang = host.arrivesLater("a", 1, HOUR);
        loop.cycle();
        start(first);
        String uid = host.known(gang).uid();
        host.deletesRecord(gang);
        host.told.clear();

        loop.cycle();
        assertThat(host.records).doesNotContainKey(gang);
        assertThat(host.told).noneMatch(told -> told.startsWith("a "));
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(uid).isNotEmpty();
    }

    @Test
    void anEndedGangWhoseNameIsUsedAgainIsChargedForBothRuns() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();
        host.passTo(start + HOUR);
        host.endAt("a-0", start + HOUR);
        loop.cycle();
        host.gangs.put(gang, FakeHost.gang(gang, List.of("again-0"), HOUR, Budget.UNLIMITED, Criterion.START));
        host.pods.put("again-0", FakeHost.waiting("again-0"));

        cycles(2);
        long second = start(gang);
        cycles(2);
        host.passTo(second + 60);
        host.endAt("again-0", second + 60);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT + 60 * UNIT / HOUR), Cost.ZERO));
    }

    @Test
    void aRunBeyondItsPromiseIsChargedAsItRuns() {
        host.nodes.clear();
        host.withNode("dear", "36");
        budget("10/month");
        GangId gang = host.arrives("a", 1, 1);
        loop.cycle();
        long start = start(gang);

        host.passTo(start + 30);
        cycles(2);
        Cost soon = left();
        host.passTo(start + 500);
        cycles(2);

        assertThat(soon).isLessThan(new Cost(10 * UNIT - 30 * 36_000_000L));
        assertThat(left())
                .isLessThan(new Cost(10 * UNIT - 500 * 36_000_000L))
                .isGreaterThan(new Cost(10 * UNIT - 562 * 36_000_000L));

        host.passTo(start + 5 * 24 * HOUR);
        cycles(2);

        assertThat(left()).isEqualTo(Cost.ZERO);
        host.arrives("b", 1, 1);
        host.withNode("free", "1");
        loop.cycle();
        assertThat(host.known(new GangId("user", "b")).plannedAspect().reason()).isEqualTo("OverBudget");
    }

    @Test
    void eachMonthPaysItsPartOfARunAndPassesItsDebtToTheNext() {
        host.nodes.clear();
        host.withNode("cheap", "0.01");
        budget("5/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        long day = 24 * HOUR;
        long[] months = {31, 28, 31};
        long month = FakeHost.BEGIN;
        long first = start + HOUR;
        Cost owed = Cost.ZERO;

        for (long length : months) {
            long end = month + length * day;
            while (host.second() < end) {
                host.passTo(Math.min(end, host.second() + day));
                loop.cycle();
            }
            host.passTo(end + HOUR);
            cycles(2);
            Cost beyond = new Cost((end - Math.max(first, month)) * 10_000);
            Cost promised = month == FakeHost.BEGIN ? new Cost(HOUR * 10_000) : Cost.ZERO;
            AccountBalance over = host.ledger()
                    .balances(Allotment.parse("5/month"), new Interval(month, end), List.of())
                    .getFirst();
            assertThat(over.charge().overrunCost()).isEqualTo(beyond);
            assertThat(over.heldCost()).isEqualTo(promised);
            owed = owed.plus(beyond).plus(promised).minus(new Cost(5 * UNIT)).orNothing();
            assertThat(host.ledger().debt().owedCost()).isEqualTo(owed);
            month = end;
        }
        host.passTo(start + 102 * day);
        host.endAt("a-0", start + 102 * day);
        cycles(3);

        AccountBalance april = host.ledger().statement().balances().getFirst();
        assertThat(april.charge().total()).isEqualTo(new Cost((start + 102 * day - month) * 10_000));
        assertThat(april.heldCost()).isEqualTo(Cost.ZERO);
        assertThat(april.debtCost()).isEqualTo(owed);
        assertThat(host.ledger().entries())
                .singleElement()
                .satisfies(entry -> assertThat(
                                Objects.requireNonNull(entry.settled()).charge().total())
                        .isEqualTo(new Cost(102 * day * 10_000)));
    }

    @Test
    void aGangWhoseNamespaceCannotPayItsNextGraceIsToldOnce() {
        runPastTheBudget("extend");

        assertThat(host.told.stream().filter(told -> told.contains("OverrunUnpaid")))
                .containsExactly(
                        "a OverrunUnpaid: it runs past its promised end or size, and the budget of namespace user does"
                                + " not pay the next 60 s: it continues, and the next period begins with the debt"
                                + " (running.overrun.unpaid: extend)");
        assertThat(host.evicted).isEmpty();
    }

    @Test
    void aGangWhoseNamespaceCannotPayItsNextGraceIsEvictedIfThePolicySaysSo() {
        runPastTheBudget("evict");

        assertThat(host.evicted).containsOnly("a-0");
    }

    private void runPastTheBudget(String unpaid) {
        host.nodes.clear();
        host.withNode("dear", "36");
        loop = host.replica(CurrentSettings.fixed(PolicyFile.read(
                new StringReader("{running.turnover: 3s, running.overrun.unpaid: %s}".formatted(unpaid)),
                "policy.yaml")));
        budget("1/month");
        GangId gang = host.arrives("a", 1, 1);
        loop.cycle();
        long start = start(gang);
        host.passTo(start + 30);
        cycles(2);
        assertThat(host.evicted).isEmpty();
        assertThat(host.told).noneMatch(told -> told.contains("OverrunUnpaid"));

        host.passTo(start + 95);
        cycles(2);
    }

    private Cost left() {
        return host.ledger().statement().balances().getFirst().left();
    }

    private void cycles(int count) {
        for (int i = 0; i < count; i++) {
            loop.cycle();
        }
    }

    private long start(GangId gang) {
        host.passTo(host.window(gang).start());
        host.openBarrier(gang);
        return host.second();
    }

    private void budget(String text) {
        host.grants.put("user", new Grant.Given(Allotment.parse(text)));
    }

    private PlanningLoop newLoop() {
        return newLoop(host);
    }

    private PlanningLoop newLoop(FakeHost other) {
        return other.replica(CurrentSettings.fixed(settings));
    }
}
