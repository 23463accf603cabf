package io.slotwise.kubernetes.manifest.gang;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A host's knowledge of gangs that have not ended, and of their pods.
 *
 * @param gangs empty on the command line
 */
public record KnownGangs(Map<GangId, KnownGang> gangs) {
    public KnownGangs {
        gangs = new HashMap<>(gangs);
    }

    /** Adds a promise that the host does not know yet. */
    public void promise(GangId gang, Promise promise) {
        gangs.put(gang, new KnownGang(promise, OptionalLong.empty(), of(gang).avoidedNodes()));
    }

    public KnownGang of(GangId gang) {
        return gangs.getOrDefault(gang, KnownGang.NOTHING);
    }

    public KnownGang ofItsOwn(Pod pod) {
        return of(Pods.ownGang(pod));
    }

    public @Nullable Promise promise(GangId gang) {
        return of(gang).promise();
    }

    /** Returns the promised start of a gang, seconds since the epoch, or {@link Long#MAX_VALUE} without a promise. */
    public long promisedStart(GangId gang) {
        Promise promise = promise(gang);
        return promise == null ? Long.MAX_VALUE : promise.window().start();
    }

    public boolean isSettled(GangMembers gang) {
        KnownGang known = of(gang.id());
        return known.promise() != null
                || known.startedAt().isPresent()
                || !gang.bound().isEmpty();
    }

    /**
     * Returns whether a pod is leaving. A pod that started individually stays when its gang is rolled back, and leaves
     * when its gang is stopped.
     */
    public boolean isLeaving(Pod pod) {
        KnownGang known = gangs.get(Pods.gangOf(pod));
        String uid = pod.getMetadata().getUid();
        return known != null && known.isLeaving(uid) && (known.evicts(uid) || !runsByItself(pod, Pods.gangOf(pod)));
    }

    public long leavingFrom(Pod pod, long now) {
        return of(Pods.gangOf(pod)).leavingFrom(pod.getMetadata().getUid(), now);
    }

    /** Returns whether a pod is on its node, or will be because its start is durable. */
    public boolean runs(Pod pod, GangId gang) {
        return Pods.node(pod) != null || of(gang).hasStartedWith(pod) || runsByItself(pod, gang);
    }

    /** Returns whether a pod of this gang has started individually, or may at any moment. */
    public boolean runsByItself(Pod pod, GangId gang) {
        if (gangs.isEmpty()) {
            return false;
        }
        GangId ownId = Pods.ownGang(pod);
        KnownGang known = ownId.equals(gang) ? null : gangs.get(ownId);
        return known != null && (known.isReleased() || known.hasStartedWith(pod));
    }
}
