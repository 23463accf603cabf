package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Kinds of other projects behind servers that do not answer. The server of {@code scheduling.k8s.io} never lists its
 * kinds, Volcano's accepts lists and never answers them, and watches of coscheduling begin and deliver nothing.
 */
class ForeignKindsTest {
    private static final GroupKey TRAINING = new GroupKey(GroupKind.COSCHEDULING, "user", "training");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final WatchTiming SHORT = WatchTiming.DEFAULT.with(copy -> copy.shortest(SECOND)
            .longest(SECOND)
            .brief(SECOND)
            .grace(Duration.ofMillis(300))
            .echo(SECOND)
            .lookAgain(Duration.ofMillis(300)));

    private final CannedServer server = new CannedServer(this::answer);
    private volatile int members = 3;
    /** True if the conversion webhook of the last kind is broken. */
    private volatile boolean broken;

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(HttpExchange call) throws IOException {
        String path = call.getRequestURI().getPath();
        switch (path) {
            case "/apis" ->
                CannedServer.send(call, 200, """
                    {"kind": "APIGroupList", "apiVersion": "v1", "groups": [%s, %s, %s]}\
                    """.formatted(
                        group("scheduling.k8s.io"), group("scheduling.volcano.sh"), group("scheduling.x-k8s.io")));
            case "/apis/scheduling.volcano.sh/v1", "/apis/scheduling.x-k8s.io/v1" ->
                CannedServer.send(call, 200, """
                    {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "%s", "resources": [
                      {"name": "podgroups", "kind": "PodGroup", "namespaced": true}]}\
                    """.formatted(path.substring("/apis/".length())));
            case "/apis/scheduling.x-k8s.io/v1/podgroups" -> podGroups(call);
            default -> server.hang();
        }
    }

    private void podGroups(HttpExchange call) throws IOException {
        if (broken) {
            call.sendResponseHeaders(500, -1);
        } else if (String.valueOf(call.getRequestURI().getQuery()).contains("watch=true")) {
            server.beginAndHang(call);
        } else {
            CannedServer.send(call, 200, """
                {"kind": "PodGroupList", "apiVersion": "scheduling.x-k8s.io/v1", "metadata": {"resourceVersion": "%d"}, "items": [
                  {"kind": "PodGroup", "apiVersion": "scheduling.x-k8s.io/v1", "spec": {"minMember": %d},
                   "metadata": {"namespace": "user", "name": "training", "resourceVersion": "%d"}}]}\
                """.formatted(members, members, members));
        }
    }

    private static String group(String name) {
        String version = """
            {"groupVersion": "%s/v1", "version": "v1"}\
            """.formatted(name);
        return """
            {"name": "%s", "versions": [%s], "preferredVersion": %s}\
            """.formatted(name, version, version);
    }

    /** A client with a timeout of a minute. A faster result has not waited for the servers that hang. */
    private KubernetesClient client() {
        return new KubernetesClientBuilder()
                .withConfig(server.config()
                        .withRequestTimeout(60_000)
                        .withRequestRetryBackoffLimit(0)
                        .withWatchReconnectLimit(0)
                        .build())
                .build();
    }

    private static GroupWatch watch(KubernetesClient client, Duration patience) {
        GroupWatch watch = new GroupWatch(
                client, () -> {}, _ -> {}, SHORT.withPatience(patience), new ProcessClock(System::nanoTime));
        watch.start();
        return watch;
    }

    private static @Nullable Integer members(GroupWatch watch) {
        GenericKubernetesResource found = watch.find(TRAINING);
        return found == null ? null : found.<Integer>get("spec", "minMember");
    }

    @Test
    void hangingKindsAreWaitedForBrieflyAndBlockNoOthers() {
        try (KubernetesClient client = client();
                GroupWatch watch = watch(client, Duration.ofSeconds(2))) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(members(watch)).isEqualTo(3));

            await().atMost(Duration.ofSeconds(20)).until(watch::ready);

            assertThat(watch.unread()).containsExactly(GroupKind.POD_GROUP, GroupKind.VOLCANO);
        }
    }

    @Test
    void changesHiddenByASilentWatchAreSeenAfterItsTimeout() {
        try (KubernetesClient client = client();
                GroupWatch watch = watch(client, Duration.ofSeconds(60))) {
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(members(watch)).isEqualTo(3));

            members = 5;

            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(members(watch)).isEqualTo(5));
        }
    }

    @Test
    void aKindThatStopsAnsweringIsReportedAndKeptAsKnown() {
        try (KubernetesClient client = client();
                GroupWatch watch = watch(client, Duration.ofSeconds(1))) {
            await().atMost(Duration.ofSeconds(20)).until(() -> members(watch) != null && watch.ready());
            assertThat(watch.unread()).doesNotContain(GroupKind.COSCHEDULING);

            broken = true;

            await().atMost(Duration.ofSeconds(20)).until(() -> watch.unread().contains(GroupKind.COSCHEDULING));
            assertThat(watch.ready()).isTrue();
            assertThat(members(watch)).isEqualTo(3);
            broken = false;
            await().atMost(Duration.ofSeconds(20)).until(() -> !watch.unread().contains(GroupKind.COSCHEDULING));
        }
    }
}
