package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.LedgerIndex;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class KarpenterSupplierTest {
    private static final String ALL = "/api/v1/namespaces/slotwise/configmaps";
    private static final String ONE = ALL + "/slotwise-purchases";
    private static final TreeMap<String, Expense> EXPENSES =
            new TreeMap<>(Map.of("slotwise-1", new Expense(60, new Cost(7))));

    KubernetesMockServer server;

    private KubernetesClient client;
    private ClusterWatch watch;
    private KarpenterSupplier supplier;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        watch = new ClusterWatch(
                client,
                new Intake(LoopSettings.DEFAULT, PriceCatalogue.EMPTY),
                new ReservationIndex(),
                new LedgerIndex(),
                () -> {});
        supplier = new KarpenterSupplier(client, watch.buying(List.of()), "slotwise", "slotwise-purchases");
    }

    @AfterEach
    void disconnect() {
        watch.close();
        client.close();
    }

    private static ConfigMap kept(String version, Map<String, String> lines) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("slotwise-purchases")
                .withNamespace("slotwise")
                .withResourceVersion(version)
                .endMetadata()
                .withData(lines)
                .build();
    }

    private String sent() throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS))
                .getBody()
                .readUtf8();
    }

    @Test
    void whatWasSpentIsCreatedOnceAndThenReplacedAtTheVersionThatIsKnown() throws InterruptedException {
        server.expect().get().withPath(ONE).andReturn(404, "{}").once();
        server.expect().post().withPath(ALL).andReturn(201, kept("3", Map.of())).once();
        server.expect().put().withPath(ONE).andReturn(200, kept("4", Map.of())).once();

        assertThat(supplier.expenses())
                .hasValueSatisfying(expenses -> assertThat(expenses).isEmpty());
        assertThat(supplier.keep(EXPENSES)).isTrue();
        assertThat(supplier.keep(new TreeMap<>())).isTrue();

        sent();
        assertThat(sent()).contains("\"slotwise-1\":\"60 7\"");
        assertThat(sent()).contains("\"resourceVersion\":\"3\"");
    }

    @Test
    void whatWasSpentIsReadBack() {
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, kept("3", Map.of("slotwise-1", "60 7")))
                .once();

        assertThat(supplier.expenses()).contains(EXPENSES);
    }

    @Test
    void whatCannotBeReadIsUnknownAndAWriteThatComesSecondIsNone() {
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, kept("3", Map.of("slotwise-1", "much")))
                .once();
        server.expect().put().withPath(ONE).andReturn(409, "{}").once();

        assertThat(supplier.expenses()).isEmpty();
        assertThat(supplier.keep(EXPENSES)).isFalse();
    }

    @Test
    void nothingIsBoughtOfWhatIsNotOffered() {
        assertThat(supplier.isServed()).isFalse();
        assertThat(supplier.buy(
                        new PurchaseOrder("slotwise-1", "pool.node", 0, 60, 3600, 1, 1), new GangId("user", "g")))
                .isFalse();
    }
}
