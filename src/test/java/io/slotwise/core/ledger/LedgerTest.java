package io.slotwise.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger.Observation;
import io.slotwise.core.ledger.LedgerEntry.Settled;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerTest {
    /** 2030-01-01T00:00:00Z, a Tuesday. */
    private static final long DAY_ONE = 1_893_456_000L;

    private static final long DAY = 86_400;
    private static final long TTL = 3600;
    private static final Settled ENDED = new Settled(new Charge(new Cost(700), new Cost(30)), DAY_ONE + 500);
    private static final Allotment DAILY = new Allotment(new Money(1), Period.DAY);

    @Test
    void aRunThatWasPromisedForLessThanNothingIsNotOne() {
        assertThatThrownBy(() -> run("a", 0, -1, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not be negative");
    }

    @Test
    void aRunIsHeldFromItsStartAndChargedOnceAtItsEnd() {
        Ledger running = Ledger.empty("user").kept(observation(DAY_ONE + 100, run("u1", DAY_ONE, 1000, null)));

        assertThat(balance(running))
                .isEqualTo(new AccountBalance(today(), new Money(1), Charge.NOTHING, new Cost(1000), Cost.ZERO));
        assertThat(balance(running).left()).isEqualTo(new Cost(2600));

        Ledger ended = running.kept(observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED)));

        assertThat(balance(ended))
                .isEqualTo(new AccountBalance(today(), new Money(1), ENDED.charge(), Cost.ZERO, Cost.ZERO));
        assertThat(balance(ended).left()).isEqualTo(new Cost(2870));
    }

    @Test
    void theSameLookAgainChangesNothing() {
        Observation observation =
                observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED), run("u2", DAY_ONE, 50, null));
        Ledger once = Ledger.empty("user").kept(observation);

        assertThat(once.kept(observation)).isEqualTo(once);
    }

    @Test
    void anEndThatIsReadDifferentlyTheSecondTimeDoesNotCount() {
        Ledger once = Ledger.empty("user").kept(observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED)));
        Settled other = new Settled(new Charge(new Cost(1), Cost.ZERO), DAY_ONE + 900);

        assertThat(once.kept(observation(DAY_ONE + 900, run("u1", DAY_ONE, 1000, other))))
                .isEqualTo(once);
        assertThat(once.kept(observation(DAY_ONE + 900, run("u1", DAY_ONE, 1000, null))))
                .isEqualTo(once);
    }

    @Test
    void aRecordThatIsUsedAgainIsASecondRun() {
        Ledger once = Ledger.empty("user").kept(observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED)));

        Ledger twice = once.kept(observation(DAY_ONE + 800, run("u1", DAY_ONE + 700, 1000, null)));

        assertThat(twice.entries()).hasSize(2);
        assertThat(balance(twice).heldCost()).isEqualTo(new Cost(1000));
        assertThat(balance(twice).charge()).isEqualTo(ENDED.charge());
    }

    @Test
    void aRolledBackRunIsCrossedOut() {
        Ledger running = Ledger.empty("user").kept(observation(DAY_ONE + 100, run("u1", DAY_ONE, 1000, null)));

        Ledger takenBack = running.kept(new Observation(List.of(), Map.of(), Set.of("u1"), DAY_ONE + 110, TTL));

        assertThat(takenBack.entries()).isEmpty();
        assertThat(takenBack.days()).isEmpty();
    }

    @Test
    void daysBeyondAPromiseAreChargedOnceWhenTheGangIsRestarted() {
        Window window = Window.of(
                new GangId("user", "g"),
                DAY_ONE,
                List.of(new Placement("p", "n", DAY_ONE, DAY_ONE + 400, new Cost(400))));
        LedgerEntry run = run("u1", DAY_ONE, 400, null);
        long now = DAY_ONE + 2 * DAY;
        Overrun overrun =
                new Overrun(window, PromiseTariff.CONSTANT, new Charge.Course(DAY_ONE, Map.of(), now + 60, false));
        Settled leg = new Settled(new Charge(new Cost(400), new Cost(2 * DAY - 400), 2 * DAY), now);

        Ledger beyond = Ledger.empty("user")
                .kept(new Observation(List.of(run), Map.of(run.key(), overrun), Set.of("u1"), now, TTL));
        Ledger stopped = beyond.kept(new Observation(List.of(), Map.of(), Set.of("u1"), now, TTL));
        Ledger settled = stopped.kept(observation(now + 10, run("u1", DAY_ONE, 400, leg)));

        assertThat(beyond.days().values()).extracting(Charge::total).containsExactly(new Cost(DAY - 400));
        assertThat(settled.days().values().stream().reduce(Charge.NOTHING, Charge::plus))
                .isEqualTo(leg.charge());
        assertThat(settled.entries()).noneMatch(LedgerEntry::isOpen);
    }

    @Test
    void aRunWhoseRecordVanishesIsHeldThenChargedAsPromised() {
        Ledger running = Ledger.empty("user").kept(observation(DAY_ONE + 100, run("u1", DAY_ONE, 1000, null)));
        long end = DAY_ONE + 400;

        Ledger soon = running.kept(observation(end + Ledger.ABANDONED_SECONDS - 1));
        Ledger later = soon.kept(observation(end + Ledger.ABANDONED_SECONDS));

        assertThat(soon).isEqualTo(running);
        assertThat(balance(later).heldCost()).isEqualTo(Cost.ZERO);
        assertThat(balance(later).charge()).isEqualTo(new Charge(new Cost(1000), Cost.ZERO));
        assertThat(later.kept(observation(end + Ledger.ABANDONED_SECONDS))).isEqualTo(later);
    }

    @Test
    void anEntryGoesSomeTimeAfterItsRecordAndItsSumStays() {
        Ledger ended = Ledger.empty("user").kept(observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED)));
        long gone = ENDED.endedAt() + TTL + Ledger.SETTLED_SECONDS;

        assertThat(ended.kept(observation(gone - 1)).entries()).hasSize(1);
        assertThat(ended.kept(observation(gone)).entries()).isEmpty();
        assertThat(ended.kept(observation(gone, run("u1", DAY_ONE, 1000, ENDED))))
                .isEqualTo(ended);
        assertThat(ended.kept(observation(gone)).days()).isEqualTo(ended.days());
    }

    @Test
    void theSumOfADayGoesAfterAHundredDays() {
        Ledger ended = Ledger.empty("user").kept(observation(DAY_ONE + 600, run("u1", DAY_ONE, 1000, ENDED)));

        assertThat(ended.kept(observation(DAY_ONE + 100 * DAY)).days()).hasSize(1);
        assertThat(ended.kept(observation(DAY_ONE + 101 * DAY)).days()).isEmpty();
    }

    @Test
    void tooManyEntriesOfRecordsThatAreGoneGoEarlyTheOldestFirst() {
        List<LedgerEntry> runs = many(6000, new Settled(new Charge(new Cost(1), Cost.ZERO), DAY_ONE + 10));
        Ledger full = Ledger.empty("user").kept(new Observation(runs, Map.of(), Set.of(), DAY_ONE + 4000, TTL));
        int most = full.written().entries().size();

        Ledger kept = full.written()
                .kept(new Observation(List.of(runs.getFirst()), Map.of(), Set.of("u0000"), DAY_ONE + 4100, TTL));

        assertThat(most).isBetween(3000, 4000);
        assertThat(kept.entries())
                .hasSizeBetween(most * 89 / 100, most * 91 / 100)
                .extracting(entry -> entry.key().uid())
                .contains("u0000", "u%04d".formatted(most - 1))
                .doesNotContain("u0001");
        assertThat(kept.days()).isEqualTo(full.days());
    }

    @Test
    void theRecordsOfTheOldestRunsThatAreOverHaveToGoWhereThereAreTooMany() {
        List<LedgerEntry> runs = many(3000, new Settled(new Charge(new Cost(1), Cost.ZERO), DAY_ONE + 10));
        Ledger ledger = Ledger.empty("user").kept(new Observation(runs, Map.of(), Set.of(), DAY_ONE + 4000, TTL));

        Set<LedgerEntry.Key> superfluous =
                ledger.superfluous(runs.stream().map(LedgerEntry::key).collect(Collectors.toSet()));

        assertThat(superfluous)
                .hasSizeBetween(1000, 1500)
                .contains(runs.getFirst().key())
                .doesNotContain(runs.getLast().key());
        assertThat(ledger.superfluous(Set.of(runs.getFirst().key()))).isEmpty();
    }

    @Test
    void aRunForWhichThereIsNoRoomIsHeldAndNotWrittenUntilThereIs() {
        List<LedgerEntry> open = many(6000, null);
        Ledger ledger = Ledger.empty("user").kept(new Observation(open, Map.of(), Set.of(), DAY_ONE + 5, TTL));

        assertThat(balance(ledger).heldCost()).isEqualTo(new Cost(6000));
        assertThat(ledger.written().entries()).hasSizeBetween(400, 600);
        assertThat(ledger.written().kept(new Observation(open, Map.of(), Set.of(), DAY_ONE + 5, TTL)))
                .isEqualTo(ledger);

        List<LedgerEntry> over = many(6000, new Settled(new Charge(new Cost(1), Cost.ZERO), DAY_ONE + 10));
        Ledger first = ledger.written().kept(new Observation(over, Map.of(), Set.of(), DAY_ONE + 4000, TTL));

        assertThat(balance(first).heldCost().plus(balance(first).charge().total()))
                .isEqualTo(new Cost(6000));
        assertThat(first.waiting()).hasSizeBetween(2000, 3000);
        assertThat(first.entries())
                .allSatisfy(entry ->
                        assertThat(entry.isOpen()).isEqualTo(first.waiting().contains(entry.key())));

        List<LedgerEntry> left =
                over.stream().filter(run -> first.waiting().contains(run.key())).toList();
        Ledger second = first.written().kept(new Observation(left, Map.of(), Set.of(), DAY_ONE + 4000, TTL));

        assertThat(second.waiting()).isEmpty();
        assertThat(balance(second).charge().total()).isEqualTo(new Cost(6000));
    }

    @Test
    void theDaysOfARunThatWaitsAreHeldAndChargedWhenItIsOver() {
        long now = DAY_ONE + 3 * DAY;
        LedgerEntry late = run("late", DAY_ONE + 1, 400, null);
        Window window = Window.of(
                new GangId("user", "g"),
                DAY_ONE + 1,
                List.of(new Placement("p", "n", DAY_ONE + 1, DAY_ONE + 401, new Cost(400))));
        Overrun overrun =
                new Overrun(window, PromiseTariff.CONSTANT, new Charge.Course(DAY_ONE + 1, Map.of(), now, false));
        List<LedgerEntry> runs = new ArrayList<>(many(6000, null));
        runs.add(late);
        Ledger waiting =
                Ledger.empty("user").kept(new Observation(runs, Map.of(late.key(), overrun), Set.of("late"), now, TTL));

        assertThat(waiting.waiting()).contains(late.key());
        assertThat(waiting.days()).isEmpty();
        for (int day = 1; day < 3; day++) {
            assertThat(waiting.overrun(new Interval(DAY_ONE + day * DAY, DAY_ONE + (day + 1) * DAY)))
                    .isEqualTo(new Cost(DAY));
        }
        assertThat(waiting.written().has(late.key())).isFalse();

        Settled end = new Settled(new Charge(new Cost(400), new Cost(3 * DAY - 401), 3 * DAY - 1), now);
        runs.set(6000, run("late", DAY_ONE + 1, 400, end));
        Ledger over =
                waiting.written().kept(new Observation(runs, Map.of(late.key(), overrun), Set.of("late"), now, TTL));

        assertThat(over.days().values().stream().reduce(Charge.NOTHING, Charge::plus))
                .isEqualTo(end.charge());
        assertThat(Objects.requireNonNull(over.days().get(DAY_ONE / DAY + 1)).total())
                .isEqualTo(new Cost(DAY));
    }

    private static List<LedgerEntry> many(int count, @Nullable Settled settled) {
        return IntStream.range(0, count)
                .mapToObj(i -> run("u%04d".formatted(i), DAY_ONE, 1, settled))
                .toList();
    }

    @Test
    void aBudgetMayChangeItsPeriod() {
        Ledger ledger = Ledger.empty("user")
                .kept(observation(
                        DAY_ONE + 6 * DAY,
                        run("u1", DAY_ONE - DAY, 10, settled(1)),
                        run("u2", DAY_ONE, 10, settled(20)),
                        run("u3", DAY_ONE + 5 * DAY, 10, settled(300)),
                        run("u4", DAY_ONE + 6 * DAY, 10, settled(4000))));

        assertThat(spent(ledger, Period.DAY, DAY_ONE)).isEqualTo(20);
        assertThat(spent(ledger, Period.WEEK, DAY_ONE)).isEqualTo(1 + 20 + 300);
        assertThat(spent(ledger, Period.MONTH, DAY_ONE)).isEqualTo(20 + 300 + 4000);
    }

    @Test
    void windowsThatAreStillToComeAreHeldInTheirOwnPeriod() {
        Ledger ledger = Ledger.empty("user").kept(observation(DAY_ONE, run("u1", DAY_ONE, 100, null)));
        List<CommittedWindow> holds = List.of(
                new CommittedWindow(DAY_ONE + DAY - 1, new Cost(20)), new CommittedWindow(DAY_ONE + DAY, new Cost(3)));

        List<Account> accounts = ledger.accounts(new Grant.Given(DAILY), holds, DAY_ONE + 60, DAY_ONE + DAY + 60);

        assertThat(accounts)
                .containsExactly(
                        new Account("user", DAY_ONE, DAY_ONE + DAY, new Cost(3600 - 120)),
                        new Account("user", DAY_ONE + DAY, DAY_ONE + 2 * DAY, new Cost(3600 - 3)));
    }

    @Test
    void eachPeriodOfALongHorizonIsLookedAtAFewTimesOnly() {
        List<CommittedWindow> windows = new ArrayList<>();
        for (int day = 0; day < 90; day++) {
            windows.add(new CommittedWindow(DAY_ONE + day * DAY, new Cost(10L * day)));
        }
        AtomicInteger looks = new AtomicInteger();
        Collection<CommittedWindow> holds = new AbstractCollection<>() {
            @Override
            public Iterator<CommittedWindow> iterator() {
                looks.incrementAndGet();
                return windows.iterator();
            }

            @Override
            public int size() {
                return windows.size();
            }
        };
        Ledger ledger = Ledger.empty("user")
                .kept(observation(
                        DAY_ONE + 600,
                        run(
                                "u1",
                                DAY_ONE,
                                1000,
                                new Settled(new Charge(new Cost(700), new Cost(9000)), DAY_ONE + 500))))
                .owing(DAILY, DAY_ONE + 600);

        List<Account> accounts = ledger.accounts(new Grant.Given(DAILY), holds, DAY_ONE, DAY_ONE + 90 * DAY);

        assertThat(looks.get()).isLessThanOrEqualTo(2 * 90);
        assertThat(accounts)
                .extracting(Account::left)
                .isEqualTo(DAILY.periods(DAY_ONE, DAY_ONE + 90 * DAY).stream()
                        .map(period -> ledger.balances(DAILY, period, windows)
                                .getFirst()
                                .left())
                        .toList());
        assertThat(accounts.get(1).left()).as("a day that begins with a debt").isEqualTo(Cost.ZERO);
    }

    @Test
    void aBudgetThatIsPassedLeavesNothing() {
        Ledger ledger = Ledger.empty("user").kept(observation(DAY_ONE, run("u1", DAY_ONE, 4000, null)));

        assertThat(balance(ledger).left()).isEqualTo(Cost.ZERO);
    }

    @Test
    void anUnreadableBudgetLeavesNothing() {
        assertThat(Ledger.accounts(
                        Map.of("user", new Grant.Unreadable("?"), "b", new Grant.Given(DAILY)),
                        List.of(),
                        DAY_ONE,
                        DAY_ONE + 60))
                .containsExactly(
                        new Account("b", DAY_ONE, DAY_ONE + DAY, new Cost(3600)),
                        new Account("user", DAY_ONE, DAY_ONE + 60, Cost.ZERO));
    }

    private static long spent(Ledger ledger, Period period, long second) {
        return ledger.balances(new Allotment(new Money(1), period), period.holding(second), List.of())
                .getFirst()
                .charge()
                .total()
                .microSecondsPerHour();
    }

    private static AccountBalance balance(Ledger ledger) {
        return ledger.balances(DAILY, today(), List.of()).getFirst();
    }

    private static Interval today() {
        return new Interval(DAY_ONE, DAY_ONE + DAY);
    }

    private static Settled settled(long cost) {
        return new Settled(new Charge(new Cost(cost), Cost.ZERO), DAY_ONE + 6 * DAY);
    }

    private static LedgerEntry run(String uid, long start, long promised, @Nullable Settled settled) {
        return new LedgerEntry(new LedgerEntry.Key(uid, start), "g", start + 400, new Cost(promised), settled);
    }

    private static Observation observation(long now, LedgerEntry... runs) {
        return new Observation(
                List.of(runs),
                Map.of(),
                Set.of(runs.length == 0 ? "other" : runs[0].key().uid()),
                now,
                TTL);
    }
}
