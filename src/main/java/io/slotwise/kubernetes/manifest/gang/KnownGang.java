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
 * The remembered state of a gang: the facts that its pods do not tell.
 *
 * @param promise its published window, also after the start; null if it has none
 * @param startedAt when the gang started, seconds since the epoch; empty before the start
 * @param avoidedNodes the nodes that refused the gang recently
 * @param agreedDefaults the defaults that the promise was made with; null if unknown
 * @param history the runs of the gang before it was moved; null if it was never moved
 * @param seen when the gang was first seen, seconds since the epoch
 * @param attempts how often the gang was released and rolled back
 * @param started the pods that the gang started with
 * @param source the source of its runtime in the last plan; null if unknown
 * @param queue the queue in which it was planned last; null if unknown
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
        @Nullable RuntimeSource source,
        @Nullable String queue)
        implements KnownGangBuilder.With {
    public static final KnownGang NOTHING = new KnownGang(null, OptionalLong.empty(), Set.of());

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
                null,
                null);
    }

    /** Returns whether the gang keeps the defaults that its promise was made with. */
    public boolean isAgreed() {
        return promise != null && agreedDefaults != null;
    }

    /** Returns whether a bound pod is leaving: a move evicts it, or its start was rolled back. */
    public boolean isLeaving(String uid) {
        boolean isLeft = attempts > 0 && promise == null;
        return startedAt.isEmpty() && (isLeft || evicts(uid));
    }

    public boolean evicts(String uid) {
        return history != null && history.evicts(uid);
    }

    public boolean hasStartedWith(Pod pod) {
        return startedAt.isPresent() && !Pods.isReplacement(pod, started);
    }

    /** Returns whether it may start at any moment: its start is due, or its pods are being bound. */
    public boolean isReleased() {
        return promise != null && promise.released();
    }

    /**
     * Returns the second from which a bound pod that {@link #isLeaving is leaving} is expected to be terminating.
     */
    public long leavingFrom(String uid, long now) {
        return history != null && history.evicts(uid) ? history.leavingFrom(now) : now;
    }

    /** Returns the most times that all of its pods may have been evicted. */
    public int evictions() {
        return attempts + (history == null ? 0 : history.times());
    }

    public KnownGang {
        avoidedNodes = Set.copyOf(avoidedNodes);
    }

    /**
     * Returns the defaults of this gang, which apply where its pods state nothing. While it has a promise, they are
     * those that the promise was made with, because a changed default must not move a promise.
     */
    public GangDefaults defaults(GangDefaults currentDefaults) {
        return promise == null || agreedDefaults == null
                ? currentDefaults
                : agreedDefaults.withTimeValues(currentDefaults.timeValues()).withTopology(currentDefaults.topology());
    }
}
