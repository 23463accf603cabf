package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.InternalFailure;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A typed part of the reasons of one kind: a component of their record. Its type says how it is a figure, what words it
 * has in the sentence, and what it is in JSON. A number whose name ends with {@code Seconds} is a length of time. What
 * is null is no figure. The part {@code message} is the sentence itself, and no figure.
 */
public final class ReasonPart {
    private static final String SENTENCE = "message";
    private static final String DURATION = "Seconds";

    private final RecordComponent component;

    private ReasonPart(RecordComponent component) {
        this.component = component;
    }

    /** The template of the sentence: <code>{part}</code> is a part, <code>{part:short}</code> at most its beginning. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Says {
        String value();
    }

    /** A number that is an instant, seconds since the epoch. */
    @Target(ElementType.RECORD_COMPONENT)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Moment {
        /** Whether it goes with the clock where a fact of the reason says that it is about the first second. */
        boolean moves() default false;
    }

    /** The parts of a record, in order. */
    static List<ReasonPart> of(Class<? extends Refusal> reason) {
        return Arrays.stream(reason.getRecordComponents()).map(ReasonPart::new).toList();
    }

    /** By what its figure is known. */
    public String name() {
        return component.getName();
    }

    /** What it is a value of. */
    public Class<?> type() {
        return component.getType();
    }

    /** What a map is by: a {@link Keyed} or a string. */
    public Class<?> keys() {
        return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }

    /** Whether it is an instant. */
    public boolean isMoment() {
        return component.isAnnotationPresent(Moment.class);
    }

    /** Whether it is the sentence. */
    public boolean isSentence() {
        return name().equals(SENTENCE);
    }

    /** Whether a reason may be without it. */
    public boolean isOptional() {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** Its value in a reason. */
    @Nullable
    Object of(Refusal reason) {
        try {
            return component.getAccessor().invoke(reason);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its value for a reader who sees these namespaces: null for a gang of others, where it may be left out. */
    @Nullable
    Object of(Refusal reason, Predicate<String> namespaces) {
        Object value = of(reason);
        return value instanceof GangId gang && isOptional() ? GangId.asSeen(gang, namespaces) : value;
    }

    /** Whether it is a gang that a reader may not know. */
    boolean isHidden() {
        return type() == GangId.class && isOptional();
    }

    /**
     * Its figure in a reason; null: none.
     *
     * @param soon whether the reason is about the first second that could be planned
     */
    @Nullable
    ReasonFigure figure(Refusal reason, boolean soon) {
        Object value = of(reason);
        if (isSentence() || (value == null && !isHidden())) {
            return null;
        }
        return switch (value) {
            case null -> new ReasonFigure.Named(null);
            case GangId gang -> new ReasonFigure.Named(gang);
            case Integer count -> new ReasonFigure.Count(count);
            case Long number -> figure(number, soon);
            case Boolean fact -> fact ? new ReasonFigure.Fact() : null;
            case Money amount -> new ReasonFigure.Amount(amount);
            case Keyed word -> new ReasonFigure.Text(word.key());
            case InternalFailure error -> new ReasonFigure.Text(error.id());
            case Map<?, ?> counts -> new ReasonFigure.Counts(counts(counts));
            default -> new ReasonFigure.Text(value.toString());
        };
    }

    private ReasonFigure figure(long number, boolean soon) {
        Moment moment = component.getAnnotation(Moment.class);
        if (moment != null) {
            return new ReasonFigure.Moment(number, moment.moves() && soon);
        }
        return name().endsWith(DURATION) ? new ReasonFigure.Seconds(number) : new ReasonFigure.Count(number);
    }

    private static Map<String, Integer> counts(Map<?, ?> counts) {
        Map<String, Integer> figures = new LinkedHashMap<>();
        new TreeMap<>(counts)
                .forEach((key, count) ->
                        figures.put(key instanceof Keyed word ? word.key() : key.toString(), (Integer) count));
        return figures;
    }

    /** Its words in a sentence. */
    String words(Refusal reason, boolean inShort, Currency currency) {
        Object value = of(reason);
        return switch (value) {
            case null -> isHidden() ? GangId.named(null) : "none";
            case Long second when isMoment() -> Instant.ofEpochSecond(second).toString();
            case Long seconds when name().endsWith(DURATION) -> Durations.brief(seconds);
            case Money amount -> currency.of(amount);
            default -> inShort ? SafeText.value(value.toString()) : SafeText.line(value.toString());
        };
    }
}
