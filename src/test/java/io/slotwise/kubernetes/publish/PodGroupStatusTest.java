package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class PodGroupStatusTest {
    private static final String PATH =
            "/apis/scheduling.k8s.io/v1beta1/namespaces/user/podgroups/g/status?fieldManager=slotwise";

    KubernetesMockServer server;

    private KubernetesClient client;
    private PodGroupStatus status;

    /** The UID of the PodGroup g, or null if it does not exist. */
    private volatile @Nullable String uid = "u1";

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        status = new PodGroupStatus(
                client, this::find, () -> Instant.parse("2030-01-01T00:00:00.5Z"), Runnable::run, Duration.ZERO);
    }

    private @Nullable GenericKubernetesResource find(GroupKey key) {
        return uid == null || !key.equals(new GroupKey(GroupKind.POD_GROUP, "user", "g"))
                ? null
                : new GenericKubernetesResourceBuilder()
                        .withNewMetadata()
                        .withName("g")
                        .withUid(uid)
                        .endMetadata()
                        .build();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aPodGroupIsToldOnceThatItsPodsAreBound() throws InterruptedException {
        server.expect().patch().withPath(PATH).andReturn(200, "{}").once();

        status.scheduled("user", List.of(pod("g"), pod("g"), pod(null)));
        status.scheduled("user", List.of(pod("g")));

        assertThat(server.getRequestCount()).isEqualTo(1);
        assertThat(server.takeRequest().getBody().readUtf8())
                .isEqualTo(
                        "{\"metadata\":{\"uid\":\"u1\"},\"status\":{\"conditions\":[{\"type\":\"PodGroupInitiallyScheduled\",\"status\":\"True\","
                                + "\"reason\":\"Scheduled\",\"message\":\"bound by Slotwise\","
                                + "\"lastTransitionTime\":\"2030-01-01T00:00:00Z\"}]}}");
    }

    @Test
    void aPodGroupThatIsDeletedAndMadeAgainIsToldAgain() throws InterruptedException {
        server.expect().patch().withPath(PATH).andReturn(200, "{}").times(2);
        status.scheduled("user", List.of(pod("g")));

        uid = "u2";
        status.scheduled("user", List.of(pod("g")));

        assertThat(server.getRequestCount()).isEqualTo(2);
        server.takeRequest();
        assertThat(server.takeRequest().getBody().readUtf8()).startsWith("{\"metadata\":{\"uid\":\"u2\"}");
    }

    @Test
    void aPodGroupThatCouldNotBeToldIsToldWithoutAnotherStart() {
        server.expect().patch().withPath(PATH).andReturn(500, "{}").times(2);
        server.expect().patch().withPath(PATH).andReturn(200, "{}").once();

        status.scheduled("user", List.of(pod("g")));

        await().untilAsserted(() -> assertThat(server.getRequestCount()).isEqualTo(3));
        status.scheduled("user", List.of(pod("g")));
        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void aPodGroupThatIsRefusedIsToldAgainAtTheNextStart() {
        server.expect().patch().withPath(PATH).andReturn(422, "{}").times(6);
        server.expect().patch().withPath(PATH).andReturn(200, "{}").once();
        status.scheduled("user", List.of(pod("g")));
        await().untilAsserted(() -> assertThat(server.getRequestCount()).isEqualTo(6));

        await().untilAsserted(() -> {
            status.scheduled("user", List.of(pod("g")));
            assertThat(server.getRequestCount()).isEqualTo(7);
        });
    }

    @Test
    void aPodGroupThatIsSeenLateIsTold() {
        server.expect().patch().withPath(PATH).andReturn(200, "{}").once();
        AtomicInteger looks = new AtomicInteger();
        status = new PodGroupStatus(
                client,
                key -> looks.incrementAndGet() < 3 ? null : find(key),
                () -> Instant.parse("2030-01-01T00:00:00.5Z"),
                Runnable::run,
                Duration.ZERO);

        status.scheduled("user", List.of(pod("g")));

        await().untilAsserted(() -> assertThat(server.getRequestCount()).isEqualTo(1));
    }

    private static Pod pod(@Nullable String group) {
        return group == null
                ? new PodBuilder().withNewSpec().endSpec().build()
                : new PodBuilder()
                        .withNewSpec()
                        .withNewSchedulingGroup(group)
                        .endSpec()
                        .build();
    }
}
