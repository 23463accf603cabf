package io.slotwise.kubernetes.crd.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.slotwise.live.record.Phase;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code status} of a Reservation: the progress of a gang from its plan to its end.
 *
 * @param phase {@link Phase#PENDING} if absent
 * @param conditions {@code Planned} and {@code Started}
 * @param promisedStart the expected start in the first promise, RFC 3339; null before a promise
 * @param promisedBy the latest start in the first promise, RFC 3339; null for {@code spec.promisedBy}, or else
 *     {@code promisedStart}
 * @param startedAt when the barrier opened, so that pods could be bound, RFC 3339, or null
 * @param endedAt when the last member ended, RFC 3339
 * @param ends the ends of members; empty if the namespace's ledger does not need them
 * @param attempts how often the gang was released and rolled back
 * @param passed the number of later gangs without a higher priority that were promised a window before this one, and
 *     whose Reservations are gone
 * @param avoided the nodes that refused this gang recently
 * @param past the earlier runs of a gang that was moved while it ran, or null
 * @param releasedAt when the pods were sent to kube-scheduler, RFC 3339, or null
 * @param members the UIDs of the pods that the gang has started with, in the order of the window's placement
 * @param undone the intended bindings of starts that were rolled back, until the next start is durable
 * @param lastRefusal why the last start was refused; null without a refusal, after the start, and in records without
 *     this field
 * @param resized the sizes of pods that were resized in place, or null
 * @param epoch the epoch of the last writing leader; null in records without this field
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ReservationStatus(
        Phase phase,
        List<Condition> conditions,
        @Nullable String promisedStart,
        @Nullable String promisedBy,
        @Nullable String startedAt,
        @Nullable String endedAt,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<End> ends,
        int attempts,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int passed,
        List<Avoided> avoided,
        @Nullable PastSpec past,
        @Nullable String releasedAt,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> members,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Undone> undone,
        @Nullable Refused lastRefusal,
        @Nullable Resized resized,
        @Nullable Long epoch)
        implements ReservationStatusBuilder.With {
    public static final ReservationStatus NONE = new ReservationStatus(
            Phase.PENDING,
            List.of(),
            null,
            null,
            null,
            null,
            List.of(),
            0,
            0,
            List.of(),
            null,
            null,
            List.of(),
            List.of(),
            null,
            null,
            null);

    /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
    public ReservationStatus {
        phase = phase == null ? Phase.PENDING : phase;
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        ends = ends == null ? List.of() : List.copyOf(ends);
        avoided = avoided == null ? List.of() : List.copyOf(avoided);
        members = members == null ? List.of() : List.copyOf(members);
        undone = undone == null ? List.of() : List.copyOf(undone);
    }

    /** Returns a copy that is written in this epoch. */
    public ReservationStatus in(long writer) {
        return withEpoch(writer);
    }

    /**
     * A condition of a gang.
     *
     * @param type {@code Planned} or {@code Started}
     * @param status {@code True} or {@code False}
     * @param reason one word in camel case
     * @param message one sentence
     * @param lastTransitionTime when {@code status} last changed, RFC 3339
     * @param key why a gang waits, as a fixed key for programs, or null
     * @param figures the figures of the key, by name
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Condition(
            String type,
            String status,
            String reason,
            String message,
            String lastTransitionTime,
            @Nullable String key,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> figures) {
        /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
        public Condition {
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        }

        /** Makes a condition that is no reason to wait. */
        public Condition(String type, String status, String reason, String message, String lastTransitionTime) {
            this(type, status, reason, message, lastTransitionTime, null, Map.of());
        }
    }

    /**
     * A node that refused the gang.
     *
     * @param until when the node is considered again, RFC 3339
     * @param podUid the pod for which the node is avoided; null for all pods of the gang
     * @param nodeUid the node for which this holds; null if unknown
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Avoided(
            String node,
            String until,
            @Nullable String podUid,
            @Nullable String nodeUid) {}

    /**
     * A member that has ended.
     *
     * @param end RFC 3339
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record End(String pod, String end) {}

    /**
     * The sizes of resized pods.
     *
     * @param since when a size was last seen to change, RFC 3339
     * @param parts the size of each pod since then, millionths of the promised size, in the order of the window's
     *     placement
     * @param days the cost of the gang until then, by UTC day; the first entry includes all days before it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Resized(String since, List<Long> parts, List<LedgerSpec.Day> days) {
        /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
        public Resized {
            parts = parts == null ? List.of() : List.copyOf(parts);
            days = days == null ? List.of() : List.copyOf(days);
        }
    }

    /**
     * The intended binding of a pod in a start that was rolled back.
     *
     * @param uid the pod's UID
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Undone(String uid, String node) {}

    /**
     * The reason why a gang was not started.
     *
     * @param by the component that refused
     * @param pods the first refused pods
     * @param refused the number of refused pods
     * @param message the refusing component's words about the first pod
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Refused(String by, List<String> pods, int refused, String message) {
        /** Replaces absent values by defaults: the JSON reader passes null for an absent field. */
        public Refused {
            pods = pods == null ? List.of() : List.copyOf(pods);
        }
    }
}
