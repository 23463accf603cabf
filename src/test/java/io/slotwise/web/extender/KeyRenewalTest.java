package io.slotwise.web.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.slotwise.testing.ClientKeys;
import io.slotwise.web.FakeCluster;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that the key of the pod's kube-scheduler is renewed before it expires. */
@QuarkusTest
@TestProfile(FakeCluster.Profile.class)
class KeyRenewalTest {
    private static final Duration LIFETIME = Duration.ofHours(24);
    private static final String BODY =
            "{\"Pod\":{\"metadata\":{\"name\":\"p\",\"namespace\":\"user\"}},\"NodeNames\":[\"n\"]}";

    private final Vertx vertx;
    private final ExtenderVerbs verbs;
    private Path slotwise = Path.of("");
    private Path scheduler = Path.of("");
    private ExtenderPort door;

    @Inject
    @SuppressWarnings("NullAway.Init")
    KeyRenewalTest(Vertx vertx, ExtenderVerbs verbs) {
        this.vertx = vertx;
        this.verbs = verbs;
    }

    @BeforeEach
    void open() throws IOException {
        Path folder = Files.createTempDirectory("slotwise-renewed-");
        slotwise = folder.resolve("slotwise");
        scheduler = folder.resolve("kube-scheduler");
        PodKeys.write(slotwise, scheduler);
        door = ExtenderPort.open(
                vertx, verbs, new ExtenderPort.Opened("127.0.0.1", 0, slotwise, Duration.ofSeconds(30), _ -> true));
    }

    @AfterEach
    void close() {
        door.close();
    }

    private KeyRenewal renewal(Duration lifetime, Duration overlap) {
        return new KeyRenewal(
                slotwise, scheduler, new KeyRenewal.Plan(lifetime, overlap, InstantSource.system()), door);
    }

    private int call(HttpClient client) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create("https://127.0.0.1:%d/scheduler/v1/filter".formatted(door.port())))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(BODY))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private static HttpClient client(SSLContext keys, Version version) {
        return HttpClient.newBuilder().sslContext(keys).version(version).build();
    }

    private int callAnew(SSLContext keys) throws IOException, InterruptedException {
        try (HttpClient client = client(keys, Version.HTTP_2)) {
            return call(client);
        }
    }

    @Test
    void bothKeysCountForAWhileAndThenTheNewOneAlone() throws Exception {
        SSLContext old = ClientKeys.in(scheduler);
        assertThat(callAnew(old)).isEqualTo(200);

        renewal(LIFETIME, LIFETIME).renew();

        SSLContext renewed = ClientKeys.in(scheduler);
        assertThat(callAnew(renewed)).isEqualTo(200);
        assertThat(callAnew(old)).isEqualTo(200);
        assertThat(renewal(LIFETIME, LIFETIME).isDue()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Version.class)
    void theOldKeyIsInvalidAfterwardsEvenOnAnOpenConnection(Version version) throws Exception {
        SSLContext old = ClientKeys.in(scheduler);
        try (HttpClient open = client(old, version)) {
            assertThat(call(open)).isEqualTo(200);

            // The key becomes due after two and a half seconds, a few times meanwhile.
            renewal(Duration.ofSeconds(5), Duration.ofMillis(200)).run(vertx);

            Awaitility.await()
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThatThrownBy(() -> call(open)).isInstanceOf(IOException.class));
            Awaitility.await()
                    .ignoreExceptions()
                    .untilAsserted(
                            () -> assertThat(callAnew(ClientKeys.in(scheduler))).isEqualTo(200));
            assertThatThrownBy(() -> callAnew(old)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aKeyThatHasLivedForItsTimeIsDueAndOneOfTheFutureToo() throws Exception {
        KeyRenewal renewal = renewal(LIFETIME, LIFETIME);
        assertThat(renewal.isDue()).isFalse();

        made(Instant.now().minus(LIFETIME));
        assertThat(renewal.isDue()).isTrue();

        made(Instant.now().plus(LIFETIME.multipliedBy(2)));
        assertThat(renewal.isDue()).isTrue();
    }

    private void made(Instant at) throws IOException {
        Files.setLastModifiedTime(scheduler.resolve("tls.crt"), FileTime.from(at));
    }

    @Test
    void anUnfinishedRenewalIsRepeated() throws Exception {
        // The state of a program that ended between key and certificate.
        Files.createFile(scheduler.resolve("renewing"));
        Files.writeString(scheduler.resolve("tls.key"), PodKeys.client().key());
        KeyRenewal renewal = renewal(LIFETIME, LIFETIME);
        assertThat(renewal.isDue()).isTrue();

        renewal.renew();

        assertThat(renewal.isDue()).isFalse();
        assertThat(callAnew(ClientKeys.in(scheduler))).isEqualTo(200);
    }

    @Test
    void onlyTheOwnerMayReadTheNewKey() throws Exception {
        renewal(LIFETIME, LIFETIME).renew();

        try (Stream<Path> files = Stream.of("tls.key", "tls.crt").map(scheduler::resolve)) {
            assertThat(files)
                    .allSatisfy(file ->
                            assertThat(Files.getPosixFilePermissions(file)).hasSize(2));
        }
    }
}
