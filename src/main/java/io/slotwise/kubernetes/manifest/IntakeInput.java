package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Demand;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.plan.Promise;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.KnownGangs;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.queues.ClusterQueues;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The input of one intake.
 *
 * @param grants what namespaces may spend, by name
 * @param cache values read from objects that have not changed
 * @param now the first second in which a window may start, since the epoch
 * @param seen when the objects were read, seconds since the epoch, not after {@code now}
 */
record IntakeInput(
        LoopSettings settings,
        PodFilter filter,
        ClusterObjects objects,
        KnownGangs known,
        Map<String, Grant> grants,
        IntakeCache cache,
        QuantityAmounts amounts,
        ClusterQueues queues,
        long now,
        long seen) {
    Map<String, Node> nodes() {
        return cache.byName();
    }

    KnownGang known(GangId gang) {
        return known.of(gang);
    }

    /**
     * Returns the demand with the gang's queue: the stated one, else that of its LocalQueue or namespace. A gang stays
     * in the queue in which it was promised its window, whatever its pods state afterwards.
     */
    Demand inQueue(GangId gang, @Nullable AnnotatedGang annotated) {
        Demand demand = annotated == null ? Demand.NONE : annotated.demand();
        if (queues.isEmpty()) {
            return demand;
        }
        KnownGang known = known(gang);
        return known.promise() != null && known.queue() != null
                ? demand.withQueue(known.queue())
                : demand.withQueue(queues.of(
                        gang.namespace(),
                        demand.queue(),
                        annotated == null ? Collections.emptySortedSet() : annotated.localQueues()));
    }

    /** Returns why a gang may not be in its queue, or null if it may. */
    @Nullable
    String queueProblem(GangId gang, AnnotatedGang annotated, List<Pod> pods) {
        String problem = annotated.demand().queue() == null
                ? queues.localProblem(gang.namespace(), annotated.localQueues())
                : null;
        return problem != null
                ? problem
                : queues.problem(inQueue(gang, annotated).queue(), pods);
    }

    @Nullable
    Promise promise(GangId gang) {
        return known.promise(gang);
    }
}
