package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.RunHistoryIndex;
import io.slotwise.live.port.RunHistoryStore;
import org.jboss.logging.Logger;

/**
 * Keeps past runs as objects: one that is new is created, another one replaced with the resource version that it was
 * read from, so that a write that comes second is refused. The answer goes into the index at once.
 */
public final class RunHistoryWriter implements RunHistoryStore {
    private static final Logger LOG = Logger.getLogger(RunHistoryWriter.class);

    private final KubernetesClient client;
    private final RunHistoryIndex index;

    public RunHistoryWriter(KubernetesClient client, RunHistoryIndex index) {
        this.client = client;
        this.index = index;
    }

    @Override
    public void write(RunHistory history) {
        NamespaceRunHistory object = RunHistories.object(history);
        try {
            index.accept(
                    history.version().isEmpty()
                            ? client.resource(object).create()
                            : client.resource(object).update());
        } catch (KubernetesClientException e) {
            LOG.logf(
                    ApiRefusal.level(e),
                    "the run history of namespace %s was not written; retrying: %s",
                    history.namespace(),
                    e.getMessage());
        }
    }
}
