package io.slotwise.kubernetes.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServiceListBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.publish.FailFastClient;
import io.slotwise.live.record.GangRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterAccessTest {
    private static final String SERVICES = "/api/v1/services?labelSelector=app.kubernetes.io%2Fname%3Dslotwise";
    private static final String PROXY = "/api/v1/namespaces/planning/services/my-slotwise:http/proxy";

    private final KubernetesMockServer server = new KubernetesMockServer(false);

    @BeforeEach
    void start() {
        server.init();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    private ClusterAccess access() {
        return new ClusterAccess(FailFastClient.of(server.url("/")), () -> {}, null);
    }

    private void services(Service... services) {
        server.expect()
                .get()
                .withPath(SERVICES)
                .andReturn(200, new ServiceListBuilder().withItems(services).build())
                .always();
    }

    private static Service service() {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("planning")
                .withName("my-slotwise")
                .endMetadata()
                .withNewSpec()
                .addNewPort()
                .withName("http")
                .withPort(80)
                .withTargetPort(new IntOrString("http"))
                .endPort()
                .addToSelector("app", "planner")
                .endSpec()
                .build();
    }

    private void pods(Pod... pods) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/planning/pods?labelSelector=app%3Dplanner")
                .andReturn(200, new PodListBuilder().withItems(pods).build())
                .always();
    }

    private static Pod pod(String name, String port, boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("planning")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .addNewPort()
                .withName(port)
                .withContainerPort(8080)
                .endPort()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    @Test
    void leadsToThePortOfAPodThatIsReady() throws IOException, InterruptedException {
        services(service());
        pods(pod("a", "http", false), pod("b", "http", true));

        try (ClusterAccess access = access();
                Socket here = new Socket(
                        InetAddress.getLoopbackAddress(), access.forward(0).getPort())) {
            here.getOutputStream().write('x');
            server.takeRequest(5, TimeUnit.SECONDS);
            server.takeRequest(5, TimeUnit.SECONDS);
            assertThat(Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS))
                            .getPath())
                    .isEqualTo("/api/v1/namespaces/planning/pods/b/portforward?ports=8080");
        }
    }

    @Test
    void leadsNowhereWithoutAPodThatIsReadyOrItsPort() {
        services(service());
        pods(pod("a", "http", false));
        assertThatThrownBy(() -> access().forward(0))
                .isInstanceOf(Unreachable.class)
                .hasMessage("no pod of service planning/my-slotwise is ready");

        server.reset();
        services(service());
        pods(pod("a", "metrics", true));
        assertThatThrownBy(() -> access().forward(0))
                .isInstanceOf(Unreachable.class)
                .hasMessage("pod a has no port named http");
    }

    @Test
    void speaksTlsWhereTheServicesPortDoes() {
        services(new ServiceBuilder(service())
                .editSpec()
                .editFirstPort()
                .withName("https")
                .withTargetPort(new IntOrString("https"))
                .endPort()
                .endSpec()
                .build());
        pods(pod("b", "https", true));
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/planning/services/https:my-slotwise:https/proxy/api/v1/gangs")
                .andReturn(200, "{}")
                .once();

        try (ClusterAccess access = access()) {
            assertThat(access.ask("/api/v1/gangs", null).status()).isEqualTo(200);
            assertThat(access.forward(0)).hasScheme("https");
        }
    }

    @Test
    void asksSlotwiseThroughTheProxyOfItsService() throws InterruptedException {
        services(service());
        server.expect()
                .get()
                .withPath(PROXY + "/api/v1/gangs?namespace=user")
                .andReturn(200, "{}")
                .once();
        server.expect()
                .post()
                .withPath(PROXY + "/api/v1/quote")
                .andReturn(400, "{\"message\": \"wrong\"}")
                .once();
        ClusterAccess access = access();

        assertThat(access.ask("/api/v1/gangs?namespace=user", null)).isEqualTo(new Reply(200, "{}"));
        assertThat(access.ask("/api/v1/quote", "{\"size\":\"0\"}"))
                .isEqualTo(new Reply(400, "{\"message\": \"wrong\"}"));

        server.takeRequest(5, TimeUnit.SECONDS);
        server.takeRequest(5, TimeUnit.SECONDS);
        assertThat(Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS))
                        .getBody()
                        .readUtf8())
                .isEqualTo("{\"size\":\"0\"}");
    }

    @Test
    void theTokenGoesInAHeaderThatTheProxyLeavesAlone() throws InterruptedException {
        services(service());
        server.expect()
                .get()
                .withPath(PROXY + "/api/v1/gangs")
                .andReturn(200, "{}")
                .always();
        ClusterAccess given = new ClusterAccess(FailFastClient.of(server.url("/")), () -> {}, "of-a-file");

        given.ask("/api/v1/gangs", null);

        server.takeRequest(5, TimeUnit.SECONDS);
        assertThat(Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS))
                        .getHeader("Slotwise-Authorization"))
                .isEqualTo("Bearer of-a-file");
    }

    @Test
    void anErrorOfTheApiServerIsNoAnswerOfSlotwise() {
        services(service());
        server.expect()
                .get()
                .withPath(PROXY + "/api/v1/gangs")
                .andReturn(
                        503,
                        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"no "
                                + "endpoints available\",\"code\":503}")
                .always();

        assertThatThrownBy(() -> access().ask("/api/v1/gangs", null))
                .isInstanceOf(Unreachable.class)
                .hasMessage("the API server does not forward to service planning/my-slotwise (status 503)");
    }

    @Test
    void aClusterWithoutSlotwiseHasNone() {
        services();

        assertThatThrownBy(() -> access().ask("/api/v1/gangs", null))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("has the label app.kubernetes.io/name=slotwise");
    }

    @Test
    void reservationsAreReadIfSlotwiseDoesNotAnswer() {
        server.expect()
                .get()
                .withPath("/apis/slotwise.io/v1alpha1/namespaces/user/reservations")
                .andReturn(200, """
                        {"apiVersion": "slotwise.io/v1alpha1", "kind": "ReservationList", "metadata": {}, "items": [
                          {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                           "metadata": {"namespace": "user", "name": "held"}},
                          {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                           "metadata": {"namespace": "user", "name": "g", "creationTimestamp": "2030-01-01T00:00:00Z"},
                           "spec": {"gang": "g", "budget": "1.500000"},
                           "status": {"phase": "Pending", "attempts": 0, "avoided": [], "conditions": [
                             {"type": "Planned", "status": "False", "reason": "OverBudget", "message": "the words",
                              "lastTransitionTime": "2030-01-01T00:00:00Z"}]}}]}
                        """)
                .always();

        List<GangRecord> records = access().records("user");

        assertThat(records).extracting(GangRecord::gang).containsExactly(new GangId("user", "g"));
        assertThat(records.getFirst().plannedAspect().message()).isEqualTo("the words");
    }

    @Test
    void reservationsThatMayNotBeReadAreUnreachable() {
        server.expect()
                .get()
                .withPath("/apis/slotwise.io/v1alpha1/reservations")
                .andReturn(403, "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"forbidden\",\"code\":403}")
                .always();

        assertThatThrownBy(() -> access().records(null))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("forbidden");
    }
}
