package io.slotwise.core.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.ReasonStatement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CurrencyTest {
    private static final Money AMOUNT = new Money(1_250_000);

    @ParameterizedTest
    @CsvSource({"EUR, 1.25 EUR", "€, €1.25", "$, $1.25", "credits, 1.25 credits", "R$, 1.25 R$"})
    void aCurrencyNameFollowsTheAmountAndASignPrecedesIt(String name, String shown) {
        Currency currency = new Currency(name);

        assertThat(currency.of(AMOUNT)).isEqualTo(shown);
        assertThat(currency.heading("COST")).isEqualTo("COST " + name);
    }

    @Test
    void withoutACurrencyTheAmountIsAlone() {
        assertThat(Currency.NONE.of(AMOUNT)).isEqualTo("1.25");
        assertThat(Currency.NONE.heading("COST")).isEqualTo("COST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"much-too-long", "1", "E R", "\u001b[1m"})
    void anInvalidNameIsRefused(String name) {
        assertThatThrownBy(() -> new Currency(name)).hasMessageContaining("must have up to 8 letters");
    }

    @Test
    void aReasonStatesItsCurrency() {
        Refusal refusal = new Refusal.OverBudget(new Money(3_200_000), 0, new Money(2_000_000), true);
        ReasonStatement told = refusal.in(new Currency("EUR"));

        assertThat(told.message())
                .isEqualTo("no window within budget: the cheapest costs 3.2 EUR, the budget is 2 EUR");
        assertThat(told.asSeen(_ -> false).message()).isEqualTo(told.message());
        assertThat(refusal.message()).isEqualTo("no window within budget: the cheapest costs 3.2, the budget is 2");
        assertThat(refusal.in(Currency.NONE)).isSameAs(refusal);
    }
}
