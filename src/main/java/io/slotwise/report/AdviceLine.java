package io.slotwise.report;

import io.slotwise.core.money.Currency;
import io.slotwise.core.plan.Advice;
import io.slotwise.core.plan.Change;
import io.slotwise.core.window.Window;
import java.util.stream.Collectors;

/** An advice in one sentence that starts with "Maybe"; the same on every face of Slotwise. */
public final class AdviceLine {
    /** What comes before the advice for a gang that has a window. */
    public static final String EARLIER = "Submitted with one of these changes it would start earlier.";

    private AdviceLine() {}

    /** The sentence, with a full stop. */
    public static String of(Advice advice, Currency currency) {
        Window window = advice.window();
        return "Maybe %s: it would start at %s, end at %s and cost %s."
                .formatted(
                        what(advice.change(), currency),
                        TimeText.instant(window.start()),
                        TimeText.instant(window.end()),
                        currency.of(window.cost().roundedUp()));
    }

    private static String what(Change change, Currency currency) {
        if (change instanceof Change.NamespaceBudget budget) {
            return "raise the budget of namespace %s by %s".formatted(budget.namespace(), currency.of(budget.more()));
        }
        return change.fields().entrySet().stream()
                .map(field -> field.getValue().isEmpty()
                        ? "leave out slotwise.io/" + field.getKey()
                        : "set slotwise.io/%s to %s".formatted(field.getKey(), field.getValue()))
                .collect(Collectors.joining(" and "));
    }
}
