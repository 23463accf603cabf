package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import java.util.List;
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

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        status = new PodGroupStatus(client, () -> Instant.parse("2030-01-01T00:00:00.5Z"), Runnable::run);
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
                .isEqualTo("{\"status\":{\"conditions\":[{\"type\":\"PodGroupInitiallyScheduled\",\"status\":\"True\","
                        + "\"reason\":\"Scheduled\",\"message\":\"bound by Slotwise\","
                        + "\"lastTransitionTime\":\"2030-01-01T00:00:00Z\"}]}}");
    }

    @Test
    void aPodGroupThatCouldNotBeToldIsToldAtTheNextStart() {
        server.expect().patch().withPath(PATH).andReturn(500, "{}").once();
        server.expect().patch().withPath(PATH).andReturn(200, "{}").once();

        status.scheduled("user", List.of(pod("g")));
        status.scheduled("user", List.of(pod("g")));
        status.scheduled("user", List.of(pod("g")));

        assertThat(server.getRequestCount()).isEqualTo(2);
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
