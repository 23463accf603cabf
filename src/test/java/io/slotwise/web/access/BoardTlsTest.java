package io.slotwise.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.vertx.http.HttpServer;
import io.slotwise.testing.Authority;
import io.slotwise.testing.ClientKeys;
import io.slotwise.testing.FakeReviews;
import io.slotwise.web.FakeCluster;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Board and API over TLS, for tokens with their audience, as in the chart. */
@QuarkusTest
@TestProfile(BoardTlsTest.Encrypted.class)
class BoardTlsTest {
    private final HttpServer server;
    private final Path folder;

    @TestHTTPResource(value = "/", tls = true)
    private URI root = URI.create("https://127.0.0.1");

    @Inject
    BoardTlsTest(HttpServer server, @ConfigProperty(name = "slotwise.tls") Path folder) {
        this.server = server;
        this.folder = folder;
    }

    /** The profile {@code tls}, and the audience {@code slotwise}. */
    public static final class Encrypted implements QuarkusTestProfile {
        private final GuardedCluster guarded = new GuardedCluster();

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class);
        }

        @Override
        public String getConfigProfile() {
            return "test,tls";
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Path folder = Files.createTempDirectory("slotwise-tls-");
                Authority authority = Authority.in(Files.createTempDirectory("slotwise-authority-"), "board");
                authority.write(folder, authority.issue("CN=slotwise"));
                Map<String, String> properties = new HashMap<>(guarded.getConfigOverrides());
                properties.put("slotwise.tls", folder.toString());
                properties.put("slotwise.auth.audiences", "slotwise,another");
                properties.put("quarkus.http.test-ssl-port", "0");
                return properties;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return guarded.testResources();
        }
    }

    private HttpClient client() {
        return HttpClient.newBuilder().sslContext(ClientKeys.without(folder)).build();
    }

    private HttpResponse<String> get(String path, String token) throws IOException, InterruptedException {
        try (HttpClient client = client()) {
            return client.send(
                    HttpRequest.newBuilder(root.resolve(path))
                            .header("Authorization", "Bearer " + token)
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    void theBoardAnswersOverTls() throws Exception {
        assertThat(get("/api/v1/session", FakeReviews.FOR_SLOTWISE).body()).contains("jane");
        assertThat(get("/q/health/live", "").statusCode()).isEqualTo(200);
    }

    @Test
    void noPortSpeaksPlainHttp() {
        assertThat(server.getPort()).isNotPositive();
        URI plain = URI.create("http://127.0.0.1:%d/q/health/live".formatted(server.getSecurePort()));

        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThatThrownBy(() -> client.send(HttpRequest.newBuilder(plain).build(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aBrowserGetsItsCookieForTlsOnly() throws Exception {
        try (HttpClient client = client()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(root.resolve("/api/v1/session"))
                            .header("Content-Type", "application/json")
                            .header("Sec-Fetch-Site", "same-origin")
                            .POST(BodyPublishers.ofString("{\"token\":\"%s\"}".formatted(FakeReviews.FOR_SLOTWISE)))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Set-Cookie").orElse("")).contains("Secure");
        }
    }

    @ParameterizedTest
    @CsvSource({FakeReviews.FOR_VAULT, FakeReviews.ONE, FakeReviews.CARELESS})
    void aTokenForAnotherAudienceIsRefused(String token) throws Exception {
        HttpResponse<String> answer = get("/api/v1/gangs", token);

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body())
                .contains(
                        "the token is not valid for this cluster and slotwise",
                        "kubectl create token --audience=slotwise");
    }
}
