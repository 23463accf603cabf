package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NamespaceBudgetTest {
    private static final long HOUR = 3600;
    private static final long UNIT = 3_600_000_000L;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final LoopSettings settings = LoopSettings.DEFAULT.withPolicy(Policy.DEFAULT.withTurnover(3));
    private PlanningLoop loop = newLoop();

    @Test
    void aNamespaceWithABudgetHasALedgerAndOneWithoutHasNone() {
        host.arrives("g", 1, HOUR);
        loop.cycle();
        assertThat(host.ledgers).isEmpty();

        budget("5/day");
        loop.cycle();
        loop.cycle();

        assertThat(ledger().shown().budget()).isEqualTo(Allotment.parse("5/day"));
        assertThat(ledger().shown().balances().getFirst().held()).isEqualTo(new Cost(UNIT));
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

        assertThat(host.known(first).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(second).phase()).isEqualTo(Phase.PENDING);
        assertThat(host.known(second).planned().reason()).isEqualTo("OverBudget");
        assertThat(host.known(second).planned().message())
                .isEqualTo("no window within the budget of namespace user: the cheapest costs 1, 0.5 is left until"
                        + " 2030-02-01T00:00:00Z");
    }

    @Test
    void whatOneCycleStartedIsHeldInTheNext() {
        budget("2.5/month");
        GangId first = host.arrives("a", 2, HOUR);
        loop.cycle();
        start(first);

        GangId second = host.arrives("b", 1, HOUR);
        loop.cycle();

        assertThat(host.known(second).planned().reason()).isEqualTo("OverBudget");
        assertThat(ledger().entries()).singleElement().satisfies(entry -> {
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

        assertThat(spent()).isEqualTo(new Charge(new Cost(900 * UNIT / HOUR), Cost.ZERO));
        assertThat(host.known(second).phase()).isEqualTo(Phase.PROMISED);
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

        assertThat(spent()).isEqualTo(new Charge(new Cost(2 * UNIT), new Cost(UNIT / 2)));
        assertThat(ledger().shown().balances().getFirst().left()).isEqualTo(Cost.ZERO);
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

        assertThat(spent()).isEqualTo(new Charge(new Cost(590 * UNIT / HOUR + UNIT), Cost.ZERO));
    }

    @Test
    void aPodThatVanishedWhileNobodyLookedIsChargedNoMoreThanItsPromise() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();

        loop = newLoop();
        host.pods.clear();
        host.passTo(start + 5 * HOUR);
        cycles(4);

        assertThat(spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
        assertThat(host.standings).isEmpty();
    }

    @Test
    void aPodThatVanishesUnderOurEyesIsChargedUntilThen() {
        budget("9/month");
        GangId gang = host.arrives("a", 1, HOUR);
        loop.cycle();
        long start = start(gang);
        loop.cycle();

        host.pods.clear();
        host.passTo(start + 2 * HOUR);
        cycles(4);

        assertThat(spent()).isEqualTo(new Charge(new Cost(UNIT), new Cost(UNIT)));
    }

    @Test
    void aBudgetThatCannotBeToldPromisesNothingMoreAndKeepsWhatWasPromised() {
        budget("9/month");
        GangId first = host.arrives("a", 1, HOUR);
        loop.cycle();
        host.grants.put("user", new Grant.Unreadable("unreadable"));
        GangId second = host.arrives("b", 1, HOUR);

        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.known(second).phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aBudgetThatIsLoweredKeepsWhatWasPromised() {
        budget("9/month");
        GangId first = host.arrives("a", 1, HOUR);
        loop.cycle();
        budget("0.1/month");

        loop.cycle();

        assertThat(host.known(first).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.broken).isEmpty();
    }

    /** The process dies after each number of writes in turn; the one that follows charges the gang exactly once. */
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

            assertThat(other.standings).as("after %d writes", survived).isEmpty();
            assertThat(Objects.requireNonNull(other.ledgers.get("user")).days().values())
                    .as("after %d writes", survived)
                    .singleElement()
                    .satisfies(day -> assertThat(day.total().microSecondsPerHour())
                            .isIn(
                                    // The ends were written down before the pods went, or nobody saw them.
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
        Ledger before = ledger();
        host.ledgers.put("user", before.at("somebody else's"));
        host.staleLedgers.put("user", before);
        host.pods.clear();

        loop.cycle();
        assertThat(host.standings).containsKey(gang);

        host.staleLedgers.clear();
        cycles(2);
        assertThat(host.standings).doesNotContainKey(gang);
        assertThat(spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
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

        assertThat(spent()).isEqualTo(new Charge(new Cost(UNIT + 60 * UNIT / HOUR), Cost.ZERO));
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

    private Ledger ledger() {
        return Objects.requireNonNull(host.ledgers.get("user"));
    }

    /** What was charged; how long pods ran is another test's. */
    private Charge spent() {
        return ledger().days().values().stream()
                .reduce(Charge.NOTHING, Charge::plus)
                .lasting(0);
    }

    private PlanningLoop newLoop() {
        return newLoop(host);
    }

    private PlanningLoop newLoop(FakeHost other) {
        return other.replica(CurrentSettings.fixed(settings));
    }
}
