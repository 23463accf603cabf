package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Has connections to the API server open before they are needed: the first gangs of a replica that begins to lead would
 * wait for the handshakes of as many as it makes calls at once. Connections that are idle for a minute are closed
 * again.
 */
final class OpenConnections {
    private static final Logger LOG = Logger.getLogger(OpenConnections.class);
    /** What every account may ask, and costs the API server next to nothing. */
    private static final String QUESTION = "/version";

    private final KubernetesClient client;
    private final int count;
    private final Executor executor;

    /**
     * @param count how many are to be open, about
     * @param executor runs so many calls at the same time
     */
    OpenConnections(KubernetesClient client, int count, Executor executor) {
        this.client = client;
        this.count = count;
        this.executor = executor;
    }

    /** Opens them; returns at once. What the API server answers, and whether it does, counts for nothing. */
    void open() {
        for (int i = 0; i < count; i++) {
            executor.execute(this::ask);
        }
    }

    private void ask() {
        try {
            var _ = client.raw(QUESTION);
        } catch (KubernetesClientException e) {
            LOG.debugf("no connection was opened: %s", e.getMessage());
        }
    }
}
