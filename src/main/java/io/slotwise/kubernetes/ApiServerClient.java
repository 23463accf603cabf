package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.slotwise.kubernetes.refusal.RefusalInterceptor;
import io.slotwise.kubernetes.refusal.RefusedCalls;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.TrustManager;

/**
 * A replica's client of the API server. What a pod mounts is renewed while it runs: the client itself reads the token
 * again once a minute and when one is refused, and here the certificates of the API server's authority are read again,
 * too.
 */
@Singleton
final class ApiServerClient {
    @Produces
    @Singleton
    KubernetesClient client(KubernetesSerialization serialization, Config config, RefusedCalls refused) {
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(serialization)
                .withConfig(config)
                .withHttpClientBuilderConsumer(builder -> {
                    trust(builder, config);
                    builder.addOrReplaceInterceptor(RefusalInterceptor.NAME, new RefusalInterceptor(refused));
                })
                .build();
    }

    void close(@Disposes KubernetesClient client) {
        client.close();
    }

    /**
     * Trusts the authority's file as it is; where certificates come from elsewhere, or are not looked at, nothing
     * changes.
     */
    static void trust(HttpClient.Builder builder, Config config) {
        boolean fromFile = config.getCaCertFile() != null && config.getCaCertData() == null && !config.isTrustCerts();
        if (!fromFile || !config.getMasterUrl().startsWith("https:")) {
            return;
        }
        Path file = Path.of(config.getCaCertFile());
        try {
            builder.sslContext(SSLUtils.keyManagers(config), new TrustManager[] {
                new AuthorityFile(
                        file,
                        path -> SSLUtils.trustManagers(
                                null,
                                path.toString(),
                                false,
                                config.getTrustStoreFile(),
                                config.getTrustStorePassphrase()))
            });
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(
                    "The CA file of the API server (%s) cannot be read; expected a file of certificates."
                            .formatted(file),
                    e);
        }
    }
}
