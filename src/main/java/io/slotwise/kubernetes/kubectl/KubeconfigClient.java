package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;

/** A client of the cluster that kubectl would talk to, for one command. */
public final class KubeconfigClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    /** Within a second; the user who runs the command runs it again. */
    private static final int RETRIES = 3;

    // The client does not end the threads of a Vert.x that it makes itself, and they keep the process alive.
    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;

    private KubeconfigClient(Config config) {
        client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new VertxHttpClientFactory(vertx))
                .build();
    }

    /** A client that bears with a server that is busy for a moment: it asks four times, ten seconds at most each. */
    public static KubeconfigClient patient() {
        return retrying(RETRIES);
    }

    /** A client for a person who waits: it asks once, and ten seconds at most. */
    public static KubeconfigClient asking() {
        return retrying(0);
    }

    private static KubeconfigClient retrying(int retries) {
        return new KubeconfigClient(new ConfigBuilder(Config.autoConfigure(null))
                .withRequestRetryBackoffLimit(retries)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestTimeout(PATIENCE_MILLIS)
                .build());
    }

    /** The client. */
    public KubernetesClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
