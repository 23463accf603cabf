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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of all reasons, for the planner, the records and the events. Each row has the reason's record, its word,
 * the word of its event, and the names of the parts that are its subject.
 */
public enum RefusalKind implements Keyed {
    INVALID_REQUEST(Refusal.InvalidRequest.class, "InvalidRequest", "InvalidRequest"),
    WAITING_FOR_MEMBERS(Refusal.WaitingForMembers.class, "WaitingForMembers", null, "present", "size"),
    WAITING_FOR_GENERATION(Refusal.WaitingForGeneration.class, "WaitingForGeneration", null),
    WAITING_FOR_GROUP(Refusal.WaitingForGroup.class, "WaitingForGroup", null, "kind", "api", "name"),
    FOREIGN_GATE(Refusal.ForeignGate.class, "NoWindow", "NoWindow", "gate"),
    WAITING_FOR_VOLUME(Refusal.WaitingForVolume.class, "NoWindow", "NoWindow", "claim", "state"),
    WAITING_FOR_DEVICE(Refusal.WaitingForDevice.class, "NoWindow", "NoWindow", "claim", "state"),
    UNPLANNED_DEVICE(Refusal.UnplannedDevice.class, "InvalidRequest", "InvalidRequest", "claim", "feature"),
    NO_ELIGIBLE_NODE(Refusal.NoEligibleNode.class, "NoWindow", "NoWindow"),
    TOO_LARGE(Refusal.TooLarge.class, "NoWindow", "NoWindow", "size", "topology"),
    OVER_BUDGET(Refusal.OverBudget.class, "OverBudget", "OverBudget", "budget"),
    OVER_SLOT_PRICE(Refusal.OverSlotPrice.class, "OverBudget", "OverBudget", "limit"),
    DEADLINE(Refusal.Deadline.class, "NoWindow", "NoWindow", "deadline"),
    LONGER_THAN_HORIZON(Refusal.LongerThanHorizon.class, "NoWindow", "NoWindow"),
    BEYOND_HORIZON(Refusal.BeyondHorizon.class, "NoWindow", "NoWindow"),
    ENDS_BEYOND_HORIZON(Refusal.EndsBeyondHorizon.class, "NoWindow", "NoWindow"),
    BEHIND_PROMISES(Refusal.BehindPromises.class, "NoWindow", "NoWindow"),
    NO_WINDOW(Refusal.NoWindow.class, "NoWindow", "NoWindow", "size"),
    SEARCH_BOUNDED(Refusal.SearchBounded.class, "NoWindow", "NoWindow", "size", "slices"),
    POD_RULES(Refusal.PodRules.class, "NoWindow", "NoWindow", "rule", "label", "pods"),
    BEHIND_RULE(Refusal.BehindRule.class, "NoWindow", "NoWindow", "rule", "gang"),
    NO_DOMAIN(Refusal.NoDomain.class, "NoWindow", "NoWindow", "label"),
    NOT_BACKFILLED(Refusal.NotBackfilled.class, "NoWindow", "NoWindow"),
    NOT_BEFORE(Refusal.NotBefore.class, "NoWindow", "NoWindow"),
    BACKING_OFF(Refusal.BackingOff.class, "BackingOff", null),
    WRITE_REFUSED(Refusal.WriteRefused.class, "WriteRefused", "WriteRefused"),
    BATCH_LIMIT(Refusal.BatchLimit.class, "BatchLimit", "NoWindow", "limit"),
    NAMESPACE_BUDGET(Refusal.NamespaceBudget.class, "OverBudget", "OverBudget", "namespace"),
    QUEUE_CLOSED(Refusal.QueueClosed.class, "QueueClosed", "NoWindow", "queue"),
    QUEUE_FULL(Refusal.QueueFull.class, "QueueFull", "NoWindow", "queue"),
    QUEUE_BUDGET(Refusal.QueueBudget.class, "OverBudget", "OverBudget", "queue"),
    BEHIND(Refusal.Behind.class, "Behind", "NoWindow"),
    AWAITS_RESERVATION(Refusal.AwaitsReservation.class, "AwaitsReservation", "NoWindow", "reservation"),
    AFTER_MISSING(Refusal.AfterMissing.class, "WaitingForPredecessor", "NoWindow", "gang"),
    AFTER_PENDING(Refusal.AfterPending.class, "WaitingForPredecessor", "NoWindow", "gang"),
    AFTER_CIRCLE(Refusal.AfterCircle.class, "InvalidRequest", "InvalidRequest", "gang"),
    INTERNAL_ERROR(Refusal.Failed.class, "InternalError", "InternalError", "error");

    private static final Map<Class<?>, RefusalKind> BY_RECORD =
            Arrays.stream(values()).collect(Collectors.toMap(kind -> kind.reason, Function.identity()));

    private final Class<? extends Refusal> reason;

    @SuppressWarnings("ImmutableEnumChecker") // made by toList
    private final List<Part> parts;

    private final String word;
    private final @Nullable String event;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> subject;

    RefusalKind(Class<? extends Refusal> reason, String word, @Nullable String event, String... subject) {
        this.reason = reason;
        this.parts = Part.of(reason);
        this.word = word;
        this.event = event;
        this.subject = List.of(subject);
    }

    /** Returns the reason in the conditions of records and pods. Several kinds may share one. */
    public String word() {
        return word;
    }

    /** Returns the reason of its event, or null if there is no event. */
    public @Nullable String event() {
        return event;
    }

    /**
     * Returns the figures that are the subject: the gang's requests, and the objects in the way. The other figures
     * change with the cluster.
     */
    public List<String> subject() {
        return subject;
    }

    /** Returns a reason of this kind with these values of its parts. Throws if there is no such reason. */
    public Refusal make(Function<Part, @Nullable Object> values) {
        try {
            return reason.getDeclaredConstructor(parts.stream().map(Part::type).toArray(Class<?>[]::new))
                    .newInstance(parts.stream().map(values).toArray());
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static RefusalKind of(Class<?> reason) {
        return Objects.requireNonNull(BY_RECORD.get(reason));
    }

    String says() {
        return reason.getAnnotation(Says.class).value();
    }

    String sentence(Refusal refusal, Currency currency) {
        StringBuilder sentence = new StringBuilder();
        boolean isPart = false;
        StringTokenizer pieces = new StringTokenizer(refusal.says(), "{}", true);
        while (pieces.hasMoreTokens()) {
            String piece = pieces.nextToken();
            switch (piece) {
                case "{" -> isPart = true;
                case "}" -> isPart = false;
                default -> sentence.append(isPart ? words(refusal, piece, currency) : piece);
            }
        }
        return sentence.toString();
    }

    private String words(Refusal refusal, String name, Currency currency) {
        return parts.stream()
                .filter(part -> name.equals(part.name()) || name.equals(part.name() + ":short"))
                .findFirst()
                .orElseThrow()
                .words(refusal, name.endsWith(":short"), currency);
    }

    SequencedMap<String, ReasonFigure> figures(Refusal refusal) {
        boolean soon = parts.stream().anyMatch(part -> Boolean.TRUE.equals(part.of(refusal)));
        SequencedMap<String, ReasonFigure> figures = new LinkedHashMap<>();
        for (Part part : parts) {
            ReasonFigure figure = part.figure(refusal, soon);
            if (figure != null) {
                figures.put(part.name(), figure);
            }
        }
        return figures;
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
        /** Returns whether the instant moves with the clock if the reason is about the first second. */
        boolean moves() default false;
    }

    /**
     * A typed part of the reasons of one kind: a component of their record. Its type determines the figure, the words
     * in the sentence, and the JSON form. A number whose name ends with {@code Seconds} is a length of time. Null is no
     * figure. The part {@code message} is the sentence itself, and no figure.
     */
    public static final class Part {
        private static final String SENTENCE = "message";
        private static final String DURATION = "Seconds";

        private final RecordComponent component;

        private Part(RecordComponent component) {
            this.component = component;
        }

        static List<Part> of(Class<? extends Refusal> reason) {
            return Arrays.stream(reason.getRecordComponents()).map(Part::new).toList();
        }

        public String name() {
            return component.getName();
        }

        public Class<?> type() {
            return component.getType();
        }

        /** Returns the key type of a map: a {@link Keyed} or a string. */
        public Class<?> keys() {
            return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
        }

        public boolean isMoment() {
            return component.isAnnotationPresent(Moment.class);
        }

        public boolean isSentence() {
            return name().equals(SENTENCE);
        }

        /** Returns whether a reason may lack this part. */
        public boolean isOptional() {
            return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        }

        @Nullable
        Object of(Refusal refusal) {
            try {
                return component.getAccessor().invoke(refusal);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Returns the part's value for a reader of these namespaces. An optional gang of another namespace is null. */
        @Nullable
        Object of(Refusal refusal, Predicate<String> namespaces) {
            Object value = of(refusal);
            return value instanceof GangId gang && isOptional() ? GangId.asSeen(gang, namespaces) : value;
        }

        /** Returns whether this is a gang that may be hidden from a reader. */
        boolean isHidden() {
            return type() == GangId.class && isOptional();
        }

        /**
         * Returns the part's figure in a reason, or null. {@code soon}: the reason is about the first second of the
         * plan.
         */
        @Nullable
        ReasonFigure figure(Refusal refusal, boolean soon) {
            Object value = of(refusal);
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
                case Keyed keyed -> new ReasonFigure.Text(keyed.key());
                case InternalFailure failure -> new ReasonFigure.Text(failure.id());
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
                            figures.put(key instanceof Keyed keyed ? keyed.key() : key.toString(), (Integer) count));
            return figures;
        }

        private String words(Refusal refusal, boolean inShort, Currency currency) {
            Object value = of(refusal);
            return switch (value) {
                case null -> isHidden() ? GangId.named(null) : "none";
                case Long second
                when isMoment() -> Instant.ofEpochSecond(second).toString();
                case Long seconds when name().endsWith(DURATION) -> Durations.brief(seconds);
                case Money amount -> currency.of(amount);
                default -> inShort ? SafeText.value(value.toString()) : SafeText.line(value.toString());
            };
        }
    }
}
