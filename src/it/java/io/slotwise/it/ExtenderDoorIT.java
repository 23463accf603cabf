package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.testing.ClientKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The callers that the extender accepts: a real kube-scheduler with the certificate of its pod, and people with tokens
 * for Slotwise, but no process just because it runs on the same host.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExtenderDoorIT {
    private static final String PEOPLE = "people";

    private final ControlPlane plane;
    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    ExtenderDoorIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        Installation chart =
                Installation.install(plane, Map.of("policy.running.turnover", "3s", "auth.audiences", "{slotwise}"));
        chart.awaitGate();
        slotwise = chart.startSlotwise(plane.url(), Map.of("SLOTWISE_AUTH", "kubernetes"));
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @StoryTest
    void aGangThroughKubeSchedulerStartsByTheCertificatesOfThePod() {
        Scenario scenario = new Scenario(cluster, "certified").withNodes(2);
        GangSpec gang = scenario.gang("g", 4, 1000, 20).throughKubeScheduler();

        cluster.submitAsPods(gang);

        scenario.awaitWhole(gang, 40);
        assertThat(scenario.violations()).isEmpty();
    }

    /** A pod of a scheduler that does not run here. */
    private Pod foreign(String name) {
        Scenario scenario = new Scenario(cluster, name).withNodes(1);
        return plane.client()
                .resource(Workload.pod(scenario.namespace(), name, "default-scheduler", 100, 64))
                .create();
    }

    private static String bindOf(Pod pod) {
        return "{\"PodName\":\"%s\",\"PodNamespace\":\"%s\",\"PodUID\":\"%s\",\"Node\":\"%s\"}"
                .formatted(
                        pod.getMetadata().getName(),
                        pod.getMetadata().getNamespace(),
                        pod.getMetadata().getUid(),
                        pod.getMetadata().getNamespace() + "-n1");
    }

    private static HttpResponse<String> bind(HttpClient client, String url, Pod pod)
            throws IOException, InterruptedException {
        try (client) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url + "/scheduler/v1/bind"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(bindOf(pod)))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private void assertUnbound(Pod pod) {
        assertThat(plane.client().resource(pod).get().getSpec().getNodeName()).isNull();
    }

    @Test
    void aForwardedPortBindsNothing() throws Exception {
        Pod pod = foreign("forwarded");
        ExtenderPort extender = slotwise.extender();
        Path keys = Objects.requireNonNull(extender.keys());

        assertThat(bind(HttpClient.newHttpClient(), slotwise.url(), pod).statusCode())
                .isEqualTo(401);
        assertThatThrownBy(() -> bind(
                        HttpClient.newBuilder()
                                .sslContext(ClientKeys.without(keys))
                                .build(),
                        extender.url(),
                        pod))
                .isInstanceOf(IOException.class);
        assertUnbound(pod);
    }

    @Test
    void noCallerCanBindAPodOfAnotherScheduler() throws Exception {
        Pod pod = foreign("another");
        ExtenderPort extender = slotwise.extender();
        Path keys = Objects.requireNonNull(extender.keys());

        HttpResponse<String> answer =
                bind(HttpClient.newBuilder().sslContext(ClientKeys.in(keys)).build(), extender.url(), pod);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("has schedulerName default-scheduler; expected slotwise or slotwise-extender");
        assertUnbound(pod);
    }

    private String token(String person, String audience) {
        return plane.serviceAccountToken(PEOPLE, person, List.of(audience));
    }

    private int status(String token) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(slotwise.url() + "/api/v1/session"))
                                    .header("Authorization", "Bearer " + token)
                                    .build(),
                            BodyHandlers.ofString())
                    .statusCode();
        }
    }

    @Test
    void aTokenIsForSlotwiseAloneOrRefused() throws Exception {
        cluster.namespace(PEOPLE);
        Account.create(plane, PEOPLE, "jane");
        String own = token("jane", "slotwise");

        assertThat(status(own)).isEqualTo(200);
        assertThat(status(token("jane", "vault"))).isEqualTo(401);
        assertThat(status(plane.serviceAccountToken(PEOPLE, "jane"))).isEqualTo(401);
        // A token stolen here is useless there.
        try (var thief = plane.clientWithToken(own)) {
            assertThatThrownBy(() -> thief.pods().inNamespace(PEOPLE).list())
                    .isInstanceOf(KubernetesClientException.class)
                    .hasMessageContaining("Unauthorized");
        }
    }
}
