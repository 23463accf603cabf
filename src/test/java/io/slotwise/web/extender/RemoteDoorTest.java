package io.slotwise.web.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.Authority;
import io.slotwise.testing.Authority.Holder;
import io.slotwise.testing.ClientKeys;
import io.slotwise.web.FakeCluster;
import jakarta.inject.Inject;
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
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The extender for kube-schedulers of other hosts, with certificates of the test's own authority. */
@QuarkusTest
@TestProfile(RemoteDoorTest.Exposed.class)
class RemoteDoorTest {
    private static final String KNOWN = "CN=kube-scheduler of berlin,O=slotwise";
    private static final String BODY =
            "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"user\"}},\"NodeNames\":[\"n\"]}";

    private final ExtenderPorts doors;

    @Inject
    RemoteDoorTest(ExtenderPorts doors) {
        this.doors = doors;
    }

    /** The port for the pod itself, which is the last one. */
    private URI root() {
        return URI.create("https://127.0.0.1:%d/".formatted(doors.ports().getLast()));
    }

    /** The chart's setup, with keys made where the test runs. */
    public static final class Exposed implements QuarkusTestProfile {
        static final Path FOLDER = folder();
        static final Authority OURS = Authority.in(FOLDER, "ours");
        static final Path MOUNTED = FOLDER.resolve("mounted");

        /** Two class loaders have this class: the one that configures the application, and the test's. */
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
        public Map<String, String> getConfigOverrides() {
            OURS.write(MOUNTED, OURS.issue("CN=slotwise"));
            Map<String, String> properties = new HashMap<>(new FakeCluster.Profile().getConfigOverrides());
            properties.put("slotwise.extender.tls", MOUNTED.toString());
            properties.put("slotwise.extender.client-names", "another,kube-scheduler of berlin");
            return properties;
        }
    }

    /** Presents its certificate whatever authorities the server accepts, or none. */
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

    /** The status of the answer, or empty if the connection was refused. */
    private Optional<Integer> filter(@Nullable Holder client, Authority server) throws Exception {
        try {
            return Optional.of(send(client, server, "/scheduler/v1/filter").statusCode());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static SSLContext contextOf(@Nullable Holder client, Authority server) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", server.own());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(client == null ? null : new KeyManager[] {new Shows(client)}, trust.getTrustManagers(), null);
        return context;
    }

    private HttpResponse<String> send(@Nullable Holder client, Authority server, String path) throws Exception {
        try (HttpClient http =
                HttpClient.newBuilder().sslContext(contextOf(client, server)).build()) {
            return http.send(
                    HttpRequest.newBuilder(root().resolve(path))
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
        assertThat(filter(null, Exposed.OURS)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/api/v1/gangs", "/metrics", "/q/health/live", "/scheduler/v1/filter/", "/scheduler/v1"})
    void thePortIsForNothingElse(String path) throws Exception {
        assertThat(send(Exposed.OURS.issue(KNOWN), Exposed.OURS, path).statusCode())
                .isEqualTo(404);
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

    /** The certificate is of the authority and names another client. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/scheduler/v1/filter",
                "/scheduler;a=b/v1/filter",
                "/scheduler/v1;a/filter;b=c",
                "//scheduler/v1/filter",
                "/./scheduler/v1/filter",
                "/x/../scheduler/v1/filter",
                "/%73cheduler/v1/filter",
                "/scheduler%2fv1/filter",
                "/scheduler/v1/filter/"
            })
    void noSpellingOfThePathLeadsAroundTheCheck(String path) throws Exception {
        try (Socket socket = contextOf(Exposed.OURS.issue("CN=somebody"), Exposed.OURS)
                .getSocketFactory()
                .createSocket(root().getHost(), root().getPort())) {
            socket.getOutputStream()
                    .write(("POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                                    + "Content-Length: %d\r\nConnection: close\r\n\r\n%s")
                            .formatted(path, BODY.length(), BODY)
                            .getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();

            assertThat(status).matches("HTTP/1.1 403 .*");
        }
    }

    @Test
    void theSchedulerInThePodStillCallsWithItsOwnCertificate() throws Exception {
        URI pod = URI.create("https://127.0.0.1:%d/scheduler/v1/filter"
                .formatted(doors.ports().getFirst()));
        Path keys = ConfigProvider.getConfig().getValue("slotwise.extender.pod.tls", Path.class);

        try (HttpClient http = HttpClient.newBuilder()
                .sslContext(ClientKeys.in(keys.resolveSibling("kube-scheduler")))
                .build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(pod)
                            .POST(BodyPublishers.ofString(BODY))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    /** The keys of the pod do not open the network's port. */
    @Test
    void theCertificateOfThePodsOwnSchedulerIsRefusedHere() throws Exception {
        Path keys = ConfigProvider.getConfig().getValue("slotwise.extender.pod.tls", Path.class);
        Path folder = Files.createTempDirectory(Exposed.FOLDER, "mixed");
        for (String file : List.of("tls.crt", "tls.key")) {
            Files.copy(keys.resolveSibling("kube-scheduler").resolve(file), folder.resolve(file));
        }
        Files.copy(Exposed.MOUNTED.resolve("ca.crt"), folder.resolve("ca.crt"));

        try (HttpClient http =
                HttpClient.newBuilder().sslContext(ClientKeys.in(folder)).build()) {
            HttpRequest request = HttpRequest.newBuilder(root().resolve("/scheduler/v1/filter"))
                    .POST(BodyPublishers.ofString(BODY))
                    .build();

            assertThatThrownBy(() -> http.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    /** Comes last because another authority is in force from then on, until it is reset. */
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''|a,b|slotwise.extender.client-names (a, b)", "/keys|''|slotwise.extender.tls (/keys)"})
    void keysAndNamesBelongTogether(String keys, String names, String message) {
        assertThatThrownBy(() -> new ExtenderPorts.Settings(
                        keys.isEmpty() ? Optional.empty() : Optional.of(Path.of(keys)),
                        names.isEmpty() ? Optional.empty() : Optional.of(List.of(names.split(","))),
                        0,
                        Duration.ofSeconds(30),
                        "127.0.0.1"))
                .hasMessageContaining(message)
                .hasMessageContaining("belong together: expected both, or none");
    }
}
