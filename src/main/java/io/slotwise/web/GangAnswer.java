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
 * The information about one gang. Instants are RFC 3339, costs currency units with six decimals.
 *
 * @param gang {@code namespace/name}
 * @param reason the reason in its Reservation's condition, while waiting or promised
 * @param key why it waits, for programs; null if it does not wait
 * @param figures the figures of the key, by name; null without a key
 * @param message the reason in one sentence
 * @param criterion the criterion that the gang minimizes; null if not known
 * @param budget the maximum cost; null if unlimited
 * @param choice how its window was chosen; null if it was not chosen from alternatives in the last cycle, or another
 *     replica plans
 * @param domains how its resource domain was chosen in an online mode; null in other modes, or if not known here
 * @param advice changes that would let it start, or start earlier; null if it has started, advice was not requested, or
 *     another replica plans
 * @param hint what to do if there is no advice; null if none
 * @param promisedStart the expected start of the first promise; null if none
 * @param attempts how many times it was rolled back after its release
 * @param avoided the nodes that recently refused it
 * @param kind {@code gang}, or {@code reservation} for an advance reservation
 * @param reservation the advance reservation that contains its window; null if none
 * @param runtime its runtime with the source; null if not known
 * @param story its events, oldest first; those that are not in the record are only known to the replica that announced
 *     them
 * @param valueOfTime what the gang gains if it ends an hour earlier; null if nothing
 * @param valueUntil a later end than this costs nothing more, RFC 3339; null if there is no such end
 * @param delayValue the value of the delay of its window; null if none
 * @param promisedBy the promised latest start; null if this is the window's start, or nothing is promised
 * @param preferred its preferences, and the distance of its window from them; null if none
 * @param after its predecessors, as far as the reader may see them
 * @param buying what could be bought for it; null if nothing, if no offers are considered, or another replica plans
 * @param queue the name of its queue; null if no queue bounds it, or not known
 * @param position its place among the gangs of its queue that have not started, from 1; null if it has started, without
 *     a queue, or if another replica plans
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
        @Nullable BuyingAnswer buying,
        @Nullable String queue,
        @Nullable Integer position) {
    /** Replaces null for fields that a server of another version does not send. */
    public GangAnswer {
        after = after == null ? List.of() : List.copyOf(after);
        purchases = purchases == null ? List.of() : List.copyOf(purchases);
    }

    /**
     * A runtime with its source.
     *
     * @param seconds on a node of performance 1
     * @param source {@code stated}, {@code predicted} or {@code default}
     * @param workload whose past runs count, for display
     * @param runs the number of past runs; null if none
     * @param typicalSeconds the median of past runs; null without any
     * @param quantile the part of past runs within {@code withinSeconds}, such as {@code 0.9}; null without any
     * @param withinSeconds null without past runs
     * @param hint what to do if the stated runtime is far from past runs; null if nothing
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
     * @param node its name, which is that of its NodeClaim until the node exists
     * @param state {@code planned}, {@code starting} or {@code bought} for a node that exists; null if not known
     * @param paidUntil the end of the time in which pods can run for the same bill
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
     * The runs of a gang before it was moved.
     *
     * @param workSeconds remaining at the last move, on the reference node
     * @param overheadSeconds the overhead of the next run's restart, on the reference node
     * @param runs the runs that moves ended within an hour of the last one, oldest first
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

    public static GangAnswer of(GangRecord record) {
        return of(
                record,
                record.plannedAspect().refusal(),
                PlannerAnswer.SILENT,
                GangStory.of(record.history(), List.of(), record.gang().namespace()::equals),
                new Reader(record.gang().namespace()::equals, Currency.NONE, null));
    }

    /**
     * The reader of an answer.
     *
     * @param seen tells of which namespaces the reader may see gangs
     * @param now the instant for the state of purchases; null if not known
     */
    record Reader(
            Predicate<String> seen,
            Currency currency,
            @Nullable Instant now) {}

    /**
     * Creates the answer from the Reservation and the planner's data.
     *
     * @param refusal why the gang waits, as the reader may know it; null if it does not wait, or its record has no such
     *     value
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
                planner.buying(),
                record.terms().queue(),
                planner.position());
    }

    /** Returns why the gang waits or that it is promised; for an advance reservation also its gang and its end. */
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

    /** Returns the latest start if the start is only expected. */
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
