package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIGroupBuilder;
import io.fabric8.kubernetes.api.model.APIGroupListBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupWatchTest {
    private static final String API = "scheduling.x-k8s.io/v1alpha1";
    private static final GroupKey TRAINING = new GroupKey(GroupKind.COSCHEDULING, "user", "training");
    private static final APIGroup SERVED = new APIGroupBuilder()
            .withName("scheduling.x-k8s.io")
            .addNewVersion(API, "v1alpha1")
            .withNewPreferredVersion(API, "v1alpha1")
            .build();

    private final Map<ServerRequest, Queue<ServerResponse>> responses = new HashMap<>();
    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), responses, new KubernetesMixedDispatcher(responses), false);
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();

    @BeforeEach
    void start() {
        server.init();
        server.expect()
                .get()
                .withPath("/apis/" + API)
                .andReturn(
                        200,
                        new APIResourceListBuilder()
                                .withGroupVersion(API)
                                .addNewResource()
                                .withName("podgroups")
                                .withKind("PodGroup")
                                .withNamespaced(true)
                                .endResource()
                                .build())
                .always();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    @Test
    void servedKindsAreReadWithoutTheirStatus() {
        serve(SERVED).always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            create(client);
            watch.start();
            await().until(watch::ready);

            GenericKubernetesResource found = Objects.requireNonNull(watch.find(TRAINING));

            assertThat(found.<Integer>get("spec", "minMember")).isEqualTo(3);
            assertThat(found.getAdditionalProperties()).doesNotContainKey("status");
            assertThat(watch.find(new GroupKey(GroupKind.COSCHEDULING, "user", "other")))
                    .isNull();
        }
    }

    @Test
    void unservedKindsAreNotRequested() throws InterruptedException {
        serve().always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            watch.start();
            await().until(watch::ready);

            assertThat(watch.find(TRAINING)).isNull();
            assertThat(server.takeRequest().getPath()).isEqualTo("/apis");
            assertThat(server.getRequestCount()).isEqualTo(1);
        }
    }

    @Test
    void aKindServedLaterIsFoundOnceAPodNamesIt() {
        serve().once();
        serve(SERVED).always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            create(client);
            watch.start();
            await().until(watch::ready);

            await().untilAsserted(() -> assertThat(watch.find(TRAINING)).isNotNull());
            assertThat(changes).hasPositiveValue();
        }
    }

    @Test
    void anApiServerThatDoesNotAnswerIsAskedAgain() {
        server.expect()
                .get()
                .withPath("/apis")
                .andReturn(500, "broken on purpose")
                .once();
        serve(SERVED).always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            watch.start();

            await().until(watch::ready);
        }
    }

    @Test
    void forbiddenKindsCountAsNotServed() {
        serve(SERVED).always();
        server.expect()
                .get()
                .withPath("/apis/" + API + "/podgroups?limit=" + Reflector.PAGE)
                .andReturn(403, "{\"kind\": \"Status\", \"code\": 403, \"message\": \"forbidden\"}")
                .always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            watch.start();

            await().until(watch::ready);
            assertThat(watch.find(TRAINING)).isNull();
        }
    }

    @Test
    void aForbiddenKindIsTriedAgainOnlyAfterSomeMinutes() {
        AtomicInteger lookups = new AtomicInteger();
        AtomicInteger lists = new AtomicInteger();
        server.expect()
                .get()
                .withPath("/apis")
                .andReply(200, _ -> {
                    lookups.incrementAndGet();
                    return new APIGroupListBuilder().withGroups(SERVED).build();
                })
                .always();
        server.expect()
                .get()
                .withPath("/apis/" + API + "/podgroups?limit=" + Reflector.PAGE)
                .andReply(403, _ -> {
                    lists.incrementAndGet();
                    return "{\"kind\": \"Status\", \"code\": 403, \"message\": \"forbidden\"}";
                })
                .always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            watch.start();
            await().until(() -> watch.ready() && lists.get() == 1);

            await().until(() -> watch.all(GroupKind.COSCHEDULING).isEmpty() && lookups.get() == 4);
            assertThat(lists).hasValue(1);
            assertThat(changes).hasValue(1);
            now.addAndGet(GroupWatch.REFUSAL_PAUSE.toNanos());

            await().until(() -> watch.all(GroupKind.COSCHEDULING).isEmpty() && lists.get() == 2);
        }
    }

    @Test
    void aKindWithABrokenWebhookIsWaitedForBrieflyAndUsedLater() {
        serve(SERVED).always();
        server.expect()
                .get()
                .withPath("/apis/" + API + "/podgroups?limit=" + Reflector.PAGE)
                .andReturn(500, "conversion webhook failed")
                .times(3);
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            create(client);
            watch.start();
            await().until(() -> server.getRequestCount() > 3);

            assertThat(watch.ready()).isFalse();
            assertThat(watch.unread()).isEmpty();
            now.addAndGet(Duration.ofSeconds(10).toNanos());

            assertThat(watch.ready()).isTrue();
            assertThat(watch.unread()).containsExactly(GroupKind.COSCHEDULING);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(watch.find(TRAINING)).isNotNull());
            await().until(() -> watch.unread().isEmpty());
            assertThat(changes).hasPositiveValue();
        }
    }

    @Test
    void anApiServiceThatIsDownIsWaitedForAWhileAndAskedAgain() {
        APIGroup other = new APIGroupBuilder()
                .withName("scheduling.volcano.sh")
                .addNewVersion("scheduling.volcano.sh/v1beta1", "v1beta1")
                .withNewPreferredVersion("scheduling.volcano.sh/v1beta1", "v1beta1")
                .build();
        server.expect()
                .get()
                .withPath("/apis/scheduling.volcano.sh/v1beta1")
                .andReturn(503, "the server is currently unable to handle the request")
                .always();
        serve(other, SERVED).always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            create(client);
            watch.start();
            await().until(() -> watch.find(TRAINING) != null);

            assertThat(watch.ready()).isFalse();
            now.addAndGet(Duration.ofSeconds(10).toNanos());

            assertThat(watch.ready()).isTrue();
            assertThat(watch.unread()).containsExactly(GroupKind.VOLCANO);
        }
    }

    /** A StatefulSet names the owner of its pods, which go after it. */
    @Test
    void onlyStatefulSetsOfLeaderWorkerSetsAreReadAndDeletedOnesAreKnown() {
        server.expect()
                .get()
                .withPath("/apis/apps/v1")
                .andReturn(
                        200,
                        new APIResourceListBuilder()
                                .withGroupVersion("apps/v1")
                                .addNewResource()
                                .withName("statefulsets")
                                .withKind("StatefulSet")
                                .withNamespaced(true)
                                .endResource()
                                .build())
                .always();
        serve(new APIGroupBuilder()
                        .withName("apps")
                        .addNewVersion("apps/v1", "v1")
                        .withNewPreferredVersion("apps/v1", "v1")
                        .build())
                .always();
        try (KubernetesClient client = server.createClient();
                GroupWatch watch = watch(client)) {
            statefulSet(client, "other", Map.of("app", "web"));
            statefulSet(client, "workers", Map.of("leaderworkerset.sigs.k8s.io/name", "s"));
            watch.start();
            await().until(watch::ready);
            GroupKey workers = new GroupKey(GroupKind.STATEFUL_SET, "user", "workers");
            String uid =
                    Objects.requireNonNull(watch.find(workers)).getMetadata().getUid();

            assertThat(watch.find(new GroupKey(GroupKind.STATEFUL_SET, "user", "other")))
                    .isNull();

            int before = changes.get();
            client.apps().statefulSets().inNamespace("user").withName("workers").delete();
            await().until(() -> changes.get() > before);
            assertThat(Objects.requireNonNull(watch.find(workers)).getMetadata().getUid())
                    .isEqualTo(uid);

            statefulSet(client, "workers", Map.of("leaderworkerset.sigs.k8s.io/name", "s"));
            await().untilAsserted(() -> assertThat(Objects.requireNonNull(watch.find(workers))
                            .getMetadata()
                            .getUid())
                    .isNotEqualTo(uid));
        }
    }

    private static void statefulSet(KubernetesClient client, String name, Map<String, String> labels) {
        client.apps()
                .statefulSets()
                .inNamespace("user")
                .resource(new StatefulSetBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
    }

    private static void create(KubernetesClient client) {
        client.genericKubernetesResources(API, "PodGroup")
                .inNamespace("user")
                .resource(podGroup())
                .create();
    }

    private GroupWatch watch(KubernetesClient client) {
        return new GroupWatch(
                client,
                changes::incrementAndGet,
                _ -> {},
                WatchTiming.DEFAULT.withLookAgain(Duration.ofMillis(300)).withPatience(Duration.ofSeconds(10)),
                new ProcessClock(now::get));
    }

    private io.fabric8.mockwebserver.dsl.TimesOnceableOrHttpHeaderable<Void> serve(APIGroup... groups) {
        return server.expect()
                .get()
                .withPath("/apis")
                .andReturn(
                        200,
                        new APIGroupListBuilder().withGroups(List.of(groups)).build());
    }

    private static GenericKubernetesResource podGroup() {
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(API)
                .withKind("PodGroup")
                .withNewMetadata()
                .withNamespace("user")
                .withName("training")
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("minMember", 3))
                .addToAdditionalProperties("status", Map.of("phase", "Pending"))
                .build();
    }
}
