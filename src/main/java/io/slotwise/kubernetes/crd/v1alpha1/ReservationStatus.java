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
 * Where a gang stands.
 *
 * @param phase see {@link Phase}; {@link Phase#PENDING} if it is not given
 * @param conditions {@code Planned} and {@code Started}
 * @param promisedStart the start that was expected with the first promise, RFC 3339
 * @param promisedBy the latest start that was promised with it, RFC 3339; null: that of the specification, or the same
 * @param startedAt the second in which the barrier opened, RFC 3339
 * @param endedAt when the last member had ended, RFC 3339
 * @param ends when each member ended, where the namespace's ledger needs to know
 * @param attempts how many times the gang was rolled back after its release
 * @param passed how many gangs have passed it whose Reservations are gone: that arrived later, have no higher priority
 *     and were promised a window
 * @param avoided nodes that refused this gang a short while ago
 * @param past what it did before it was moved while it ran; null: it was not
 * @param releasedAt when the pods were sent to kube-scheduler, RFC 3339; null: none of them was
 * @param members the UIDs of the pods that the gang has started with, in the order of the window's placement
 * @param undone where starts that were rolled back were to bind their pods, until the next one is durable
 * @param lastRefusal why the gang was not started the last time, until it has started; null: it was not refused, or the
 *     record was written before this field existed
 * @param resized what pods take that were resized in their places while the gang ran; null: none was
 * @param epoch of the leader that wrote this last; null: no leader that knows epochs
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
    /** Nothing is known yet. */
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

    /** A reader hands in null for what the server does not have. */
    public ReservationStatus {
        phase = phase == null ? Phase.PENDING : phase;
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        ends = ends == null ? List.of() : List.copyOf(ends);
        avoided = avoided == null ? List.of() : List.copyOf(avoided);
        members = members == null ? List.of() : List.copyOf(members);
        undone = undone == null ? List.of() : List.copyOf(undone);
    }

    /** This status with the phase that follows the barrier's opening, for a gang with pods of these UIDs. */
    public ReservationStatus running(String promised, String startedAt, List<Condition> conditions, List<String> uids) {
        return with(copy -> copy.phase(Phase.RUNNING)
                .conditions(conditions)
                .startedAt(startedAt)
                .promisedStart(promisedStart == null ? promised : promisedStart)
                .endedAt(null)
                .ends(List.of())
                .members(uids)
                .undone(List.of())
                .lastRefusal(null)
                .resized(null));
    }

    /** The same as written in this epoch. */
    public ReservationStatus in(long other) {
        return withEpoch(other);
    }

    /**
     * One aspect of where a gang stands.
     *
     * @param type {@code Planned} or {@code Started}
     * @param status {@code True} or {@code False}
     * @param reason one word in camel case
     * @param message one sentence
     * @param lastTransitionTime when {@code status} changed last, RFC 3339
     * @param key why a gang waits, in the word that programs compare; null: it does not
     * @param figures those of the key, by name
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
        /** A reader hands in null for what the server does not have. */
        public Condition {
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        }

        /** One that is no reason to wait. */
        public Condition(String type, String status, String reason, String message, String lastTransitionTime) {
            this(type, status, reason, message, lastTransitionTime, null, Map.of());
        }
    }

    /**
     * A node that refused the gang.
     *
     * @param node its name
     * @param until from then on it is looked at again, RFC 3339
     * @param podUid only while there is this pod; null: whichever there is
     * @param nodeUid only while it is this node; null: it is not known which it was
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
     * @param pod its name
     * @param end when, RFC 3339
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record End(String pod, String end) {}

    /**
     * What pods take that were resized.
     *
     * @param since when a size was seen to change last, RFC 3339
     * @param parts how many millionths of what it was promised each pod takes since then, in the order of the window's
     *     placement
     * @param days what the gang cost until then, by UTC day, the first one with all days before it
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Resized(String since, List<Long> parts, List<LedgerSpec.Day> days) {
        /** A reader hands in null for what the server does not have. */
        public Resized {
            parts = parts == null ? List.of() : List.copyOf(parts);
            days = days == null ? List.of() : List.copyOf(days);
        }
    }

    /**
     * Where a start that was rolled back was to bind a pod.
     *
     * @param uid of the pod
     * @param node where
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Undone(String uid, String node) {}

    /**
     * Why a gang was not started.
     *
     * @param by who refused
     * @param pods the first that were refused
     * @param refused how many were
     * @param message what was said of the first, in the words of the component that refused
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Refused(String by, List<String> pods, int refused, String message) {
        /** A reader hands in null for what the server does not have. */
        public Refused {
            pods = pods == null ? List.of() : List.copyOf(pods);
        }
    }
}
