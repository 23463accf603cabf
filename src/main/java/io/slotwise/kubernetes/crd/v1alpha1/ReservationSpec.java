package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a gang asked for and what it was promised. Never rewritten once the gang has started.
 *
 * @param gang the gang's name in this namespace; null: a person wrote an advance reservation, which is named like the
 *     object
 * @param criterion what the gang wants to be least
 * @param runtimeSeconds how long a pod reserves a node of performance 1; null: not known
 * @param budget the most that the whole gang may cost, currency units; null: no limit
 * @param via which part of the cycle gave the window; null without one
 * @param request a fingerprint of the request that the window answers; another one means that the gang was edited
 * @param priority of the gang's pods; null: 0, or not known
 * @param lockstep whether every pod is charged until the last one ends; null: no
 * @param window the promise, or with {@code promisedBy} the window that is expected; null while there is none
 * @param reservation the advance reservation that the window is a part of; null: none
 * @param hold what an advance reservation asks for; null: this is about a gang of pods
 * @param runtimeSource where the runtime comes from; null: not known
 * @param epoch of the leader that wrote this last; null: no leader that knows epochs
 * @param valueOfTime what it is worth to the gang that its end comes an hour earlier, currency units; null: nothing
 * @param valueUntil after this instant a later end costs the gang nothing more, RFC 3339; null: it always does
 * @param submitted when the gang arrived, from when its delay counts, RFC 3339; null: its time is worth nothing
 * @param promisedBy the latest start that is promised, RFC 3339; null: the window's
 * @param promisedEnd the latest end that is promised, RFC 3339; null: the window's
 * @param exactPromisedCost the most that it costs, 1/3600 millionths of the currency unit; null: what the window costs
 * @param after the gangs after whose end this one starts
 * @param purchases the nodes that are bought for the window
 * @param preferred what the window would better be like; null: nothing is preferred
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
        @Nullable PreferredSpec preferred)
        implements ReservationSpecBuilder.With {
    /**
     * A gang after whose end this one starts.
     *
     * @param gang {@code NAMESPACE/GANG}
     * @param end when it ends or ended, as it was seen once it had started, RFC 3339; null: it was not seen to have
     *     started
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record After(String gang, @Nullable String end) {}

    /** A reader hands in null for what the server does not have. */
    public ReservationSpec {
        after = after == null ? List.of() : List.copyOf(after);
        purchases = purchases == null ? List.of() : List.copyOf(purchases);
    }

    /** A spec of a gang whose time is worth nothing. */
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
                null);
    }

    /** The same as written in this epoch. */
    public ReservationSpec in(long other) {
        return withEpoch(other);
    }
}
