package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.Executor;
import org.jboss.logging.Logger;

/**
 * Opens connections to the API server before they are needed. Otherwise the first gangs of a new leader would wait for
 * as many handshakes as calls at once. Connections close after a minute without use.
 */
final class OpenConnections {
    private static final Logger LOG = Logger.getLogger(OpenConnections.class);
    /** A cheap request that every account may make. */
    private static final String QUESTION = "/version";

    private final KubernetesClient client;
    private final int count;
    private final Executor executor;

    /**
     * Prepares about {@code count} connections, which {@link #open} opens. The executor must run {@code count} calls at
     * the same time.
     */
    OpenConnections(KubernetesClient client, int count, Executor executor) {
        this.client = client;
        this.count = count;
        this.executor = executor;
    }

    /** Opens the connections in the background. The answers do not matter. */
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
