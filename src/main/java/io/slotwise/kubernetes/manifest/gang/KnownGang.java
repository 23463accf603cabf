package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.StartedMembers;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a host knows of a gang beside its pods.
 *
 * @param promise its published window, also after the start; null: none
 * @param startedAt when it started, seconds since the epoch; empty: it has not
 * @param avoidedNodes nodes that refused it a short while ago
 * @param agreedDefaults what the promise was made for; null: not known
 * @param history what it did before it was moved while it ran; null: it was not
 * @param seen when it was seen first, seconds since the epoch
 * @param attempts how often it was rolled back after its release
 * @param source where its runtime came from when it was planned last; null: not known
 */
@RecordBuilder
public record KnownGang(
        @Nullable Promise promise,
        OptionalLong startedAt,
        Set<String> avoidedNodes,
        @Nullable GangDefaults agreedDefaults,
        PromiseTariff tariff,
        @Nullable MigrationHistory history,
        long seen,
        int attempts,
        StartedMembers started,
        @Nullable RuntimeSource source)
        implements KnownGangBuilder.With {
    public static final KnownGang NOTHING = new KnownGang(null, OptionalLong.empty(), Set.of());

    /** A gang of which no more is known. */
    public KnownGang(@Nullable Promise promise, OptionalLong startedAt, Set<String> avoidedNodes) {
        this(
                promise,
                startedAt,
                avoidedNodes,
                null,
                PromiseTariff.CONSTANT,
                null,
                0,
                0,
                new StartedMembers(startedAt, Collections.emptySortedMap()),
                null);
    }

    /** Whether it keeps what it was planned with, whatever would be planned with now. */
    public boolean isAgreed() {
        return promise != null && agreedDefaults != null;
    }

    /** Whether this pod, which is bound, is one that a move evicts, or is left from a start that was rolled back. */
    public boolean isLeaving(String uid) {
        boolean isLeft = attempts > 0 && promise == null;
        return startedAt.isEmpty() && (isLeft || evicts(uid));
    }

    /** Whether the last move evicts the pod with this UID. */
    public boolean evicts(String uid) {
        return history != null && history.evicts(uid);
    }

    /** Whether it has started, and this pod is one that it has started with. */
    public boolean hasStartedWith(Pod pod) {
        return startedAt.isPresent() && !Pods.isReplacement(pod, started);
    }

    /** Whether it may start at any moment: its second has come, or its pods are on their way. */
    public boolean isReleased() {
        return promise != null && promise.released();
    }

    /** From which second on a bound pod that {@link #isLeaving is leaving} is on its way out, if it is not yet. */
    public long leavingFrom(String uid, long now) {
        return history != null && history.evicts(uid) ? history.leavingFrom(now) : now;
    }

    /** How often all of its pods may have been evicted, at most. */
    public int evictions() {
        return attempts + (history == null ? 0 : history.times());
    }

    public KnownGang {
        avoidedNodes = Set.copyOf(avoidedNodes);
    }

    /**
     * What counts for this gang where it states nothing: as long as its promise stands that with which it was made,
     * whatever the policy says now, since a promise does not move because an admin has changed a default.
     */
    public GangDefaults usual(GangDefaults currentDefaults) {
        return promise == null || agreedDefaults == null
                ? currentDefaults
                : agreedDefaults.withTimeValues(currentDefaults.timeValues());
    }
}
