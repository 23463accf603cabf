package io.slotwise.core.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.CommittedWindow;
import io.slotwise.core.ledger.HalfLife;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.LedgerStatement;
import io.slotwise.core.ledger.Period;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Proves that sums of money beyond the range of a long are exact. */
class WideMoneyTest {
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final long DAY = 20_000;
    private static final long NOW = DAY * Period.DAY_SECONDS;

    private static Ledger spending(long first, int days, Cost each) {
        TreeMap<Long, Charge> sums = new TreeMap<>();
        for (int i = 0; i < days; i++) {
            sums.put(first + i, new Charge(each, Cost.ZERO));
        }
        return new Ledger("ns", "", LedgerStatement.NONE, sums, List.of());
    }

    @Test
    void sumsDifferencesAndProductsAreExactWhateverTheirSize() {
        Cost most = new Cost(Long.MAX_VALUE);

        Cost sum = most.plus(most).plus(most);

        assertThat(sum.exact()).isEqualTo(LARGEST.multiply(BigInteger.valueOf(3)));
        assertThat(sum).isGreaterThan(most).isEqualTo(Cost.of(sum.exact())).hasSameHashCodeAs(Cost.of(sum.exact()));
        assertThat(sum.minus(most).minus(most)).isEqualTo(most);
        assertThat(sum.minus(most).minus(most).microSecondsPerHour()).isEqualTo(Long.MAX_VALUE);
        assertThat(most.minus(sum).orNothing()).isEqualTo(Cost.ZERO);
        assertThat(Cost.product(Long.MAX_VALUE, 7).exact()).isEqualTo(LARGEST.multiply(BigInteger.valueOf(7)));
        assertThat(Cost.product(-3, 7)).isEqualTo(new Cost(-21));
        assertThat(Cost.of(StepFunction.startingAt(Long.MAX_VALUE).then(10, 1).build(), 8, 12)
                        .exact())
                .isEqualTo(LARGEST.multiply(BigInteger.TWO).add(BigInteger.TWO));
        assertThat(sum.roundedUp().micros())
                .isEqualTo(sum.exact()
                        .add(BigInteger.valueOf(3599))
                        .divide(BigInteger.valueOf(3600))
                        .longValueExact());
        assertThatThrownBy(sum::microSecondsPerHour).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void aMonthOfAnyCurrencyIsAddedUp() {
        Cost day = Cost.of(Money.parse("1000000000"));
        Ledger ledger = spending(DAY - 30, 30, day);
        Allotment allotment = Allotment.parse("1000000000/month");

        Cost used = ledger.used(new HalfLife(100 * 365 * 24 * 3600L), NOW, UseUnit.MONEY);
        var balance = ledger.balance(
                allotment,
                new Interval(NOW - 31 * Period.DAY_SECONDS, NOW + 1),
                List.of(
                        new CommittedWindow(NOW - 1, new Cost(Long.MAX_VALUE)),
                        new CommittedWindow(NOW - 1, new Cost(Long.MAX_VALUE))),
                Cost.ZERO);

        assertThat(used).isGreaterThan(new Cost(Long.MAX_VALUE));
        assertThat(balance.charge().total().exact()).isEqualTo(day.exact().multiply(BigInteger.valueOf(30)));
        assertThat(balance.heldCost().exact()).isEqualTo(LARGEST.multiply(BigInteger.TWO));
        assertThat(balance.left()).isEqualTo(Cost.ZERO);
    }

    @Test
    void aLedgerWritesAmountsBeyondIntegersAsDigits() {
        Cost day = new Cost(Long.MAX_VALUE).plus(new Cost(Long.MAX_VALUE)).plus(new Cost(5));
        Ledger ledger = spending(DAY - 1, 2, day);
        Interval month = new Interval(NOW - Period.DAY_SECONDS, NOW + Period.DAY_SECONDS);
        Allotment allotment = Allotment.parse("5/month");
        Ledger shown = ledger.showing(new LedgerStatement(
                allotment,
                List.of(ledger.balance(allotment, month, List.of(new CommittedWindow(NOW, day)), Cost.ZERO))));

        Ledger read = Ledgers.ledger(Ledgers.object(shown));

        assertThat(read).isEqualTo(shown);
        assertThat(Ledgers.object(shown).getSpec().days().getFirst().exactSpent())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Ledgers.object(spending(DAY, 1, new Cost(7)))
                        .getSpec()
                        .days()
                        .getFirst()
                        .wholeSpent())
                .isNull();
    }

    @Test
    void halvesOfWideSumsAreExact() {
        Cost used = Cost.of(LARGEST.shiftLeft(20));

        assertThat(new HalfLife(100).left(used, 0)).isEqualTo(used);
        assertThat(new HalfLife(100).left(used, 100).exact()).isEqualTo(LARGEST.shiftLeft(19));
        assertThat(new HalfLife(100).left(used, 100L * 200)).isEqualTo(Cost.ZERO);
    }

    @Test
    void anOverrunOfAnyLengthIsCharged() {
        Placement placement = new Placement("p", "n", 0, 1, new Cost(Long.MAX_VALUE / 16));
        Window window = Window.of(new GangId("ns", "g"), 0, List.of(placement));

        Charge charge = Charge.of(
                window, PromiseTariff.CONSTANT, new Charge.Course(0, Collections.emptyMap(), 1_000_000, false));

        assertThat(charge.chargedCost()).isEqualTo(placement.cost());
        assertThat(charge.total().exact())
                .isEqualTo(BigInteger.valueOf(Long.MAX_VALUE / 16).multiply(BigInteger.valueOf(1_000_000)));
    }

    @Test
    void promisesBeyondAllMoneyAreChargedAndRefunded() {
        Account account = new Account("ns", 0, 100, new Cost(10));
        Window window =
                Window.of(new GangId("ns", "g"), 0, List.of(new Placement("p", "n", 0, 1, new Cost(Long.MAX_VALUE))));
        AccountBalances balances = new AccountBalances(List.of(account));

        balances.charge(window);
        balances.charge(window);
        assertThat(balances.of(window))
                .hasValueSatisfying(left -> assertThat(left.left()).isEqualTo(Cost.ZERO));
        balances.refund(window);
        balances.refund(window);

        assertThat(balances.of(window)).hasValue(account);
    }

    @Test
    void anyAmountIsShownAndReadBackRoundedUpToAMillionth() {
        Cost wide = Cost.product(Long.MAX_VALUE, 7200).plus(new Cost(1));

        assertThat(wide.shown()).isEqualTo("18446744073709.551615");
        assertThat(Cost.ZERO.minus(wide).shown()).isEqualTo("-18446744073709.551614");
        assertThat(new Cost(3601).shown()).isEqualTo("0.000002");
        assertThat(wide.microsDown()).isEqualTo(new BigInteger("18446744073709551614"));
        assertThat(new Cost(-3601).shown()).isEqualTo("-0.000001");
        assertThat(Cost.read("18446744073709.551615"))
                .isEqualTo(Cost.product(Long.MAX_VALUE, 7200).plus(new Cost(3600)));
        assertThat(Cost.read("-1.25").brief()).isEqualTo("-1.25");
        assertThat(Cost.read("40000000000").brief()).isEqualTo("40000000000");
        assertThat(new Currency("EUR").of(wide)).isEqualTo("18446744073709.551615 EUR");
        for (String text : List.of("", "much", "1e9", "1.0000001", "9".repeat(101))) {
            assertThatThrownBy(() -> Cost.read(text)).hasMessageContaining("expected a decimal number");
        }
    }
}
