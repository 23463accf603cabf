package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.StartDelays;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.PurchaseBooks;
import io.slotwise.testing.PlainWatch;
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
class NodeBuyerTest {
    private static final String ALL = "/api/v1/namespaces/slotwise/configmaps";
    private static final String ONE = ALL + "/slotwise-purchases";
    private static final PurchaseBooks BOOKS = new PurchaseBooks(
            new TreeMap<>(Map.of("slotwise-1", new Expense(60, new Cost(7), "user"))),
            new TreeMap<>(Map.of("pool.four", 700L)),
            new TreeMap<>(
                    Map.of("pool.four", new StartDelays(List.of(31, 40)), "pool.six", new StartDelays(List.of(9)))));
    private static final Map<String, String> NOTED = Map.of(
            "slotwise.io/resting-offers", "pool.four=700",
            "slotwise.io/start-delays", "pool.four=31,40 pool.six=9");

    KubernetesMockServer server;

    private KubernetesClient client;
    private ClusterWatch watch;
    private NodeBuyer supplier;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        watch = PlainWatch.of(client, new ReservationIndex());
        supplier = new NodeBuyer(client, watch.buying(List.of(), "slotwise"), "slotwise", "slotwise-purchases");
    }

    @AfterEach
    void disconnect() {
        watch.close();
        client.close();
    }

    private static ConfigMap kept(String version, Map<String, String> lines) {
        return kept(version, lines, Map.of());
    }

    private static ConfigMap kept(String version, Map<String, String> lines, Map<String, String> annotations) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("slotwise-purchases")
                .withNamespace("slotwise")
                .withResourceVersion(version)
                .withAnnotations(annotations)
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
    void theBooksAreCreatedOnceAndThenReplacedAtTheirVersion() throws InterruptedException {
        server.expect().get().withPath(ONE).andReturn(404, "{}").once();
        server.expect().post().withPath(ALL).andReturn(201, kept("3", Map.of())).once();
        server.expect().put().withPath(ONE).andReturn(200, kept("4", Map.of())).once();

        assertThat(supplier.books()).contains(PurchaseBooks.NONE);
        assertThat(supplier.keep(BOOKS)).isTrue();
        assertThat(supplier.keep(PurchaseBooks.NONE)).isTrue();

        sent();
        ConfigMap written = Serialization.unmarshal(sent(), ConfigMap.class);
        assertThat(written.getData()).containsExactly(Map.entry("slotwise-1", "60 7 user"));
        assertThat(written.getMetadata().getAnnotations()).isEqualTo(NOTED);
        assertThat(sent()).contains("\"resourceVersion\":\"3\"");
    }

    @Test
    void theBooksAreReadBack() {
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, kept("3", Map.of("slotwise-1", "60 7 user"), NOTED))
                .once();

        assertThat(supplier.books()).contains(BOOKS);
    }

    @Test
    void unreadableOffersAreLeftOut() {
        Map<String, String> absurd = Map.of(
                "slotwise.io/resting-offers",
                "pool.four=700 pool.six=soon =  7",
                "slotwise.io/start-delays",
                "pool.four=31,40 pool.six=9 pool.eight=0 pool.ten=" + "1,".repeat(99));
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, kept("3", Map.of("slotwise-1", "60 7 user"), absurd))
                .once();

        assertThat(supplier.books()).hasValueSatisfying(books -> {
            assertThat(books.expenses()).isEqualTo(BOOKS.expenses());
            assertThat(books.resting()).containsEntry("pool.four", 700L).doesNotContainKey("pool.six");
            assertThat(books.delays()).isEqualTo(BOOKS.delays());
        });
    }

    @Test
    void noMoreIsWrittenOfOffersThanAnAnnotationHolds() throws InterruptedException {
        TreeMap<String, StartDelays> delays = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            delays.put("pool.a-node-with-a-name-of-some-length-" + i, new StartDelays(List.of(100, 200, 300)));
        }
        server.expect().get().withPath(ONE).andReturn(404, "{}").once();
        server.expect().post().withPath(ALL).andReturn(201, kept("3", Map.of())).once();

        supplier.books();
        supplier.keep(new PurchaseBooks(new TreeMap<>(), new TreeMap<>(), delays));

        sent();
        assertThat(sent().length()).isLessThan(110_000);
    }

    @Test
    void unreadableBooksAreUnknownAndALateWriteHasNoEffect() {
        server.expect()
                .get()
                .withPath(ONE)
                .andReturn(200, kept("3", Map.of("slotwise-1", "much")))
                .once();
        server.expect().put().withPath(ONE).andReturn(409, "{}").once();

        assertThat(supplier.books()).isEmpty();
        assertThat(supplier.keep(BOOKS)).isFalse();
    }

    @Test
    void nothingIsBoughtOfWhatIsNotOffered() {
        assertThat(supplier.isServed()).isFalse();
        assertThat(supplier.buy(
                        new PurchaseOrder("slotwise-1", "pool.node", 0, 60, 3600, 1, 1), new GangId("user", "g")))
                .isFalse();
    }

    @Test
    void offersOfKindsThatTheClusterDoesNotServeAreReported() {
        Node group = new NodeBuilder()
                .withNewMetadata()
                .withName("gpu")
                .addToLabels("group", "gpu")
                .addToAnnotations("slotwise.io/offer-node-group", "group")
                .endMetadata()
                .build();
        NodeBuyer buyer = new NodeBuyer(client, watch.buying(List.of(group), "slotwise"), "slotwise", "p");
        watch.start();

        await("all kinds to be asked for").until(() -> !buyer.absent().isEmpty());
        assertThat(buyer.absent()).containsExactly("ProvisioningRequests (autoscaling.x-k8s.io/v1)");
        assertThat(buyer.isServed()).isFalse();
    }
}
