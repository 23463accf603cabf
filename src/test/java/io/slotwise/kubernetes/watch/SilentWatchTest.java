package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.slotwise.kubernetes.manifest.Candidates;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.live.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An API server that answers lists, and whose watches begin and then bring nothing for ever. */
class SilentWatchTest {
    private static final Reflector.Timing SHORT = new Reflector.Timing(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofMillis(300),
            Duration.ofSeconds(1));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> watches = new CopyOnWriteArrayList<>();
    private final List<Long> nodeLists = new CopyOnWriteArrayList<>();
    private volatile String node = "a";
    private volatile int version = 5;
    /** What lists and watches are answered with in place of objects; 0: with objects. */
    private volatile int refusal;

    private HttpServer server;

    @SuppressWarnings("NullAway.Init")
    SilentWatchTest() {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        String query = String.valueOf(call.getRequestURI().getQuery());
        if (path.equals("/apis")) {
            send(call, 200, "{\"kind\": \"APIGroupList\", \"apiVersion\": \"v1\", \"groups\": []}");
        } else if (query.contains("watch=true")) {
            watch(call, path + "?" + query);
        } else {
            if (path.equals("/api/v1/nodes")) {
                nodeLists.add(System.nanoTime());
            }
            list(call, path);
        }
    }

    private void watch(HttpExchange call, String what) throws IOException {
        if (refusal != 0) {
            send(call, refusal, "");
            return;
        }
        watches.add(what);
        call.sendResponseHeaders(200, 0);
        try (OutputStream silent = call.getResponseBody()) {
            silent.flush();
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void list(HttpExchange call, String path) throws IOException {
        if (refusal != 0) {
            call.getResponseHeaders().add("Retry-After", "1");
            send(call, refusal, "Too many requests, please try again later.");
            return;
        }
        String items = path.equals("/api/v1/nodes") ? """
                {"metadata": {"name": "%s", "uid": "uid-%s", "resourceVersion": "%d"}}""".formatted(node, node, version) : "";
        send(call, 200, """
                {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "%d"}, "items": [%s]}""".formatted(version, items));
    }

    private static void send(HttpExchange call, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().add("Content-Type", body.startsWith("{") ? "application/json" : "text/plain");
        call.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = call.getResponseBody()) {
            out.write(bytes);
        }
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withOnlyHttpWatches(true)
                        .withRequestRetryBackoffLimit(2)
                        .withRequestRetryBackoffInterval(100)
                        .build())
                .build();
    }

    private static ClusterWatch watch(KubernetesClient client) {
        Intake intake = new Intake(
                Settings.DEFAULT, PriceCatalogue.EMPTY, new Candidates("slotwise", "slotwise-extender", false));
        ClusterWatch watch = new ClusterWatch(
                client, intake, new ReservationIndex(), new LedgerIndex(), () -> {}, SHORT, System::nanoTime);
        watch.start();
        await().atMost(Duration.ofSeconds(30)).until(watch::ready);
        return watch;
    }

    @Test
    void whatASilentWatchHidesIsSeenAfterItsTimeOut() {
        try (KubernetesClient client = client();
                ClusterWatch watch = watch(client)) {
            assertThat(watch.node("a")).isNotNull();
            version = 6;
            node = "b";

            await().atMost(Duration.ofSeconds(30)).until(() -> watch.node("b") != null);

            assertThat(watch.node("a")).isNull();
            assertThat(watches)
                    .anySatisfy(one -> assertThat(one)
                            .startsWith("/api/v1/nodes")
                            .contains("resourceVersion=5", "timeoutSeconds=1", "allowWatchBookmarks=true"));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(watches)
                            .anySatisfy(one ->
                                    assertThat(one).startsWith("/api/v1/nodes").contains("resourceVersion=6")));
        }
    }

    @Test
    void anApiServerThatTurnsAllCallsAwayIsAskedSeldomAndNothingIsCurrentMeanwhile() {
        try (KubernetesClient client = client();
                ClusterWatch watch = watch(client)) {
            await().until(watch::isCurrent);
            int before = nodeLists.size();
            refusal = 429;

            await().atMost(Duration.ofSeconds(30)).until(() -> nodeLists.size() >= before + 3 && !watch.isCurrent());
            for (int i = before + 1; i < nodeLists.size(); i++) {
                assertThat(Duration.ofNanos(nodeLists.get(i) - nodeLists.get(i - 1)))
                        .as("as Retry-After asks")
                        .isGreaterThanOrEqualTo(Duration.ofMillis(990));
            }

            refusal = 0;
            await().atMost(Duration.ofSeconds(30)).until(watch::isCurrent);
        }
    }
}
