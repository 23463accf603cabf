package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.Authority;
import io.slotwise.testing.Authority.Holder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The extender over TLS, with certificates that an authority of the test's own issued. */
@QuarkusTest
@TestProfile(ExtenderClientsTest.Exposed.class)
class ExtenderClientsTest {
    private static final String KNOWN = "CN=kube-scheduler of berlin,O=slotwise";
    private static final String BODY =
            "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"user\"}},\"NodeNames\":[\"n\"]}";

    @TestHTTPResource(value = "/", tls = true)
    private URI root = URI.create("https://127.0.0.1");

    @TestHTTPResource("/")
    private URI plain = URI.create("http://127.0.0.1");

    /** As the chart sets it up; keys are made where the test runs. */
    public static final class Exposed implements QuarkusTestProfile {
        static final Path FOLDER = folder();
        static final Authority OURS = Authority.in(FOLDER, "ours");
        private static final Path MOUNTED = FOLDER.resolve("mounted");

        /** Two class loaders have this class: one that configures the application, one that the test runs in. */
        private static Path folder() {
            String known = System.getProperty("slotwise.test.authority");
            if (known != null) {
                return Path.of(known);
            }
            try {
                Path folder = Files.createTempDirectory("slotwise-authority-");
                Files.createDirectory(folder.resolve("mounted"));
                System.setProperty("slotwise.test.authority", folder.toString());
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class);
        }

        @Override
        public String getConfigProfile() {
            return "test,extender-tls";
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            OURS.write(MOUNTED, OURS.issue("CN=slotwise"));
            Map<String, String> properties = new HashMap<>(new FakeCluster.Profile().getConfigOverrides());
            properties.put("quarkus.http.test-ssl-port", "0");
            properties.put("slotwise.extender.tls", MOUNTED.toString());
            properties.put("slotwise.extender.client-names", "another,kube-scheduler of berlin");
            return properties;
        }
    }

    /** Shows its certificate whatever authorities the server asks for, or none. */
    private static final class Shows extends X509ExtendedKeyManager {
        private final Holder holder;

        Shows(Holder holder) {
            this.holder = holder;
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return new String[] {"own"};
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return "own";
        }

        @Override
        public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
            return "own";
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal[] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return null;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            try {
                KeyStore store = holder.store();
                return new X509Certificate[] {
                    (X509Certificate) store.getCertificate(store.aliases().nextElement())
                };
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            try {
                KeyStore store = holder.store();
                return (PrivateKey) store.getKey(store.aliases().nextElement(), holder.password());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The status of the answer; empty: the connection was refused. */
    private Optional<Integer> filter(@Nullable Holder client, Authority server) throws Exception {
        try {
            return Optional.of(send(client, server, "/scheduler/v1/filter").statusCode());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private HttpResponse<String> send(@Nullable Holder client, Authority server, String path) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", server.own());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(client == null ? null : new KeyManager[] {new Shows(client)}, trust.getTrustManagers(), null);
        try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
            return http.send(
                    HttpRequest.newBuilder(root.resolve(path))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(BODY))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void theRightCertificateIsAnswered() throws Exception {
        HttpResponse<String> answer = send(Exposed.OURS.issue(KNOWN), Exposed.OURS, "/scheduler/v1/filter");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("NodeNames");
    }

    @Test
    void noCertificateIsRefused() throws Exception {
        HttpResponse<String> answer = send(null, Exposed.OURS, "/scheduler/v1/filter");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("slotwise.extender.client-names");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/v1/gangs", "/metrics", "/q/health/live"})
    void thePortIsForNothingElse(String path) throws Exception {
        assertThat(send(null, Exposed.OURS, path).statusCode()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CN=somebody",
                "O=kube-scheduler of berlin",
                "CN=somebody,CN=kube-scheduler of berlin",
                "CN=Kube-Scheduler of Berlin",
                "CN=kube-scheduler of berlin2"
            })
    void anotherNameIsRefused(String subject) throws Exception {
        assertThat(filter(Exposed.OURS.issue(subject), Exposed.OURS)).contains(403);
    }

    @Test
    void anotherAuthorityIsRefused() throws Exception {
        Authority other = Authority.in(Files.createTempDirectory(Exposed.FOLDER, "other"), "ours");

        assertThat(filter(other.issue(KNOWN), Exposed.OURS)).isEmpty();
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        assertThat(filter(Exposed.OURS.issueExpired(KNOWN), Exposed.OURS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/scheduler;a=b/v1/filter",
                "/scheduler/v1;a/filter;b=c",
                "//scheduler/v1/filter",
                "/./scheduler/v1/filter",
                "/x/../scheduler/v1/filter",
                "/%73cheduler/v1/filter",
                "/scheduler%2fv1/filter",
                "/scheduler%3ba/v1/filter",
                "/scheduler/v1/filter/"
            })
    void noSpellingOfThePathLeadsAroundTheCheck(String path) throws Exception {
        try (Socket socket =
                contextWithoutCertificate().getSocketFactory().createSocket(root.getHost(), root.getPort())) {
            socket.getOutputStream()
                    .write(("POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: %d\r\nConnection: close\r\n\r\n%s")
                            .formatted(path, BODY.length(), BODY)
                            .getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();

            assertThat(status).matches("HTTP/1.1 (400|403|404) .*");
        }
    }

    private static SSLContext contextWithoutCertificate() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", Exposed.OURS.own());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void theSchedulerOfThisHostStillCallsWithoutTls() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(plain.resolve("/scheduler/v1/filter"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(BODY))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    /** Last for what it leaves behind: from then on another authority is in force, until it is taken back. */
    @Test
    void renewedCertificatesAreReadAgain() throws Exception {
        Authority next = Authority.in(Files.createTempDirectory(Exposed.FOLDER, "next"), "next");
        Holder client = next.issue(KNOWN);
        Holder before = Exposed.OURS.issue(KNOWN);
        assertThat(filter(client, Exposed.OURS)).isEmpty();
        try {
            next.write(Exposed.MOUNTED, next.issue("CN=slotwise"));

            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(filter(client, next)).contains(200));
            assertThat(filter(before, next)).isEmpty();
        } finally {
            Exposed.OURS.write(Exposed.MOUNTED, Exposed.OURS.issue("CN=slotwise"));
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(
                            () -> assertThat(filter(before, Exposed.OURS)).contains(200));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {"CN=a,O=b|a", "O=b,CN=a\\, b|a, b", "O=b|null", "CN=a,CN=b|null", "CN=a+CN=b,O=c|null"})
    void theNameIsTheOnlyCommonName(String subject, @Nullable String name) {
        assertThat(ExtenderClients.commonName(new X500Principal(subject))).isEqualTo(name);
    }

    @Test
    void namesWithoutTlsAreRefusedAtTheStart() {
        assertThatThrownBy(() -> new ExtenderClients(Optional.of(List.of("a", "b")), Optional.empty()))
                .hasMessageContaining("slotwise.extender.client-names (a, b) needs TLS");
    }
}
