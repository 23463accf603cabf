package io.slotwise.report;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.ReasonFigure;
import io.slotwise.core.plan.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a reason for waiting, by name, as they stand in JSON: money is a string with six decimals, an instant
 * RFC 3339, a duration whole seconds. A gang that the reader may not know is left out.
 */
public final class RefusalFigures {
    private RefusalFigures() {}

    /**
     * The figures, in the order in which the sentence has them; the reason {@link Refusal#key} says which there are.
     */
    public static Map<String, Object> of(Refusal refusal) {
        Map<String, Object> figures = new LinkedHashMap<>();
        refusal.figures().forEach((name, figure) -> {
            Object shown = shown(figure);
            if (shown != null) {
                figures.put(name, shown);
            }
        });
        return figures;
    }

    private static @Nullable Object shown(ReasonFigure figure) {
        return switch (figure) {
            case ReasonFigure.Count count -> number(count.value());
            case ReasonFigure.Seconds seconds -> seconds.value();
            case ReasonFigure.Counts counts -> counts.values();
            case ReasonFigure.Amount amount -> amount.value().toString();
            case ReasonFigure.Moment moment -> TimeText.instant(moment.second());
            case ReasonFigure.Fact _ -> true;
            case ReasonFigure.Text text -> text.value();
            case ReasonFigure.Named(GangId gang) -> gang == null ? null : gang.toString();
        };
    }

    /** As small as it fits, so that figures that were read again are equal. */
    private static Number number(long value) {
        if (value == (int) value) {
            return (int) value;
        }
        return value;
    }
}
