package io.slotwise.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.RecordedTerms;
import io.slotwise.report.Explanation;
import io.slotwise.report.Explanation.PredecessorText;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.PreferenceRow;
import io.slotwise.report.RefusalFigures;
import io.slotwise.web.PlannerAnswer.AdviceAnswer;
import io.slotwise.web.PlannerAnswer.BuyingAnswer;
import io.slotwise.web.PlannerAnswer.ChoiceAnswer;
import io.slotwise.web.PlannerAnswer.DomainsAnswer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one gang. Instants are RFC 3339, costs currency units with six decimals.
 *
 * @param gang {@code namespace/name}
 * @param reason why it waits, or that it is promised, in the word of its Reservation's condition
 * @param key why it waits, in the word that programs compare; null: it does not wait
 * @param figures those of the key, by name; null without one
 * @param message the same in one sentence
 * @param criterion what it wants to be least; null: not known
 * @param budget the most that it may cost; null: no limit
 * @param choice how its window was chosen; null: it was not chosen from alternatives in the last cycle, or another
 *     replica plans
 * @param domains how its resource domain was chosen, if it is in an online mode; null: it is not, or this is not known
 *     here
 * @param advice what would make it start, or start earlier; null: it has started, it was not asked for, or another
 *     replica plans
 * @param hint what to do where no advice was found; null: none
 * @param promisedStart the start that was expected with the first promise; null: none
 * @param attempts how many times it was rolled back after its release
 * @param avoided nodes that refused it a short while ago
 * @param kind {@code gang}, or {@code reservation} for an advance reservation
 * @param reservation the advance reservation that its window is a part of; null: none
 * @param runtime where its runtime comes from; null: not known
 * @param story what happened to it, oldest first; what its record does not keep is known to the replica alone that told
 *     it
 * @param valueOfTime what it is worth to the gang that its end comes an hour earlier; null: nothing
 * @param valueUntil a later end than this costs it nothing more, RFC 3339; null: it always does
 * @param delayValue what the end of its window is worth at that; null without one
 * @param promisedBy the latest start that is promised; null: the window's, or there is none
 * @param preferred what it prefers, and how far its window is from that; null: nothing
 * @param after the gangs after whose end it starts, as far as the reader may know them
 * @param buying what one would buy for it; null: nothing, nothing is looked for, or another replica plans
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GangAnswer(
        String gang,
        String phase,
        String reason,
        @Nullable String key,
        @Nullable Map<String, Object> figures,
        String message,
        String next,
        @Nullable String criterion,
        @Nullable String budget,
        @Nullable WindowAnswer window,
        @Nullable ChoiceAnswer choice,
        @Nullable DomainsAnswer domains,
        @Nullable List<AdviceAnswer> advice,
        @Nullable String hint,
        @Nullable String promisedStart,
        @Nullable String startedAt,
        @Nullable String endedAt,
        int attempts,
        @Nullable MovedAnswer moved,
        List<String> avoided,
        String kind,
        @Nullable String reservation,
        @Nullable RuntimeAnswer runtime,
        @Nullable List<GangStory.Event> story,
        @Nullable String valueOfTime,
        @Nullable String valueUntil,
        @Nullable String delayValue,
        @Nullable String promisedBy,
        @Nullable PreferenceRow preferred,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> after,
        @Nullable String currency,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PurchaseAnswer> purchases,
        @Nullable BuyingAnswer buying) {
    /** A reader hands in null for what a server of another version does not say. */
    public GangAnswer {
        after = after == null ? List.of() : List.copyOf(after);
        purchases = purchases == null ? List.of() : List.copyOf(purchases);
    }

    /**
     * Where a runtime comes from.
     *
     * @param seconds on a node of performance 1
     * @param source {@code stated}, {@code predicted} or {@code default}
     * @param workload whose runs are remembered, for people
     * @param runs how many past runs there are that tell it; null: none
     * @param typicalSeconds half of them were no longer; null without any
     * @param quantile the part of them that ended within {@code withinSeconds}, such as {@code 0.9}; null without any
     * @param withinSeconds see there; null without any
     * @param hint what to do where the stated one is far from what past runs tell; null: nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record RuntimeAnswer(
            long seconds,
            String source,
            String workload,
            @Nullable Integer runs,
            @Nullable Long typicalSeconds,
            @Nullable String quantile,
            @Nullable Long withinSeconds,
            @Nullable String message,
            @Nullable String hint) {
        static @Nullable RuntimeAnswer of(RecordedTerms terms) {
            RuntimeSource source = terms.source();
            if (source == null) {
                return null;
            }
            Prediction knownPrediction = source.prediction();
            Prediction heldPrediction = source.predicted().orElse(null);
            return new RuntimeAnswer(
                    terms.runtime(),
                    source.stated() ? "stated" : heldPrediction == null ? "default" : "predicted",
                    source.workload().name(),
                    knownPrediction == null ? null : knownPrediction.runs(),
                    knownPrediction == null ? null : knownPrediction.typical(),
                    knownPrediction == null
                            ? null
                            : BigDecimal.valueOf(knownPrediction.quantile(), 6)
                                    .stripTrailingZeros()
                                    .toPlainString(),
                    knownPrediction == null ? null : knownPrediction.within(),
                    heldPrediction == null ? null : heldPrediction.words(),
                    source.hint(terms.runtime()).orElse(null));
        }
    }

    /**
     * A node that is bought for a window.
     *
     * @param node its name until it is there, which is that of its NodeClaim
     * @param state {@code planned}, {@code starting} or {@code bought}, when it is there; null: not known
     * @param paidUntil the first instant in which they cannot, for the same bill
     * @param bill all that is paid for it
     */
    public record PurchaseAnswer(
            String node,
            String offer,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String state,

            String boughtAt,
            String readyAt,
            String paidUntil,
            String bill) {
        static List<PurchaseAnswer> of(GangRecord record, @Nullable Instant now) {
            Promise promise = record.promise();
            return promise == null
                    ? List.of()
                    : promise.orders().stream()
                            .map(order -> of(order, state(order, promise, now)))
                            .toList();
        }

        private static @Nullable String state(PurchaseOrder order, Promise promise, @Nullable Instant now) {
            if (!promise.window().isOn(order.node())) {
                return "bought";
            }
            return now == null ? null : now.getEpochSecond() < order.bought() ? "planned" : "starting";
        }

        private static PurchaseAnswer of(PurchaseOrder order, @Nullable String state) {
            return new PurchaseAnswer(
                    order.node(),
                    order.offer(),
                    state,
                    instant(order.bought()),
                    instant(order.ready()),
                    instant(order.end()),
                    new Cost(order.bill()).shown());
        }
    }

    public record WindowAnswer(String start, String end, String cost, List<PlaceAnswer> placement) {
        static WindowAnswer of(Window window) {
            return new WindowAnswer(
                    instant(window.start()),
                    instant(window.end()),
                    window.cost().shown(),
                    window.placements().stream()
                            .map(placement -> new PlaceAnswer(placement.pod(), placement.node()))
                            .toList());
        }
    }

    public record PlaceAnswer(String pod, String node) {}

    /**
     * What a gang did before it was moved.
     *
     * @param workSeconds on the reference node that were left then
     * @param overheadSeconds on the reference node that its next run spends on its restart
     * @param runs those that were ended by a move within an hour of the last one, oldest first
     */
    public record MovedAnswer(int times, String spent, long workSeconds, long overheadSeconds, List<RunAnswer> runs) {
        static MovedAnswer of(MigrationHistory history) {
            return new MovedAnswer(
                    history.times(),
                    history.spent().shown(),
                    history.work(),
                    history.overhead(),
                    history.legs().stream()
                            .map(leg -> new RunAnswer(
                                    instant(leg.start()),
                                    instant(leg.endedAt()),
                                    leg.charge().total().shown()))
                            .toList());
        }
    }

    /** A run that a move ended. */
    public record RunAnswer(String start, String end, String cost) {}

    /** The answer from what the Reservation says alone. */
    public static GangAnswer of(GangRecord record) {
        return of(
                record,
                record.plannedAspect().refusal(),
                PlannerAnswer.SILENT,
                GangStory.of(record.history(), List.of(), record.gang().namespace()::equals),
                new Reader(record.gang().namespace()::equals, Currency.NONE, null));
    }

    /**
     * Whom it is for.
     *
     * @param seen namespaces of which the reader may see the gangs
     * @param now what has been bought by then; null: not known
     */
    record Reader(
            Predicate<String> seen,
            Currency currency,
            @Nullable Instant now) {}

    /**
     * The answer from what the Reservation says and what the planner adds.
     *
     * @param refusal why the gang waits, as the reader may know it; null: it does not, or its record has no value for
     *     it
     */
    static GangAnswer of(
            GangRecord record,
            @Nullable Refusal refusal,
            PlannerAnswer planner,
            @Nullable List<GangStory.Event> story,
            Reader reader) {
        Currency currency = reader.currency();
        Promise promise = record.promise();
        MigrationHistory history = record.history().history();
        Money budget = record.terms().budget();
        RecordedTerms.Worth worth = record.terms().worth();
        return new GangAnswer(
                record.gang().toString(),
                record.phase().key(),
                record.plannedAspect().reason(),
                refusal == null ? null : refusal.key(),
                refusal == null ? null : RefusalFigures.of(refusal),
                message(record, refusal, currency),
                next(record, refusal, currency),
                record.terms().criterion(),
                budget == null ? null : budget.toString(),
                promise == null ? null : WindowAnswer.of(promise.window()),
                planner.choice(),
                planner.domains(),
                planner.advice(),
                refusal == null || isAdvised(planner) ? null : Explanation.hint(refusal),
                optional(record.history().promisedStart()),
                optional(record.history().startedAt()),
                optional(record.history().endedAt()),
                record.history().attempts(),
                history == null ? null : MovedAnswer.of(history),
                List.copyOf(record.avoided().keySet()),
                record.ownership().isHeld() ? GangRow.RESERVATION : GangRow.GANG,
                record.ownership().reservation(),
                RuntimeAnswer.of(record.terms()),
                story,
                worth == null ? null : worth.hour().toString(),
                worth == null || worth.until() == Interval.FOREVER ? null : instant(worth.until()),
                worth == null || promise == null
                        ? null
                        : worth.delay(promise.window().end()).shown(),
                optional(record.promisedBy()),
                PreferenceRow.of(record.terms().preferences(), promise == null ? null : promise.window(), currency),
                PredecessorText.names(record.terms().predecessors(), reader.seen()),
                currency.isNone() ? null : currency.name(),
                PurchaseAnswer.of(record, reader.now()),
                planner.buying());
    }

    /** Why it waits, or that it is promised; of an advance reservation also who takes it over, and how it ended. */
    static String message(GangRecord record, @Nullable Refusal refusal, Currency currency) {
        boolean told = record.ownership().isHeld()
                && record.promise() != null
                && !record.startedAspect().reason().equals("NotStarted");
        return told ? record.startedAspect().message() : why(record, refusal, currency);
    }

    private static String why(GangRecord record, @Nullable Refusal refusal, Currency currency) {
        return refusal == null ? record.plannedAspect().message() : refusal.message(currency);
    }

    private static boolean isAdvised(PlannerAnswer planner) {
        return planner.advice() != null && !planner.advice().isEmpty();
    }

    private static String next(GangRecord record, @Nullable Refusal refusal, Currency currency) {
        if (record.ownership().isHeld() && record.promise() != null) {
            return record.phase().started()
                    ? "it is over: " + record.startedAspect().message()
                    : "an advance reservation: its room is kept from %s to %s for the gang that names it"
                            .formatted(
                                    optional(record.windowStart()),
                                    instant(record.promise().window().end()));
        }
        return switch (record.phase()) {
            case PENDING, BROKEN -> "it waits: " + why(record, refusal, currency);
            case PROMISED -> "its pods start together at " + optional(record.windowStart()) + atTheLatest(record);
            case STARTING ->
                "its pods are being bound to their nodes; they start together at " + optional(record.windowStart());
            case RUNNING -> "it runs";
            case COMPLETED -> "it has completed";
        };
    }

    /** That it may come later, where the start is only expected. */
    private static String atTheLatest(GangRecord record) {
        String by = optional(record.promisedBy());
        return by == null ? "" : " (expected), promised by %s".formatted(by);
    }

    static String instant(long second) {
        return Instant.ofEpochSecond(second).toString();
    }

    static @Nullable String optional(OptionalLong second) {
        return second.isPresent() ? instant(second.getAsLong()) : null;
    }
}
