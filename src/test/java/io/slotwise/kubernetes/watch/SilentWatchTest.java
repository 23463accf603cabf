package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An API server that answers lists, and whose watches begin and never deliver anything. */
class SilentWatchTest {
    private static final WatchTiming SHORT = WatchTiming.DEFAULT.with(copy -> copy.shortest(Duration.ofSeconds(1))
            .longest(Duration.ofSeconds(1))
            .brief(Duration.ofSeconds(1))
            .grace(Duration.ofMillis(300))
            .echo(Duration.ofSeconds(1)));

    private final CannedServer server = new CannedServer(this::answer);
    private final List<String> watches = new CopyOnWriteArrayList<>();
    /** The times at which lists and watches requested nodes. */
    private final List<Long> asked = new CopyOnWriteArrayList<>();

    private volatile String node = "a";
    private volatile int version = 5;
    /** The HTTP status of lists and watches, or 0 for objects. */
    private volatile int refusal;

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        String query = String.valueOf(call.getRequestURI().getQuery());
        if (path.equals("/apis")) {
            CannedServer.send(call, 200, "{\"kind\": \"APIGroupList\", \"apiVersion\": \"v1\", \"groups\": []}");
        } else {
            if (path.equals("/api/v1/nodes")) {
                asked.add(System.nanoTime());
            }
            if (refusal != 0) {
                call.getResponseHeaders().add("Retry-After", "1");
                CannedServer.send(call, refusal, "Too many requests, please try again later.");
            } else if (query.contains("watch=true")) {
                watch(call, path + "?" + query);
            } else {
                list(call, path);
            }
        }
    }

    private void watch(HttpExchange call, String what) throws IOException {
        watches.add(what);
        server.beginAndHang(call);
    }

    private void list(HttpExchange call, String path) throws IOException {
        String items = path.equals("/api/v1/nodes") ? """
            {"metadata": {"name": "%s", "uid": "uid-%s", "resourceVersion": "%d"}}\
            """.formatted(node, node, version) : "";
        CannedServer.send(call, 200, """
            {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "%d"}, "items": [%s]}\
            """.formatted(version, items));
    }

    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(server.config()
                        .withRequestRetryBackoffLimit(2)
                        .withRequestRetryBackoffInterval(100)
                        .build())
                .build();
    }

    private static ClusterWatch watch(KubernetesClient client) {
        Intake intake = new Intake(
                LoopSettings.EXACT, PriceCatalogue.EMPTY, new PodFilter("slotwise", "slotwise-extender", false));
        ClusterWatch watch = new ClusterWatch(client, intake, new ReservationIndex(), () -> {}, SHORT);
        watch.start();
        await().atMost(Duration.ofSeconds(30)).until(watch::ready);
        return watch;
    }

    @Test
    void changesHiddenByASilentWatchAreSeenAfterItsTimeout() {
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
    void anApiServerThatRefusesAllCallsIsCalledLessOftenAndNothingIsCurrent() {
        try (KubernetesClient client = client();
                ClusterWatch watch = watch(client)) {
            await().until(watch::isCurrent);
            refusal = 429;
            int before = asked.size();

            await().atMost(Duration.ofSeconds(30)).until(() -> asked.size() >= before + 7 && !watch.isCurrent());
            assertThat(Duration.ofNanos(asked.getLast() - asked.get(asked.size() - 2)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(990));

            refusal = 0;
            await().atMost(Duration.ofSeconds(30)).until(watch::isCurrent);
        }
    }
}
