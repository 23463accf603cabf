package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.watch.AutoscalerWatch;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.PurchaseWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.NodeSupplier.State;
import io.slotwise.live.port.NodeSupplier.Supplied;
import io.slotwise.testing.PlainWatch;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false, crud = true)
@SuppressWarnings("NullAway.Init")
class RequestMakerTest {
    private static final String CATALOGUE = """
            apiVersion: v1
            kind: Node
            metadata:
              name: gpu
              labels: {example.com/group: gpu, slotwise.io/price: "2"}
              annotations: {slotwise.io/offer-node-group: example.com/group, slotwise.io/offer-delay: 2m}
            status: {allocatable: {cpu: "4", memory: 15Gi, pods: "58"}}
            """;

    private static final String NAME = "slotwise-0000000000000001";
    private static final PurchaseOrder ORDER = new PurchaseOrder(NAME, "gpu", 0, 120, 3600, 2_000_000, 1);
    private static final GangId GANG = new GangId("user", "g");

    KubernetesMockServer server;

    private KubernetesClient client;
    private ClusterWatch watch;
    private PurchaseWatch purchases;
    private NodeBuyer buyer;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        watch = PlainWatch.of(client, new ReservationIndex());
        purchases = watch.buying(
                ManifestFile.read(new ByteArrayInputStream(CATALOGUE.getBytes(StandardCharsets.UTF_8)), "catalogue")
                        .nodes(),
                "slotwise");
        buyer = new NodeBuyer(client, purchases, "slotwise", "slotwise-purchases");
        watch.start();
        await("what is bought to be known").until(purchases::isServed);
    }

    @AfterEach
    void disconnect() {
        watch.close();
        client.close();
    }

    private @Nullable GenericKubernetesResource request() {
        return client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace("slotwise")
                .withName(NAME)
                .get();
    }

    private @Nullable PodTemplate template() {
        return client.v1().podTemplates().inNamespace("slotwise").withName(NAME).get();
    }

    private Node node() {
        return Objects.requireNonNull(client.nodes().withName("made").get());
    }

    private void bought() {
        assertThat(buyer.buy(ORDER, GANG)).isTrue();
        await("the purchase to be seen").until(() -> buyer.nodes().containsKey(NAME));
    }

    private void made() {
        client.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("made")
                        .withUid("uid-made")
                        .withCreationTimestamp(
                                Instant.parse("2100-01-01T00:00:00Z").toString())
                        .addToLabels("example.com/group", "gpu")
                        .endMetadata()
                        .withNewSpec()
                        .endSpec()
                        .build())
                .create();
        await("the node to be seen")
                .until(() ->
                        Objects.requireNonNull(buyer.nodes().get(NAME)).node().equals("made"));
    }

    private void found() {
        bought();
        made();
        await("the node to be ready").until(() -> {
            buyer.attend();
            return Objects.requireNonNull(buyer.nodes().get(NAME)).state() == State.READY;
        });
    }

    private Supplied supplied() {
        return Objects.requireNonNull(buyer.nodes().get(NAME));
    }

    @Test
    void aPurchaseIsAPodAndItsRequestAndIsMadeOnce() {
        bought();
        assertThat(template()).isNotNull();
        assertThat(request()).isNotNull();
        assertThat(supplied().state()).isEqualTo(State.COMING);

        assertThat(buyer.buy(ORDER, GANG)).isTrue();
        assertThat(client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                        .inNamespace("slotwise")
                        .list()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void aNewNodeIsKeptOnTheRequestThenMarkedAndOnlyThenReady() {
        bought();
        made();
        assertThat(supplied().state()).isEqualTo(State.COMING);

        buyer.attend();
        assertThat(Objects.requireNonNull(request()).getMetadata().getAnnotations())
                .containsEntry("slotwise.io/node", "made");
        await("the mark").until(() -> {
            buyer.attend();
            return supplied().state() == State.READY;
        });
        assertThat(node().getMetadata().getLabels())
                .containsEntry("slotwise.io/purchase", NAME)
                .containsEntry("example.com/group", "gpu");
        assertThat(node().getMetadata().getAnnotations())
                .containsEntry("cluster-autoscaler.kubernetes.io/scale-down-disabled", "true")
                .containsEntry("slotwise.io/bought-for", "user/g");
        assertThat(node().getSpec().getTaints()).extracting("key").containsExactly("slotwise.io/bought");
    }

    @Test
    void aPurchaseGivenUpIsReleasedAndLeavesNoRequest() {
        found();

        buyer.giveUp(supplied());

        assertThat(request()).isNull();
        assertThat(template()).isNull();
        // The mock API server keeps a key whose value a merge patch removes.
        assertThat(node().getMetadata().getAnnotations().get("cluster-autoscaler.kubernetes.io/scale-down-disabled"))
                .isNull();
        await("the node to be seen as leaving").until(() -> supplied().state() == State.LEAVING);
    }

    @Test
    void aNodeWithADeletedRequestIsStillBoughtAndCanBeGivenUp() {
        found();
        client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace("slotwise")
                .withName(NAME)
                .delete();
        await("that to be seen")
                .until(() -> supplied().uid().equals("uid-made")
                        || supplied().uid().isEmpty()
                        || Objects.requireNonNull(purchases.autoscaler())
                                .requests()
                                .isEmpty());
        assertThat(supplied().state()).isEqualTo(State.READY);

        buyer.giveUp(supplied());

        await("it to be seen as leaving").until(() -> supplied().state() == State.LEAVING);
    }

    @Test
    void aNodeThatHasGoneOrARequestThatHasFailedIsGone() {
        found();
        client.nodes().withName("made").delete();
        await("the node to be gone").until(() -> supplied().state() == State.GONE);
        buyer.giveUp(supplied());
        assertThat(request()).isNull();

        await("nothing to be left").until(() -> !buyer.nodes().containsKey(NAME));
        bought();
        GenericKubernetesResource request = Objects.requireNonNull(request());
        request.setAdditionalProperty(
                "status", Map.of("conditions", List.of(Map.of("type", "Failed", "status", "True"))));
        client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace("slotwise")
                .resource(request)
                .update();
        await("the failure to be seen").until(() -> supplied().state() == State.GONE);
        assertThat(supplied().node()).isEmpty();
    }

    @Test
    void aPodWithoutARequestIsDeleted() {
        bought();
        client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace("slotwise")
                .withName(NAME)
                .delete();
        await("that to be seen").until(() -> buyer.nodes().isEmpty());
        await("the pod to be seen")
                .until(() -> !Objects.requireNonNull(purchases.autoscaler())
                        .templates()
                        .isEmpty());

        buyer.attend();

        assertThat(template()).isNull();
    }
}
