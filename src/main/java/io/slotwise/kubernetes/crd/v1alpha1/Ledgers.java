package io.slotwise.kubernetes.crd.v1alpha1;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.slotwise.core.ledger.AccountBalance;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
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
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates between a ledger and its object. */
public final class Ledgers {
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,40}");
    /** In exact amounts. */
    private static final BigDecimal MILLIONTH = BigDecimal.valueOf(3600);

    private Ledgers() {}

    /**
     * What an object says.
     *
     * @throws IllegalArgumentException if it says something that Slotwise never writes
     */
    public static Ledger ledger(NamespaceLedger object) {
        LedgerSpec spec = object.getSpec();
        String version = object.getMetadata().getResourceVersion();
        if (spec == null) {
            throw new IllegalArgumentException("expected a spec");
        }
        if (!NamespaceLedger.NAME.equals(object.getMetadata().getName())) {
            throw new IllegalArgumentException("expected the name " + NamespaceLedger.NAME);
        }
        try {
            TreeMap<Long, Charge> days = new TreeMap<>();
            for (LedgerSpec.Day day : spec.days()) {
                days.put(
                        LocalDate.parse(day.date()).toEpochDay(),
                        charge(cost(day.exactSpent(), day.wholeSpent()), cost(day.exactOverrun(), day.wholeOverrun()))
                                .lasting(seconds(day.processorTime())));
            }
            return new Ledger(
                    object.getMetadata().getNamespace(),
                    version == null ? "" : version,
                    statement(spec),
                    days,
                    spec.entries().stream().map(Ledgers::entry).toList());
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The object of a ledger; it names the version that the ledger was read from, if there is one. */
    public static NamespaceLedger object(Ledger ledger) {
        NamespaceLedger object = new NamespaceLedger();
        ObjectMetaBuilder meta =
                new ObjectMetaBuilder().withName(NamespaceLedger.NAME).withNamespace(ledger.namespace());
        if (!ledger.version().isEmpty()) {
            meta.withResourceVersion(ledger.version());
        }
        object.setMetadata(meta.build());
        object.setSpec(spec(ledger));
        return object;
    }

    private static LedgerSpec spec(Ledger ledger) {
        Allotment budget = ledger.shown().budget();
        List<LedgerSpec.Day> days = new ArrayList<>();
        ledger.days()
                .forEach((day, sum) -> days.add(new LedgerSpec.Day(
                        LocalDate.ofEpochDay(day).toString(),
                        exact(sum.total()),
                        exact(sum.overrun()),
                        whole(sum.total()),
                        whole(sum.overrun()),
                        known(sum.processorTime()))));
        return new LedgerSpec(
                budget == null ? null : budget.toString(),
                ledger.shown().balances().stream().map(Ledgers::period).toList(),
                days,
                ledger.entries().stream().map(Ledgers::entry).toList());
    }

    private static LedgerSpec.Period period(AccountBalance balance) {
        Charge spent = balance.spent();
        return new LedgerSpec.Period(
                Reservations.instant(balance.period().start()),
                Reservations.instant(balance.period().end()),
                balance.amount().toString(),
                shown(spent.total()),
                shown(spent.overrun()),
                shown(balance.held()),
                balance.left().roundedDown().toString(),
                exact(spent.total()),
                exact(spent.overrun()),
                exact(balance.held()),
                whole(spent.total()),
                whole(spent.overrun()),
                whole(balance.held()));
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
                settled == null ? null : exact(settled.charge().charged()),
                settled == null ? null : exact(settled.charge().overrun()),
                settled == null ? null : whole(settled.charge().charged()),
                settled == null ? null : whole(settled.charge().overrun()),
                known(entry.processorTime()));
    }

    private static LedgerEntry entry(LedgerSpec.Entry entry) {
        return new LedgerEntry(
                new LedgerEntry.Key(entry.uid(), second(entry.start())),
                entry.gang(),
                second(entry.end()),
                new Cost(entry.exactPromised()),
                seconds(entry.processorTime()),
                settled(entry));
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
                        second(entry.endedAt()));
    }

    private static LedgerStatement statement(LedgerSpec spec) {
        return new LedgerStatement(
                spec.budget() == null ? null : Allotment.parse(spec.budget()),
                spec.periods().stream().map(Ledgers::balance).toList());
    }

    private static AccountBalance balance(LedgerSpec.Period period) {
        return new AccountBalance(
                new Interval(second(period.start()), second(period.end())),
                Money.parse(period.budget()),
                charge(
                        cost(period.exactSpent(), period.wholeSpent()),
                        cost(period.exactOverrun(), period.wholeOverrun())),
                cost(period.exactHeld(), period.wholeHeld()));
    }

    private static Charge charge(Cost spent, Cost overrun) {
        return new Charge(spent.minus(overrun), overrun);
    }

    /** As an integer: the largest that there is where none can hold it, and {@link #whole} says it. */
    static long exact(Cost cost) {
        return cost.isNarrow() ? cost.microSecondsPerHour() : Long.MAX_VALUE;
    }

    /** In digits; null: {@link #exact} says it. */
    static @Nullable String whole(Cost cost) {
        return cost.isNarrow() ? null : cost.exact().toString();
    }

    /** What an integer and the digits beside it say. */
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

    /** Rounded up to a millionth. */
    private static String shown(Cost cost) {
        return new BigDecimal(cost.exact())
                .divide(MILLIONTH, 0, RoundingMode.CEILING)
                .movePointLeft(Money.SCALE)
                .setScale(Money.SCALE, RoundingMode.UNNECESSARY)
                .toPlainString();
    }

    private static long second(String instant) {
        return Instant.parse(instant).getEpochSecond();
    }
}
