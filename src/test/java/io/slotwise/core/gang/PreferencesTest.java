package io.slotwise.core.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import org.junit.jupiter.api.Test;

class PreferencesTest {
    private static final long NOON = 1_893_499_200;
    private static final long HOUR = 3600;
    private static final Preferences WISH = Preferences.NONE
            .withPreferredStart(new Preferred<>(NOON, 2 * Preferred.ONE))
            .withPreferredFinish(new Preferred<>(NOON + HOUR, 500))
            .withPreferredCost(new Preferred<>(Money.parse("5"), Preferred.ONE));

    private static long exact(String cost) {
        return Cost.of(Money.parse(cost)).microSecondsPerHour();
    }

    private static String shown(Preferences wish, long start, long end, String cost) {
        return wish.shown(wish.distance(start, end, exact(cost))).toPlainString();
    }

    @Test
    void anHourOffByTheWeightOneIsAsFarAsPayingDouble() {
        assertThat(shown(WISH, NOON, NOON + HOUR, "5")).isEqualTo("0.000");
        assertThat(shown(WISH, NOON - HOUR, NOON, "5")).isEqualTo("2.000");
        assertThat(shown(WISH, NOON + HOUR / 4, NOON + HOUR, "5")).isEqualTo("0.500");
        assertThat(shown(WISH, NOON, NOON + 2 * HOUR, "5")).isEqualTo("0.500");
        assertThat(shown(WISH, NOON, NOON + HOUR, "10")).isEqualTo("1.000");
        assertThat(shown(WISH, NOON + HOUR / 4, NOON + 2 * HOUR, "10")).isEqualTo("2.000");
    }

    @Test
    void endingSoonerAndPayingLessAreNoErrors() {
        assertThat(WISH.distance(NOON, NOON + 1, 0)).isZero();
    }

    @Test
    void weightsAreRelativeToThatOfTheCost() {
        Preferences twice = WISH.withPreferredCost(new Preferred<>(Money.parse("5"), 2 * Preferred.ONE));
        Preferences timed = Preferences.NONE.withPreferredStart(new Preferred<>(NOON, 1500));

        assertThat(shown(twice, NOON - HOUR, NOON, "5")).isEqualTo("2.000");
        assertThat(shown(twice, NOON, NOON + HOUR, "10")).isEqualTo("2.000");
        assertThat(shown(timed, NOON + HOUR, NOON + 2 * HOUR, "7")).isEqualTo("1.500");
    }

    @Test
    void paymentsOutsideTheWindowArePartOfTheCost() {
        Preferences spent = WISH.spending(new Cost(exact("3")));

        assertThat(shown(spent, NOON, NOON, "2")).isEqualTo("0.000");
        assertThat(shown(spent, NOON, NOON, "7")).isEqualTo("1.000");
        assertThat(WISH.spending(new Cost(exact("8"))).distance(NOON, NOON, 0)).isEqualTo(exact("3"));
        assertThat(spent.stated()).isEqualTo(WISH);
    }

    @Test
    void aPartOfTheGangPrefersAPartOfTheCost() {
        assertThat(WISH.part(2).distance(NOON, NOON, exact("5"))).isEqualTo(exact("2.5"));
        assertThat(shown(WISH.part(5), NOON, NOON, "2")).isEqualTo("1.000");
        assertThat(Preferences.NONE.part(5)).isEqualTo(Preferences.NONE);
    }

    @Test
    void amountsBeyondALongCountAsItsMaximum() {
        Preferences dear = Preferences.NONE
                .withPreferredStart(new Preferred<>(0L, Preferred.MOST))
                .withPreferredFinish(new Preferred<>(0L, Preferred.MOST))
                .withPreferredCost(new Preferred<>(Money.parse("1000000000"), 1));

        assertThat(dear.distance(NOON, NOON, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        assertThat(dear.distance(NOON, NOON, 0)).isBetween(Long.MAX_VALUE / 2 - 10, Long.MAX_VALUE);
        assertThat(dear.spending(Cost.UNLIMITED).costError(Long.MAX_VALUE)).isPositive();
    }

    @Test
    void aPreferredCostAndWeightsMustBePositive() {
        assertThatThrownBy(() -> Preferences.NONE.withPreferredCost(new Preferred<>(Money.ZERO, 1)))
                .hasMessage("The preferred cost (0) must be positive.");
        assertThatThrownBy(() -> new Preferred<>(1L, 0))
                .hasMessage("The weight (0 thousandths) must be between 1 and 1000000.");
    }
}
