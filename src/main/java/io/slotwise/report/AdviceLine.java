package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.RequestChange;
import io.slotwise.core.window.Window;
import java.util.Locale;
import java.util.stream.Collectors;

/** An advice in one imperative sentence; the same on every face of Slotwise. */
public final class AdviceLine {
    private static final String EARLIER = "One of these changes would make it start earlier.";
    private static final String OTHER = "One of these changes would give it another window.";

    private AdviceLine() {}

    /** What comes before the advice for a gang that has a window; {@code earlier}: all of it makes it start earlier. */
    public static String heading(boolean earlier) {
        return earlier ? EARLIER : OTHER;
    }

    /** The sentence, with a full stop. */
    public static String of(Advice advice, Currency currency) {
        Window window = advice.window();
        return "%s to start at %s, end at %s and cost %s."
                .formatted(
                        what(advice.change(), currency),
                        TimeText.instant(window.start()),
                        TimeText.instant(window.end()),
                        currency.of(window.cost().roundedUp()));
    }

    private static String what(RequestChange change, Currency currency) {
        if (change instanceof RequestChange.NamespaceBudget budget) {
            return "Raise the budget of namespace %s by %s".formatted(budget.namespace(), currency.of(budget.more()));
        }
        String words = change.fields().entrySet().stream()
                .map(field -> field.getValue().isEmpty()
                        ? "remove slotwise.io/" + field.getKey()
                        : "set slotwise.io/%s to %s".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(" and "));
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
