package io.slotwise.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Preferred;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A gang's preferences as in its annotations, null if any will do, and the distance of its window from them.
 *
 * @param distance without unit, with three digits; null without a window
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PreferenceRow(
        @Nullable String start,
        @Nullable String finish,
        @Nullable String cost,
        @Nullable String distance,
        String message) {
    public static @Nullable PreferenceRow of(Preferences preferences, @Nullable Window window, Currency currency) {
        if (preferences.isNone()) {
            return null;
        }
        String distance = window == null ? null : distance(preferences, window);
        return new PreferenceRow(
                spelled(preferences.preferredStart(), TimeText::instant),
                spelled(preferences.preferredFinish(), TimeText::instant),
                spelled(preferences.preferredCost(), Money::brief),
                distance,
                sentence(preferences, currency)
                        + (distance == null ? "." : "; its window is at a distance of %s.".formatted(distance)));
    }

    static String distance(Preferences preferences, Window window) {
        return preferences
                .shown(preferences.distance(
                        window.start(), window.end(), window.cost().microSecondsPerHour()))
                .toPlainString();
    }

    /** Returns the preferences in a sentence without a full stop. */
    static String sentence(Preferences preferences, Currency currency) {
        List<String> parts = new ArrayList<>();
        add(parts, "to start at ", preferences.preferredStart(), TimeText::instant);
        add(parts, "to end by ", preferences.preferredFinish(), TimeText::instant);
        add(parts, "to cost at most ", preferences.preferredCost(), currency::of);
        String last = parts.removeLast();
        return "It prefers " + (parts.isEmpty() ? "" : String.join(", ", parts) + " and ") + last;
    }

    private static <T> void add(
            List<String> parts, String words, @Nullable Preferred<T> preferred, Function<T, String> reference) {
        if (preferred != null) {
            parts.add(words + preferred.spelled(reference.apply(preferred.reference())));
        }
    }

    private static <T> @Nullable String spelled(@Nullable Preferred<T> preferred, Function<T, String> reference) {
        return preferred == null ? null : preferred.spelled(reference.apply(preferred.reference()));
    }
}
