package io.slotwise.kubernetes.kubectl;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of kubectl's current cluster, for one command. */
public final class KubeconfigClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    /** The retries, within a second. The user can repeat the command. */
    private static final int RETRIES = 3;

    // The client does not end the threads of a Vert.x that it creates, and they keep the process alive.
    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;

    private KubeconfigClient(Config config) {
        client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(new VertxHttpClientFactory(vertx))
                .build();
    }

    /**
     * Returns a client that tolerates a server that is busy for a moment. It tries four times, ten seconds at most
     * each.
     */
    public static KubeconfigClient patient() {
        return retrying(RETRIES);
    }

    /** Returns a client for a waiting user. It tries once, ten seconds at most. */
    public static KubeconfigClient asking() {
        return retrying(0);
    }

    /**
     * Returns a client for a waiting user in a context.
     *
     * @param context null for the current one
     * @param file the kubeconfig; null for kubectl's
     * @throws IllegalArgumentException if there is no such file or context
     */
    public static KubeconfigClient asking(@Nullable String context, @Nullable Path file) {
        return asking(context, file, 0);
    }

    /** Returns such a client, whose requests may take these seconds if they are more than ten. */
    static KubeconfigClient asking(@Nullable String context, @Nullable Path file, long seconds) {
        Config config = config(context, file);
        if (context != null) {
            require(List.of(context), config);
        }
        return retrying(config, 0, seconds);
    }

    /**
     * Checks that a kubeconfig has these contexts.
     *
     * @param file the kubeconfig; null for kubectl's
     * @throws IllegalArgumentException if there is no such file or context
     */
    public static void require(List<String> contexts, @Nullable Path file) {
        require(contexts, config(null, file));
    }

    private static Config config(@Nullable String context, @Nullable Path file) {
        try {
            return file == null ? Config.autoConfigure(context) : Config.fromKubeconfig(context, file.toFile());
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException("%s: cannot be read: expected a kubeconfig".formatted(file), e);
        }
    }

    private static void require(List<String> contexts, Config config) {
        List<String> known =
                config.getContexts().stream().map(NamedContext::getName).toList();
        for (String context : contexts) {
            if (!known.contains(context)) {
                throw new IllegalArgumentException("The context (%s) is not in the kubeconfig: expected %s"
                        .formatted(
                                context,
                                known.isEmpty()
                                        ? "another kubeconfig, as it has no contexts"
                                        : "one of " + String.join(", ", known)));
            }
        }
    }

    private static KubeconfigClient retrying(int retries) {
        return retrying(Config.autoConfigure(null), retries, 0);
    }

    private static KubeconfigClient retrying(Config config, int retries, long seconds) {
        return new KubeconfigClient(new ConfigBuilder(config)
                .withRequestRetryBackoffLimit(retries)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestTimeout(Math.clamp(TimeUnit.SECONDS.toMillis(seconds), PATIENCE_MILLIS, Integer.MAX_VALUE))
                .build());
    }

    public KubernetesClient client() {
        return client;
    }

    @Override
    public void close() {
        client.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
