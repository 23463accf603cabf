package io.slotwise.report;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.ReasonFigure;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.RefusalKind;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.work.InternalFailure;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a reason for waiting, by name, for JSON: money is a string with six decimals, an instant RFC 3339, a
 * duration whole seconds. Gangs that the reader may not see are left out.
 */
public final class RefusalFigures {
    private RefusalFigures() {}

    /** Returns the figures in the order of the sentence. {@link Refusal#key} determines which there are. */
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

    /** Returns the smallest type that fits, so that figures are equal after they are read again. */
    private static Number number(long value) {
        if (value == (int) value) {
            return (int) value;
        }
        return value;
    }

    /** Returns the reason of a key with these figures. Null if this version does not know it or cannot read it. */
    public static @Nullable Refusal read(@Nullable String key, Map<String, Object> figures, String message) {
        for (RefusalKind kind : RefusalKind.values()) {
            if (kind.key().equals(key)) {
                try {
                    Refusal refusal =
                            kind.make(part -> part.isSentence() ? message : value(part, figures.get(part.name())));
                    // Figures that no replica would write may have no message.
                    return refusal.message().isEmpty() ? null : refusal;
                } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
                    return null;
                }
            }
        }
        return null;
    }

    private static @Nullable Object value(RefusalKind.Part part, @Nullable Object shown) {
        if (part.type() == boolean.class) {
            return Boolean.TRUE.equals(shown);
        }
        if (shown == null && part.isOptional()) {
            return null;
        }
        return switch (shown) {
            case Integer number when part.type() == int.class -> number;
            case Number number when part.type() == long.class && !part.isMoment() -> whole(number);
            case String text when part.isMoment() -> Instant.parse(text).getEpochSecond();
            case String text when part.type() == String.class -> text;
            case String text when part.type() == Money.class -> Money.parse(text);
            case String text when part.type() == GangId.class -> gang(text);
            case String text when part.type() == InternalFailure.class -> InternalFailure.named(text);
            case String text when part.type().isEnum() -> word(part.type(), text);
            case Map<?, ?> counts when part.type() == Map.class -> counts(part, counts);
            case null, default ->
                throw new IllegalArgumentException("The figure %s (%s) is not valid.".formatted(part.name(), shown));
        };
    }

    private static long whole(Number number) {
        if (number instanceof Integer || number instanceof Long) {
            return number.longValue();
        }
        throw new IllegalArgumentException("The figure (%s) is not a whole number.".formatted(number));
    }

    private static GangId gang(String text) {
        int slash = text.indexOf('/');
        return new GangId(text.substring(0, Math.max(0, slash)), text.substring(slash + 1));
    }

    private static Object word(Class<?> values, String key) {
        return Keyed.of(values.asSubclass(Keyed.class), key)
                .orElseThrow(() -> new IllegalArgumentException("The word (%s) is not known.".formatted(key)));
    }

    private static Map<Object, Integer> counts(RefusalKind.Part part, Map<?, ?> shown) {
        Map<Object, Integer> counts = new HashMap<>();
        shown.forEach((key, count) -> {
            if (!(count instanceof Integer number)) {
                throw new IllegalArgumentException("The figure %s has no count (%s).".formatted(part.name(), count));
            }
            String name = String.valueOf(key);
            if (!part.keys().isEnum()) {
                counts.put(name, number);
            } else {
                // A name that only another version knows is left out.
                Keyed.of(part.keys().asSubclass(Keyed.class), name).ifPresent(known -> counts.put(known, number));
            }
        });
        return counts;
    }
}
