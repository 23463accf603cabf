package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Debt;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerEntry;
import io.slotwise.core.ledger.LedgerStatement;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts between a ledger and its object. */
public final class Ledgers {
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,40}");
    /** A millionth in exact amounts. */
    private static final BigDecimal MILLIONTH = BigDecimal.valueOf(3600);

    private Ledgers() {}

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if Slotwise would never write it
     */
    public static Ledger ledger(NamespaceLedger ledger) {
        LedgerSpec spec = ledger.getSpec();
        String version = ledger.getMetadata().getResourceVersion();
        if (spec == null) {
            throw new IllegalArgumentException("expected a spec");
        }
        if (!NamespaceLedger.NAME.equals(ledger.getMetadata().getName())) {
            throw new IllegalArgumentException("expected the name " + NamespaceLedger.NAME);
        }
        try {
            return new Ledger(
                    ledger.getMetadata().getNamespace(),
                    version == null ? "" : version,
                    statement(spec),
                    days(spec.days()),
                    spec.entries().stream().map(Ledgers::entry).toList(),
                    debt(spec.debt()),
                    Set.of(),
                    queues(spec.queues()));
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Returns the object of a ledger, with the version that the ledger was read from, if any. */
    public static NamespaceLedger object(Ledger ledger) {
        NamespaceLedger namespaceLedger = new NamespaceLedger();
        ObjectMetaBuilder meta =
                new ObjectMetaBuilder().withName(NamespaceLedger.NAME).withNamespace(ledger.namespace());
        if (!ledger.version().isEmpty()) {
            meta.withResourceVersion(ledger.version());
        }
        namespaceLedger.setMetadata(meta.build());
        namespaceLedger.setSpec(spec(ledger));
        return namespaceLedger;
    }

    private static LedgerSpec spec(Ledger ledger) {
        Allotment budget = ledger.statement().budget();
        return new LedgerSpec(
                budget == null ? null : budget.toString(),
                ledger.statement().balances().stream().map(Ledgers::period).toList(),
                days(ledger.days()),
                ledger.entries().stream().map(Ledgers::entry).toList(),
                debt(ledger.debt()),
                ledger.queueDays().entrySet().stream()
                        .map(entry -> new LedgerSpec.Queue(entry.getKey(), days(entry.getValue())))
                        .toList());
    }

    private static SortedMap<String, SortedMap<Long, Charge>> queues(List<LedgerSpec.Queue> queues) {
        SortedMap<String, SortedMap<Long, Charge>> sums = new TreeMap<>();
        queues.forEach(queue -> sums.put(queue.queue(), days(queue.days())));
        return sums;
    }

    static SortedMap<Long, Charge> days(List<LedgerSpec.Day> days) {
        SortedMap<Long, Charge> sums = new TreeMap<>();
        days.forEach(day -> sums.put(LocalDate.parse(day.date()).toEpochDay(), charge(day)));
        return sums;
    }

    private static Charge charge(LedgerSpec.Day day) {
        return charge(cost(day.exactSpent(), day.wholeSpent()), cost(day.exactOverrun(), day.wholeOverrun()))
                .lasting(seconds(day.processorTime()));
    }

    /**
     * Returns the sums of days in written form.
     *
     * @param sums the sums by days since the epoch
     */
    static List<LedgerSpec.Day> days(SortedMap<Long, Charge> sums) {
        return sums.entrySet().stream()
                .map(entry -> day(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static LedgerSpec.Day day(long day, Charge charge) {
        return new LedgerSpec.Day(
                LocalDate.ofEpochDay(day).toString(),
                exact(charge.total()),
                exact(charge.overrunCost()),
                whole(charge.total()),
                whole(charge.overrunCost()),
                known(charge.processorTime()));
    }

    private static Debt debt(LedgerSpec.@Nullable Debt debt) {
        return debt == null
                ? Debt.NONE
                : new Debt(
                        Allotment.parse(debt.budget()),
                        RecordTime.second(debt.since()),
                        cost(debt.exact(), debt.whole()));
    }

    private static LedgerSpec.@Nullable Debt debt(Debt debt) {
        return debt.budget() == null
                ? null
                : new LedgerSpec.Debt(
                        debt.budget().toString(),
                        Reservations.instant(debt.since()),
                        exact(debt.owedCost()),
                        whole(debt.owedCost()));
    }

    private static LedgerSpec.Period period(AccountBalance balance) {
        Charge charge = balance.charge();
        boolean owes = !balance.debtCost().equals(Cost.ZERO);
        return new LedgerSpec.Period(
                Reservations.instant(balance.interval().start()),
                Reservations.instant(balance.interval().end()),
                balance.amount().toString(),
                shown(charge.total()),
                shown(charge.overrunCost()),
                shown(balance.heldCost()),
                balance.left().roundedDown().toString(),
                exact(charge.total()),
                exact(charge.overrunCost()),
                exact(balance.heldCost()),
                whole(charge.total()),
                whole(charge.overrunCost()),
                whole(balance.heldCost()),
                owes ? shown(balance.debtCost()) : null,
                owes ? exact(balance.debtCost()) : null,
                owes ? whole(balance.debtCost()) : null);
    }

    private static LedgerSpec.Entry entry(LedgerEntry entry) {
        LedgerEntry.Settled settled = entry.settled();
        return new LedgerSpec.Entry(
                entry.key().uid(),
                entry.gang(),
                Reservations.instant(entry.start()),
                Reservations.instant(entry.end()),
                exact(entry.promised()),
                settled == null ? null : Reservations.instant(settled.endedAt()),
                settled == null ? null : exact(settled.charge().chargedCost()),
                settled == null ? null : exact(settled.charge().overrunCost()),
                settled == null ? null : whole(settled.charge().chargedCost()),
                settled == null ? null : whole(settled.charge().overrunCost()),
                known(entry.processorTime()),
                entry.beyond().until() == 0
                        ? null
                        : day(entry.beyond().until(), entry.beyond().charge()),
                entry.beyond().held().isEmpty() ? null : days(entry.beyond().held()),
                entry.queue());
    }

    private static LedgerEntry entry(LedgerSpec.Entry entry) {
        return new LedgerEntry(
                new LedgerEntry.Key(entry.uid(), RecordTime.second(entry.start())),
                entry.gang(),
                RecordTime.second(entry.end()),
                new Cost(entry.exactPromised()),
                seconds(entry.processorTime()),
                beyond(entry),
                settled(entry),
                entry.queue());
    }

    private static LedgerEntry.Beyond beyond(LedgerSpec.Entry entry) {
        LedgerSpec.Day day = entry.charged();
        List<LedgerSpec.Day> held = entry.held();
        return new LedgerEntry.Beyond(
                day == null ? 0 : LocalDate.parse(day.date()).toEpochDay(),
                day == null ? Charge.NOTHING : charge(day),
                held == null ? Collections.emptySortedMap() : days(held));
    }

    private static LedgerEntry.@Nullable Settled settled(LedgerSpec.Entry entry) {
        Long charged = entry.exactCharged();
        Long overrun = entry.exactOverrun();
        return entry.endedAt() == null
                ? null
                : new LedgerEntry.Settled(
                        new Charge(
                                cost(charged == null ? 0 : charged, entry.wholeCharged()),
                                cost(overrun == null ? 0 : overrun, entry.wholeOverrun()),
                                seconds(entry.processorTime())),
                        RecordTime.second(entry.endedAt()));
    }

    private static LedgerStatement statement(LedgerSpec spec) {
        return new LedgerStatement(
                spec.budget() == null ? null : Allotment.parse(spec.budget()),
                spec.periods().stream().map(Ledgers::balance).toList());
    }

    private static AccountBalance balance(LedgerSpec.Period period) {
        Long debt = period.exactDebt();
        return new AccountBalance(
                new Interval(RecordTime.second(period.start()), RecordTime.second(period.end())),
                Money.parse(period.budget()),
                charge(
                        cost(period.exactSpent(), period.wholeSpent()),
                        cost(period.exactOverrun(), period.wholeOverrun())),
                cost(period.exactHeld(), period.wholeHeld()),
                debt == null ? Cost.ZERO : cost(debt, period.wholeDebt()));
    }

    private static Charge charge(Cost spent, Cost overrunCost) {
        return new Charge(spent.minus(overrunCost), overrunCost);
    }

    /** Returns an exact amount. If no long can hold it, returns the largest long, and {@link #whole} has the amount. */
    static long exact(Cost cost) {
        return cost.isNarrow() ? cost.microSecondsPerHour() : Long.MAX_VALUE;
    }

    /** Returns an amount in digits; null if {@link #exact} is exact. */
    static @Nullable String whole(Cost cost) {
        return cost.isNarrow() ? null : cost.exact().toString();
    }

    static Cost cost(long exact, @Nullable String whole) {
        if (whole == null) {
            return new Cost(exact);
        }
        if (!DIGITS.matcher(whole).matches()) {
            throw new IllegalArgumentException("expected at most 40 digits and not " + SafeText.value(whole));
        }
        return Cost.of(new BigInteger(whole));
    }

    private static long seconds(@Nullable Long known) {
        return known == null ? 0 : known;
    }

    private static @Nullable Long known(long seconds) {
        return seconds == 0 ? null : seconds;
    }

    /** Returns the cost in currency units, rounded up to a millionth. */
    private static String shown(Cost cost) {
        return new BigDecimal(cost.exact())
                .divide(MILLIONTH, 0, RoundingMode.CEILING)
                .movePointLeft(Money.SCALE)
                .setScale(Money.SCALE, RoundingMode.UNNECESSARY)
                .toPlainString();
    }
}
