package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A gang's preferences for its window.
 *
 * @param start the preferred start, RFC 3339, or null
 * @param finish the preferred latest end, RFC 3339, or null
 * @param cost the preferred maximum cost, currency units, or null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PreferredSpec(
        @Nullable Wish start,
        @Nullable Wish finish,
        @Nullable Wish cost) {
    /**
     * A preference.
     *
     * @param value the preferred value
     * @param weight the weight of a deviation, thousandths; null for 1000
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Wish(@Nullable String value, @Nullable Integer weight) {
        private static @Nullable <T> Wish of(@Nullable Preferred<T> preferred, Function<T, String> text) {
            return preferred == null
                    ? null
                    : new Wish(
                            text.apply(preferred.reference()),
                            preferred.weight() == Preferred.ONE ? null : preferred.weight());
        }

        private static @Nullable <T> Preferred<T> read(@Nullable Wish wish, Function<String, T> reference) {
            return wish == null || wish.value() == null
                    ? null
                    : new Preferred<>(
                            reference.apply(wish.value()), wish.weight() == null ? Preferred.ONE : wish.weight());
        }
    }

    /** Returns the preferences as they are written, or null if there are none. */
    static @Nullable PreferredSpec of(Preferences preferences) {
        return preferences.isNone()
                ? null
                : new PreferredSpec(
                        Wish.of(preferences.preferredStart(), Reservations::instant),
                        Wish.of(preferences.preferredFinish(), Reservations::instant),
                        Wish.of(preferences.preferredCost(), Money::toString));
    }

    /**
     * Reads the written form. A preferred cost of zero is no preference.
     *
     * @throws IllegalArgumentException if Slotwise would never write it
     */
    static Preferences read(@Nullable PreferredSpec spec) {
        if (spec == null) {
            return Preferences.NONE;
        }
        Preferred<Money> preferredCost = Wish.read(spec.cost, Money::parse);
        return new Preferences(
                Wish.read(spec.start, RecordTime::second),
                Wish.read(spec.finish, RecordTime::second),
                preferredCost == null || preferredCost.reference().equals(Money.ZERO) ? null : preferredCost,
                Cost.ZERO);
    }
}
