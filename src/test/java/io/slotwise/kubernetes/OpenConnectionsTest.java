package io.slotwise.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.kubernetes.publish.FailFastClient;
import io.slotwise.testing.Loopback;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class OpenConnectionsTest {
    KubernetesMockServer server;

    @Test
    void eachConnectionIsOpenedByACallThatAnyAccountMayMake() throws InterruptedException {
        server.expect().get().withPath("/version").andReturn(200, "{}").times(3);

        try (KubernetesClient client = FailFastClient.of(server.url("/"))) {
            new OpenConnections(client, 3, Runnable::run).open();
        }

        assertThat(server.getRequestCount()).isEqualTo(3);
        assertThat(server.getLastRequest().getPath()).isEqualTo("/version");
    }

    @Test
    void anApiServerThatIsAwayIsNoFailure() {
        try (KubernetesClient client = FailFastClient.of("http://127.0.0.1:" + Loopback.freePort())) {
            assertThatCode(() -> new OpenConnections(client, 2, Runnable::run).open())
                    .doesNotThrowAnyException();
        }
    }
}
