package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.time.Interval;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code spec} of a Reservation: the request of a gang and its promise. It stays as it is once the gang has
 * started. Records of an older version lack newer fields, so each of these is nullable and has a default.
 *
 * @param gang the gang's name in this namespace; null for an advance reservation by a user, which has the object's name
 * @param criterion the criterion by which the gang's window is chosen, such as {@code cost}
 * @param runtimeSeconds a pod's reservation time on a node of performance 1; null if unknown
 * @param budget the maximum cost of the whole gang, currency units, or null
 * @param via the step of the planning cycle that found the window, such as backfilling, or null
 * @param request a fingerprint of the request that the window answers; it changes when the gang is edited
 * @param priority the priority of the gang's pods; null for 0 or unknown
 * @param lockstep whether every pod is charged until the last one ends; null for no
 * @param window the promised window, or with {@code promisedBy} the expected one; null without a promise
 * @param reservation the advance reservation that contains the window, or null
 * @param hold the request of an advance reservation; null for a gang of pods
 * @param runtimeSource how the runtime was estimated; null if unknown
 * @param epoch the epoch of the last writing leader; null in records without this field
 * @param valueOfTime the value of ending an hour earlier, currency units, or null
 * @param valueUntil the instant after which a later end costs no more, RFC 3339, or null
 * @param submitted the gang's arrival, from which its delay counts, RFC 3339; null if the
 *     gang's time has no value
 * @param promisedBy the latest promised start, RFC 3339; null for the start of the window
 * @param promisedEnd the latest promised end, RFC 3339; null for the end of the window
 * @param exactPromisedCost the maximum promised cost, 1/3600 millionths of the currency unit; null for the cost of
 *     the window
 * @param after the gangs after whose end this one starts
 * @param purchases the nodes that are bought for the window
 * @param preferred the preferences for the window, or null
 * @param queue the name of the gang's queue, or null
 * @param borrowed when the window uses more than the queue is guaranteed, or null
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReservationSpec(
        @Nullable String gang,
        @Nullable String criterion,
        @Nullable Long runtimeSeconds,
        @Nullable String budget,
        @Nullable String via,
        @Nullable String request,
        @Nullable Integer priority,
        @Nullable Boolean lockstep,
        @Nullable WindowSpec window,
        @Nullable String reservation,
        @Nullable HoldSpec hold,
        @Nullable RuntimeSourceSpec runtimeSource,
        @Nullable Long epoch,
        @Nullable String valueOfTime,
        @Nullable String valueUntil,
        @Nullable String submitted,
        @Nullable String promisedBy,
        @Nullable String promisedEnd,
        @Nullable Long exactPromisedCost,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<After> after,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PurchaseSpec> purchases,
        @Nullable PreferredSpec preferred,
        @Nullable String queue,
        @Nullable Borrowed borrowed)
        implements ReservationSpecBuilder.With {
    /**
     * A gang after whose end this one starts.
     *
     * @param gang {@code NAMESPACE/GANG}
     * @param end its actual or expected end, as seen after its start, RFC 3339; null if its start was not seen
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record After(String gang, @Nullable String end) {}

    /**
     * The time in which a window uses more than its queue is guaranteed. Queues that lend may take this back.
     *
     * @param from the first second, RFC 3339
     * @param until the second after the last one, RFC 3339
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Borrowed(@Nullable String from, @Nullable String until) {
        /** Returns the time as it is written, or null if nothing is borrowed. */
        static @Nullable Borrowed of(@Nullable Promise promise) {
            Interval borrowed = promise == null ? null : promise.borrowed();
            return borrowed == null
                    ? null
                    : new Borrowed(Reservations.instant(borrowed.start()), Reservations.instant(borrowed.end()));
        }

        /**
         * Reads the written form.
         *
         * @throws IllegalArgumentException if Slotwise would never write it
         */
        static @Nullable Interval read(@Nullable Borrowed borrowed) {
            return borrowed == null || borrowed.from == null || borrowed.until == null
                    ? null
                    : new Interval(RecordTime.second(borrowed.from), RecordTime.second(borrowed.until));
        }
    }

    /** Replaces absent lists by empty ones: the JSON reader passes null for an absent field. */
    public ReservationSpec {
        after = after == null ? List.of() : List.copyOf(after);
        purchases = purchases == null ? List.of() : List.copyOf(purchases);
    }

    /** Makes the spec of a gang whose time has no value. */
    public ReservationSpec(
            @Nullable String gang,
            @Nullable String criterion,
            @Nullable Long runtimeSeconds,
            @Nullable String budget,
            @Nullable String via,
            @Nullable String request,
            @Nullable Integer priority,
            @Nullable Boolean lockstep,
            @Nullable WindowSpec window,
            @Nullable String reservation,
            @Nullable HoldSpec hold,
            @Nullable Long epoch) {
        this(
                gang,
                criterion,
                runtimeSeconds,
                budget,
                via,
                request,
                priority,
                lockstep,
                window,
                reservation,
                hold,
                null,
                epoch,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                null,
                null);
    }

    /** Returns a copy that is written in this epoch. */
    public ReservationSpec in(long writer) {
        return withEpoch(writer);
    }
}
