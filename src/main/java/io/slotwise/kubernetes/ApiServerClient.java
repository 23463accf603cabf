package io.slotwise.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapper;
import io.quarkus.kubernetes.client.KubernetesConfigCustomizer;
import io.quarkus.kubernetes.client.KubernetesResources;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.refusal.RefusalInterceptor;
import io.slotwise.kubernetes.refusal.RefusalObserver;
import io.slotwise.kubernetes.refusal.RefusedCalls;
import io.slotwise.kubernetes.watch.WatchSerialization;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import javax.net.ssl.TrustManager;

/**
 * A replica's client of the API server. The mounted credentials change while the pod runs. The client itself reads the
 * token again once a minute and after a refusal; this class also reads the certificates of the API server's authority
 * again.
 */
@Singleton
final class ApiServerClient {
    private static final int CONNECTIONS = 512;

    @Produces
    @Singleton
    KubernetesConfigCustomizer manyCallsAtOnce() {
        return config -> {
            config.setMaxConcurrentRequests(CONNECTIONS);
            config.setMaxConcurrentRequestsPerHost(CONNECTIONS);
        };
    }

    /** Replaces Quarkus's own producer, which passes the kinds as raw classes. */
    @Produces
    @Singleton
    @SuppressWarnings({"rawtypes", "unchecked"})
    KubernetesSerialization serialization(
            @KubernetesClientObjectMapper ObjectMapper mapper, @KubernetesResources Class[] kinds) {
        KubernetesSerialization serialization = new WatchSerialization(mapper);
        for (Class kind : kinds) {
            serialization.registerKubernetesResource(kind);
        }
        return serialization;
    }

    @Produces
    @Singleton
    RefusedCalls refused(InstantSource clock, RefusalObserver observer, LeaseSettings lease) {
        LeaseLeadership.Terms terms = lease.terms();
        return new RefusedCalls(clock, observer, terms.renewDeadline().minus(terms.retryPeriod()));
    }

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
     * Trusts the current content of the authority's file. Nothing changes if the certificates come from elsewhere, or
     * are not verified.
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
