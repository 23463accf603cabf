package io.slotwise.kubernetes.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Gives Kubernetes' PodGroups the condition {@code PodGroupInitiallyScheduled} once pods of theirs are bound that
 * kube-scheduler never sees: it sets the condition for those that it places. One call for a PodGroup; one that fails is
 * made again at the next start.
 *
 * <p>Source: Kubernetes 1.37, pkg/scheduler/schedule_one_podgroup.go.
 */
final class PodGroupStatus {
    private static final Logger LOG = Logger.getLogger(PodGroupStatus.class);
    private static final int MOST = 1000;

    private final PatchCall call;
    private final InstantSource clock;
    private final Executor calls;
    /** The PodGroups that have the condition, as NAMESPACE/NAME, the last of them. */
    private final Set<String> told = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    }));

    /**
     * A writer of conditions.
     *
     * @param calls runs one task for each call
     */
    PodGroupStatus(KubernetesClient client, InstantSource clock, Executor calls) {
        this.call = new PatchCall(client);
        this.clock = clock;
        this.calls = calls;
    }

    /** Tells the PodGroups of these pods, which have been bound. O(pods). */
    void scheduled(String namespace, Collection<Pod> pods) {
        pods.stream()
                .map(pod -> pod.getSpec().getSchedulingGroup())
                .filter(Objects::nonNull)
                .map(PodSchedulingGroup::getPodGroupName)
                .filter(Objects::nonNull)
                .distinct()
                .filter(group -> told.add(namespace + "/" + group))
                .forEach(group -> calls.execute(() -> write(namespace, group)));
    }

    private void write(String namespace, String group) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
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
            call.podGroupStatus(namespace, group, patch.toString());
        } catch (IOException e) {
            told.remove(namespace + "/" + group);
            LOG.debugf(e, "the condition of the PodGroup %s/%s was not written", namespace, group);
        }
    }
}
