package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.watch.NamespaceIndex;
import io.slotwise.live.port.LedgerStore;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class NamespaceWriterTest {
    private static final String ALL = "/apis/slotwise.io/v1alpha1/namespaces/user/ledgers";
    private static final String ONE = ALL + "/slotwise";

    KubernetesMockServer server;

    private final NamespaceIndex<NamespaceLedger, Ledger> index = NamespaceIndex.ofLedgers();

    private KubernetesClient client;

    private LedgerStore writer;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        writer = new NamespaceWriter(client, index, NamespaceIndex.ofRuns());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aNewLedgerIsCreatedAndKnownAtOnce() throws InterruptedException {
        server.expect().post().withPath(ALL).andReturn(201, answer("3")).once();

        assertThat(writer.write(Ledger.empty("user"))).isTrue();

        assertThat(next().getBody().readUtf8())
                .doesNotContain("resourceVersion")
                .contains("\"entries\":[]");
        assertThat(index.values()).containsEntry("user", Ledger.empty("user").at("3"));
    }

    @Test
    void aKnownLedgerIsReplacedAtTheVersionThatWasRead() throws InterruptedException {
        server.expect().put().withPath(ONE).andReturn(200, answer("8")).once();

        assertThat(writer.write(Ledger.empty("user").at("7"))).isTrue();

        assertThat(next().getBody().readUtf8()).contains("\"resourceVersion\":\"7\"");
        assertThat(index.values()).containsEntry("user", Ledger.empty("user").at("8"));
    }

    @Test
    void aWriteThatComesSecondIsNone() {
        server.expect().put().withPath(ONE).andReturn(409, "{}").once();
        server.expect().post().withPath(ALL).andReturn(409, "{}").once();

        assertThat(writer.write(Ledger.empty("user").at("7"))).isFalse();
        assertThat(writer.write(Ledger.empty("user"))).isFalse();
        assertThat(index.values()).isEmpty();
    }

    @Test
    void anOlderPictureIsIgnoredAndADeletedLedgerForgotten() {
        index.accept(answer("10"));
        index.accept(answer("9"));

        assertThat(index.values()).containsEntry("user", Ledger.empty("user").at("10"));

        index.remove(answer("9"));
        assertThat(index.values()).hasSize(1);

        index.remove(answer("11"));
        assertThat(index.values()).isEmpty();
    }

    private RecordedRequest next() throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS), "a request must have been made");
    }

    private static NamespaceLedger answer(String version) {
        return Ledgers.object(Ledger.empty("user").at(version));
    }
}
