package io.slotwise.kubernetes.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Sets the condition {@code PodGroupInitiallyScheduled} of Kubernetes PodGroups once their pods are bound without
 * kube-scheduler, which sets the condition for the pods that it places. One call for each PodGroup. A failed call is
 * repeated for a minute, with pauses that double, and at the next start.
 *
 * <p>Source: Kubernetes 1.37, pkg/scheduler/schedule_one_podgroup.go.
 */
final class PodGroupStatus {
    private static final Logger LOG = Logger.getLogger(PodGroupStatus.class);
    private static final int MOST = 1000;
    private static final int TRIES = 6;

    private final PatchCall call;
    private final GroupObjects groups;
    private final InstantSource clock;
    private final Executor calls;
    private final Duration pause;
    /** The UIDs of the last PodGroups that have the condition. */
    private final Set<String> told = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> entry) {
            return size() > MOST;
        }
    }));

    /**
     * @param pause the pause between the first two tries
     */
    PodGroupStatus(KubernetesClient client, GroupObjects groups, InstantSource clock, Executor calls, Duration pause) {
        this.call = new PatchCall(client);
        this.groups = groups;
        this.clock = clock;
        this.calls = calls;
        this.pause = pause;
    }

    /** Updates the PodGroups of these pods, which have been bound. O(pods). */
    void scheduled(String namespace, Collection<Pod> pods) {
        pods.stream()
                .map(pod -> pod.getSpec().getSchedulingGroup())
                .filter(Objects::nonNull)
                .map(PodSchedulingGroup::getPodGroupName)
                .filter(Objects::nonNull)
                .distinct()
                .map(group -> new GroupKey(GroupKind.POD_GROUP, namespace, group))
                .forEach(group -> calls.execute(() -> tell(group, 1)));
    }

    private void tell(GroupKey key, int tries) {
        GenericKubernetesResource group = groups.find(key);
        String uid = group == null ? "" : group.getMetadata().getUid();
        if (group != null && !told.add(uid)) {
            return;
        }
        if (group == null || !isWritten(key, uid)) {
            told.remove(uid);
            if (tries < TRIES) {
                long millis = pause.toMillis() << (tries - 1);
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, calls)
                        .execute(() -> tell(key, tries + 1));
            }
        }
    }

    private boolean isWritten(GroupKey group, String uid) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("uid", uid);
        patch.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "PodGroupInitiallyScheduled")
                .put("status", "True")
                .put("reason", "Scheduled")
                .put("message", "bound by Slotwise")
                .put(
                        "lastTransitionTime",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        try {
            call.podGroupStatus(group.namespace(), group.name(), patch.toString());
            return true;
        } catch (IOException e) {
            LOG.debugf(e, "the condition of the PodGroup %s/%s was not written", group.namespace(), group.name());
            return false;
        }
    }
}
