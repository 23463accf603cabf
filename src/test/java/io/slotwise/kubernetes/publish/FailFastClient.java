package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

/** A client without retries, so that a test sees the first failure. */
public final class FailFastClient {
    private FailFastClient() {}

    public static KubernetesClient of(String url) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(url)
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .build();
    }
}
