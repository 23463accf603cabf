package io.slotwise.web.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.ClientKeys;
import io.slotwise.web.FakeCluster;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls from the same host: of the pod's kube-scheduler, and of clients with a forwarded port or a sidecar. */
@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class PodDoorTest {
    private static final String FILTER = "/scheduler/v1/filter";
    private static final String BODY =
            "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"user\"}},\"NodeNames\":[\"n\"]}";

    private final FakeCluster cluster;
    private final Vertx vertx;
    private final ExtenderVerbs verbs;

    @TestHTTPResource("/")
    private URI board = URI.create("http://127.0.0.1");

    @Inject
    PodDoorTest(FakeCluster cluster, Vertx vertx, ExtenderVerbs verbs) {
        this.cluster = cluster;
        this.vertx = vertx;
        this.verbs = verbs;
    }

    private HttpResponse<String> post(SSLContext tls, Version version, String path) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(tls).version(version).build()) {
            return client.send(
                    HttpRequest.newBuilder(cluster.extender().resolve(path))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(BODY))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void thePodsOwnSchedulerIsAnswered(Version version) throws Exception {
        HttpResponse<String> answer = post(ClientKeys.in(cluster.schedulerKeys()), version, FILTER);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.version()).isEqualTo(version);
        assertThat(answer.body()).contains("NodeNames");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "prioritize", "preempt", "bind"})
    void aForwardedPortIsUselessWithoutACertificate(String verb) {
        assertThatThrownBy(() ->
                        post(ClientKeys.without(cluster.schedulerKeys()), Version.HTTP_1_1, "/scheduler/v1/" + verb))
                .isInstanceOf(IOException.class);
        assertThat(cluster.extender().getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void theKeysOfAnotherPodAreRefused() throws Exception {
        Path other = Files.createTempDirectory("slotwise-other-pod-");
        PodKeys.write(other.resolve("slotwise"), other.resolve("kube-scheduler"));
        // The client trusts this pod's server, so only the client itself can be refused.
        Files.copy(cluster.schedulerKeys().resolve("ca.crt"), other.resolve("ca.crt"));
        for (String file : List.of("tls.crt", "tls.key")) {
            Files.copy(other.resolve("kube-scheduler").resolve(file), other.resolve(file));
        }

        assertThatThrownBy(() -> post(ClientKeys.in(other), Version.HTTP_1_1, FILTER))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aServerWithoutTheKeysIsNotBelieved() throws Exception {
        Path other = Files.createTempDirectory("slotwise-other-pod-");
        PodKeys.write(other.resolve("slotwise"), other.resolve("kube-scheduler"));

        assertThatThrownBy(() -> post(ClientKeys.in(other.resolve("kube-scheduler")), Version.HTTP_1_1, FILTER))
                .isInstanceOf(IOException.class);
    }

    @Test
    void plainCallsAreNotUnderstood() throws Exception {
        URI extender = cluster.extender();
        try (Socket socket = new Socket(extender.getHost(), extender.getPort())) {
            socket.getOutputStream()
                    .write("POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(FILTER, BODY.length(), BODY)
                            .getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP/", "NodeNames");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/scheduler/v1",
                "/scheduler/v1/filter/",
                "/scheduler/v1/Filter",
                "/api/v1/gangs",
                "/metrics"
            })
    void thePortIsForNothingElse(String path) throws Exception {
        assertThat(post(ClientKeys.in(cluster.schedulerKeys()), Version.HTTP_2, path)
                        .statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "prioritize", "preempt", "bind"})
    void thePortOfTheBoardHasNoExtender(String verb) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(board.resolve("/scheduler/v1/" + verb))
                            .POST(BodyPublishers.ofString(BODY))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(404);
        }
    }

    @Test
    void theNetworkDoesNotReachThePort() throws Exception {
        int port = cluster.extender().getPort();
        List<InetAddress> others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();

        assertThat(others)
                .allSatisfy(address -> assertThatThrownBy(() -> new Socket(address, port).close())
                        .isInstanceOf(ConnectException.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls.crt", "tls.key", "ca.crt"})
    void keysThatCannotBeUsedAreNamedAtTheStart(String file) throws Exception {
        Path keys = Files.createTempDirectory("slotwise-broken-");
        PodKeys.write(keys.resolve("slotwise"), keys.resolve("kube-scheduler"));
        Path folder = keys.resolve("slotwise");
        Files.writeString(folder.resolve(file), "no PEM");

        assertThatThrownBy(() -> ExtenderPort.open(
                        vertx,
                        verbs,
                        new ExtenderPort.Opened("127.0.0.1", 0, folder, Duration.ofSeconds(30), Objects::nonNull)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The extender cannot answer at 127.0.0.1:0")
                .hasMessageContaining(folder.toString());
    }
}
