package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForVolume.ClaimState;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterWatchTest {
    private static final int GANGS = 300;

    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);

    @BeforeEach
    void start() {
        server.init();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    private static ClusterWatch ready(KubernetesClient client) {
        Intake intake = new Intake(
                LoopSettings.EXACT, PriceCatalogue.EMPTY, new PodFilter("slotwise", "slotwise-extender", false));
        ClusterWatch watch = new ClusterWatch(client, intake, new ReservationIndex(), () -> {}, WatchTiming.DEFAULT);
        watch.start();
        await().until(watch::ready);
        return watch;
    }

    @RepeatedTest(5)
    void knowsEveryReservationFromTheMomentItIsReady() {
        try (KubernetesClient client = server.createClient()) {
            for (int i = 0; i < GANGS; i++) {
                client.resource(Reservations.withSpec(GangRecord.first(new GangId("user", "g" + i), 1000)))
                        .create();
            }
            try (ClusterWatch watch = ready(client)) {
                assertThat(watch.records()).hasSize(GANGS);
            }
        }
    }

    /** The server itself sets the creation time of pods: now. */
    @Test
    void aReplacementWithTheNameOfAMemberIsNoMemberOfAGangThatHasStarted() {
        try (KubernetesClient client = server.createClient()) {
            for (String gang : List.of("before", "after")) {
                client.resource(pod(gang, gang + "-0")).create();
                client.resource(pod(gang, gang + "-1")).create();
            }
            client.resource(started("before", Instant.parse("2000-01-01T00:00:00Z")))
                    .create();
            client.resource(started("after", Instant.parse("2100-01-01T00:00:00Z")))
                    .create();
            try (ClusterWatch watch = ready(client)) {
                assertThat(members(watch, "before")).isEmpty();
                assertThat(members(watch, "after")).containsExactly("after-0", "after-1");
            }
        }
    }

    @Test
    void aPodAfterItsGangsEndCountsOnlyMembersThatSucceededAfterItsCreation() {
        try (KubernetesClient client = server.createClient()) {
            for (String gang : List.of("ran", "again")) {
                client.resource(pod(gang, gang + "-1")).create();
                String end = gang.equals("ran") ? "2100-01-01T00:00:00Z" : "2000-01-01T00:10:00Z";
                client.resource(succeeded(pod(gang, gang + "-0"), end)).create();
                client.resource(ended(gang, Instant.parse(end))).create();
            }
            try (ClusterWatch watch = ready(client)) {
                long now = Instant.now().getEpochSecond();
                Snapshot snapshot =
                        watch.take(LoopSettings.EXACT, watch.records(), now).snapshot();

                assertThat(snapshot.requests()).singleElement().satisfies(request -> {
                    assertThat(request.gang().id().name()).isEqualTo("ran");
                    assertThat(request.gang().pods()).containsExactly("ran-1");
                });
                assertThat(snapshot.held())
                        .extracting(Pending::gang, Pending::refusal)
                        .containsExactly(tuple(new GangId("user", "again"), new Refusal.WaitingForMembers(1, 2)));
            }
        }
    }

    private static Pod succeeded(Pod pod, String end) {
        return pod.edit()
                .withNewStatus()
                .withPhase("Succeeded")
                .addNewContainerStatus()
                .withName("c")
                .withNewState()
                .withNewTerminated()
                .withFinishedAt(end)
                .endTerminated()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    /** The server is told nothing, so the watch never shows the change. */
    @Test
    void ownWritesAreSeenAlthoughTheWatchHangs() {
        try (KubernetesClient client = server.createClient()) {
            client.resource(gated("g", "g-0")).create();
            client.resource(gated("g", "g-1")).create();
            client.resource(started("g", Instant.parse("2100-01-01T00:00:00Z"))).create();
            try (ClusterWatch watch = ready(client)) {
                for (String name : List.of("g-0", "g-1")) {
                    Pod seen = Objects.requireNonNull(watch.pod("user", name));
                    watch.ungated("user", name, seen.getMetadata().getUid());
                    watch.bound("user", name, seen.getMetadata().getUid(), "n00");
                }

                assertThat(watch.members(Objects.requireNonNull(watch.record(new GangId("user", "g")))))
                        .extracting(Member::pod, Member::state, Member::node)
                        .containsExactly(
                                tuple("g-0", Member.State.BOUND, "n00"), tuple("g-1", Member.State.BOUND, "n00"));
                assertThat(watch.podsOn("n00")).hasSize(2);
                assertThat(watch.podsOf(new GangId("user", "g")))
                        .allSatisfy(
                                pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo("n00"));
                long now = Instant.now().getEpochSecond();
                assertThat(watch.take(LoopSettings.EXACT, watch.records(), now)
                                .snapshot()
                                .requests())
                        .isEmpty();
            }
        }
    }

    /** If two gangs do not fit together, the one that is further starts, whichever replica looks. */
    @ParameterizedTest
    @CsvSource({
        "PROMISED, PROMISED, true",
        "PROMISED, STARTING, false",
        "PROMISED, RUNNING, false",
        "STARTING, PROMISED, true",
        "STARTING, STARTING, true",
        "STARTING, RUNNING, false",
        "RUNNING, PROMISED, true",
        "RUNNING, STARTING, true",
        "RUNNING, RUNNING, true"
    })
    void aGangMakesWayForThoseThatAreFurtherWithTheirStart(Phase own, Phase other, boolean goes) {
        try (KubernetesClient client = server.createClient()) {
            String node = ReservationBuilder.node(0);
            client.resource(nodeOfThreeProcessors(node)).create();
            for (String gang : List.of("own", "other")) {
                client.resource(ofTwoProcessors(gang)).create();
                Phase phase = gang.equals("own") ? own : other;
                client.resource(new ReservationBuilder()
                                .gang(gang)
                                .pods(1)
                                .phase(phase)
                                .startedAt(Instant.parse("2100-01-01T00:00:00Z"))
                                .build())
                        .create();
            }
            try (ClusterWatch watch = ready(client)) {
                BindRequest request = new BindRequest("user", "own-0", uid(watch, "own-0"), node);

                String obstacle = new WatchedCapacity(watch).obstacle(node, List.of(request), List.of());

                assertThat(obstacle)
                        .isEqualTo(goes ? null : "the room on node %s is taken: its cpu is short".formatted(node));

                watch.bound("user", "other-0", uid(watch, "other-0"), "elsewhere");
                assertThat(new WatchedCapacity(watch).obstacle(node, List.of(request), List.of()))
                        .isNull();
            }
        }
    }

    private static String uid(ClusterWatch watch, String pod) {
        return Objects.requireNonNull(watch.pod("user", pod)).getMetadata().getUid();
    }

    private static Node nodeOfThreeProcessors(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("3"))
                .addToAllocatable("memory", new Quantity("8Gi"))
                .addToAllocatable("pods", new Quantity("110"))
                .endStatus()
                .build();
    }

    private static Pod ofTwoProcessors(String gang) {
        return new PodBuilder(pod(gang, gang + "-0"))
                .editSpec()
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void aWindowHasNoRoomWhereAnotherGangIsOnItsWay() {
        try (KubernetesClient client = server.createClient()) {
            client.resource(nodeOfThreeProcessors("n00")).create();
            for (String gang : List.of("going", "next")) {
                client.resource(ofTwoProcessors(gang)).create();
            }
            try (ClusterWatch watch = ready(client)) {
                Window next = window("next", "n00");

                assertThat(watch.hasRoom(next, List.of())).isTrue();
                assertThat(watch.hasRoom(next, List.of(window("going", "n00")))).isFalse();
                assertThat(watch.hasRoom(next, List.of(window("going", "n01")))).isTrue();
                assertThat(watch.hasRoom(next, List.of(window("gone", "n00")))).isTrue();
            }
        }
    }

    @Test
    void aNodeHasNoRoomForDevicesThatAClaimHoldsEvenAfterItsPodsEnd() {
        try (KubernetesClient client = server.createClient()) {
            client.resource(new NodeBuilder()
                            .withNewMetadata()
                            .withName("n00")
                            .endMetadata()
                            .build())
                    .create();
            client.resource(yaml(
                            "{metadata: {name: s}, spec: {driver: d, nodeName: n00, pool: {name: p, generation: 1, "
                                    + "resourceSliceCount: 1}, devices: [{name: d0}]}}",
                            ResourceSlice.class))
                    .create();
            client.resource(yaml("{metadata: {name: any}, spec: {}}", DeviceClass.class))
                    .create();
            client.resource(yaml(
                            "{metadata: {name: t, namespace: user}, spec: {spec: {devices: {requests: [{name: r, "
                                    + "exactly: {deviceClassName: any}}]}}}}",
                            ResourceClaimTemplate.class))
                    .create();
            Pod before = client.resource(gated("before", "before-0")).create();
            client.resource(yaml(
                            ("{metadata: {name: held, namespace: user}, spec: {}, status: {allocation: {devices: "
                                            + "{results: [{request: r, driver: d, pool: p, "
                                            + "device: d0}]}}, reservedFor: "
                                            + "[{resource: "
                                            + "pods, name: before-0, uid: '%s'}]}}")
                                    .formatted(before.getMetadata().getUid()),
                            ResourceClaim.class))
                    .create();
            client.resource(gated("plain", "plain-0")).create();
            client.resource(new PodBuilder(gated("next", "next-0"))
                            .editSpec()
                            .addNewResourceClaim()
                            .withName("c")
                            .withResourceClaimTemplateName("t")
                            .endResourceClaim()
                            .endSpec()
                            .build())
                    .create();
            Window next = window("next", "n00");

            try (ClusterWatch watch = ready(client)) {
                // A pod that overruns keeps its devices from all others.
                assertThat(watch.hasRoom(next, List.of())).isFalse();
                client.resource(before).delete();
                await().until(() -> watch.pod("user", "before-0") == null);
                assertThat(watch.hasRoom(next, List.of())).isFalse();
                assertThat(watch.hasRoom(window("next", "n01"), List.of())).isTrue();
                assertThat(watch.hasRoom(window("plain", "n00"), List.of())).isTrue();
                client.resources(ResourceClaim.class)
                        .inNamespace("user")
                        .withName("held")
                        .edit(claim -> {
                            claim.setStatus(null);
                            return claim;
                        });
                await().untilAsserted(
                                () -> assertThat(watch.hasRoom(next, List.of())).isTrue());
            }
        }
    }

    private static <T> T yaml(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }

    private static Window window(String gang, String node) {
        return Window.of(
                new GangId("user", gang), 1000, List.of(new Placement(gang + "-0", node, 1000, 1060, Cost.ZERO)));
    }

    private static Pod gated(String gang, String name) {
        return new PodBuilder(pod(gang, name))
                .editSpec()
                .addNewSchedulingGate("slotwise.io/window")
                .endSpec()
                .build();
    }

    private static Reservation ended(String gang, Instant at) {
        return new ReservationBuilder()
                .gang(gang)
                .phase(Phase.COMPLETED)
                .startedAt(Instant.parse("2000-01-01T00:00:00Z"))
                .endedAt(at)
                .build();
    }

    private static List<String> members(ClusterWatch watch, String gang) {
        return watch.members(Objects.requireNonNull(watch.record(new GangId("user", gang)))).stream()
                .map(Member::pod)
                .toList();
    }

    private static Reservation started(String gang, Instant at) {
        return new ReservationBuilder()
                .gang(gang)
                .phase(Phase.RUNNING)
                .startedAt(at)
                .build();
    }

    private static Pod pod(String gang, String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .addToLabels("slotwise.io/gang", gang)
                .addToAnnotations("slotwise.io/gang-size", "2")
                .addToAnnotations("slotwise.io/runtime", "60s")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("slotwise")
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    @Test
    void plannedChangesAreDistinguishedFromOthers() {
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger expected = new AtomicInteger();
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);
        try (KubernetesClient client = server.createClient()) {
            client.resource(new ReservationBuilder().phase(Phase.RUNNING).build())
                    .create();
            client.resource(pod("g", "g-0")).create();
            client.resource(gated("g", "g-1")).create();
            try (ClusterWatch watch = new ClusterWatch(
                    client, intake, new ReservationIndex(), changes::incrementAndGet, WatchTiming.DEFAULT)) {
                watch.whenAsPlanned(expected::incrementAndGet);
                watch.start();
                await().until(watch::ready);
                int before = changes.get();

                client.resource(at("n00", "Pending", "g-0")).update();
                client.resource(at("n00", "Running", "g-0")).updateStatus();
                client.resource(new ReservationBuilder().gang("h").build()).create();
                client.resource(pod("g", "g-1")).update();
                await().until(() -> expected.get() == 5);
                assertThat(changes).hasValue(before);

                client.resource(at("n07", "Pending", "g-1")).update();
                client.resource(at("n00", "Succeeded", "g-0")).updateStatus();
                await().until(() -> changes.get() == before + 2);
                assertThat(expected).hasValue(5);
            }
        }
    }

    private static Pod at(String node, String phase, String name) {
        return new PodBuilder(pod("g", name))
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    @Test
    void aGangThatWaitsForAClaimIsLookedAtAgainWhenTheClaimComes() {
        AtomicInteger changes = new AtomicInteger();
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);
        try (KubernetesClient client = server.createClient()) {
            client.resource(claiming("data")).create();
            try (ClusterWatch watch = new ClusterWatch(
                    client, intake, new ReservationIndex(), changes::incrementAndGet, WatchTiming.DEFAULT)) {
                watch.start();
                await().until(watch::ready);
                Snapshot without =
                        watch.take(LoopSettings.EXACT, List.of(), 1_000_000).snapshot();
                int before = changes.get();

                client.resource(claim("data")).create();
                await().until(() -> changes.get() > before);

                assertThat(without.held())
                        .extracting(Pending::refusal)
                        .containsExactly(new Refusal.WaitingForVolume("user/p", "user/data", ClaimState.MISSING, ""));
                assertThat(watch.take(LoopSettings.EXACT, List.of(), 1_000_000)
                                .snapshot()
                                .held())
                        .extracting(Pending::refusal)
                        .containsExactly(new Refusal.WaitingForVolume("user/p", "user/data", ClaimState.NO_CLASS, "c"));
            }
        }
    }

    @Test
    void withoutTheRightToReadVolumesGangsArePlannedAsIfTheyHadNone() {
        Map<ServerRequest, Queue<ServerResponse>> responses = new HashMap<>();
        KubernetesMockServer old = new KubernetesMockServer(
                new Context(), new MockWebServer(), responses, new KubernetesMixedDispatcher(responses), false);
        old.init();
        old.expect()
                .get()
                .withPath("/api/v1/persistentvolumeclaims?limit=" + Reflector.PAGE)
                .andReturn(403, "{\"kind\": \"Status\", \"code\": 403, \"message\": \"forbidden\"}")
                .always();
        try (KubernetesClient client = old.createClient()) {
            client.resource(claiming("data")).create();
            try (ClusterWatch watch = ready(client)) {
                var taken = watch.take(LoopSettings.EXACT, List.of(), 1_000_000);

                assertThat(taken.snapshot().requests()).hasSize(1);
                assertThat(taken.notices())
                        .singleElement()
                        .satisfies(notice ->
                                assertThat(notice.message()).startsWith("persistentvolumeclaims cannot be read"));
            }
        } finally {
            old.destroy();
        }
    }

    private static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("c")
                .endSpec()
                .build();
    }

    private static Pod claiming(String claim) {
        return new PodBuilder(pod("g", "p"))
                .editMetadata()
                .withLabels(Map.of())
                .addToAnnotations("slotwise.io/gang-size", "1")
                .endMetadata()
                .editSpec()
                .withSchedulerName("slotwise-extender")
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec()
                .build();
    }

    /** All pods of a large cluster in one answer would exceed the memory for their stripped forms. */
    @Test
    void listsAreAskedForInPages() throws InterruptedException {
        try (KubernetesClient client = server.createClient()) {
            ready(client).close();
        }
        List<String> lists = new ArrayList<>();
        while (server.getRequestCount() > lists.size()) {
            lists.add(String.valueOf(server.takeRequest().getPath()));
        }
        lists.removeIf(path -> path.contains("watch=true") || !path.contains("/pods"));
        assertThat(lists)
                .isNotEmpty()
                .allSatisfy(path -> assertThat(path).contains("limit=500").doesNotContain("resourceVersion=0"));
    }
}
