package io.slotwise.kubernetes.manifest.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.field.Intervals;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProvisioningRequestsTest {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();

    private static final Node GPU = Serialization.unmarshal("""
            apiVersion: v1
            kind: Node
            metadata:
              name: gpu
              labels: {example.com/group: gpu, slotwise.io/price: "2", slotwise.io/owner: us}
              annotations:
                slotwise.io/offer-node-group: example.com/group
                slotwise.io/offer: "3"
                slotwise.io/offer-delay: 2m
            spec: {taints: [{key: gpu, value: present, effect: NoSchedule}]}
            status: {allocatable: {cpu: 3900m, memory: 15Gi, pods: "58", nvidia.com/gpu: "1"}}
            """, Node.class);

    private static final CatalogueOffer OFFER = NodeGroups.offers(List.of(GPU)).getFirst();
    private static final GangId GANG = new GangId("user", "g");

    private static PurchaseOrder order(int number) {
        return new PurchaseOrder("slotwise-%016d".formatted(number), "gpu", NOW, NOW + 120, NOW + 3600, 2_000_000, 7);
    }

    private static GenericKubernetesResource request(int number, String made) {
        return request(number, made, List.of());
    }

    private static GenericKubernetesResource request(int number, String made, List<Node> before) {
        GenericKubernetesResource request = ProvisioningRequests.of(order(number), OFFER, before, GANG, "slotwise");
        request.getMetadata().setCreationTimestamp(made);
        request.getMetadata().setResourceVersion("7");
        return request;
    }

    private static GenericKubernetesResource withCondition(GenericKubernetesResource request, String condition) {
        request.setAdditionalProperty(
                "status", Map.of("conditions", List.of(Map.of("type", condition, "status", "True"))));
        return request;
    }

    private static Node node(String name, String group, String made) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid-" + name)
                .withCreationTimestamp(made)
                .addToLabels("example.com/group", group)
                .addToLabels("kubernetes.io/hostname", "host-" + name)
                .endMetadata()
                .build();
    }

    @Test
    void aNodeOfAGroupIsOfferedWithItsOwnLimitAndTheTaintOfBoughtNodes() {
        NodeOffer offer = OFFER.under(new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY)
                .offers(List.of(OFFER.node()), NOW)
                .offers()
                .getFirst());

        assertThat(offer.name()).isEqualTo("gpu");
        assertThat(offer.most()).isEqualTo(3);
        assertThat(offer.billing().delay()).isEqualTo(120);
        assertThat(offer.node().taints()).extracting("key").containsExactly("gpu", "slotwise.io/bought");
        assertThat(offer.node().labels()).containsEntry("slotwise.io/bought", "true");
    }

    @Test
    void aGroupThatTheNodeDoesNotNameIsNoOffer() {
        Node nameless = new NodeBuilder(GPU)
                .editMetadata()
                .removeFromLabels("example.com/group")
                .endMetadata()
                .build();

        Intake.Offered offered = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY).offers(List.of(nameless), NOW);

        assertThat(offered.offers()).isEmpty();
        assertThat(offered.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .contains(
                                "slotwise.io/offer-node-group",
                                "example.com/group",
                                "expected the key of the label that names the Node's group"));
        assertThat(NodeGroups.offers(List.of(nameless)).getFirst().open()).isFalse();
    }

    @Test
    void theRequestIsForOnePodAndCarriesTheMarksOfItsNode() {
        GenericKubernetesResource request = request(1, "2030-01-01T00:00:00Z");

        assertThat(request.getApiVersion()).isEqualTo("autoscaling.x-k8s.io/v1");
        assertThat(request.getMetadata().getName()).isEqualTo(order(1).node());
        assertThat(request.getMetadata().getLabels())
                .containsOnly(
                        Map.entry("slotwise.io/bought", "true"),
                        Map.entry("slotwise.io/purchase", order(1).node()),
                        Map.entry("slotwise.io/price", "2.000000"),
                        Map.entry("slotwise.io/owner", "us"));
        assertThat(request.<String>get("spec", "provisioningClassName"))
                .isEqualTo("best-effort-atomic-scale-up.autoscaling.x-k8s.io");
        assertThat(request.<String>get("spec", "parameters", "ValidUntilSeconds"))
                .isEqualTo("120");
        assertThat(Serialization.asJson(request))
                .contains("\"podSets\":[{", "\"count\":1", "{\"name\":\"%s\"}".formatted(order(1).node()));
    }

    @Test
    void theRequestsPodFillsANewNodeAndFitsNoExistingOne() {
        PodSpec pod = ProvisioningRequests.template(
                        order(1),
                        OFFER,
                        List.of(node("b", "gpu", ""), node("a", "gpu", ""), node("c", "other", "")),
                        "slotwise")
                .getTemplate()
                .getSpec();

        assertThat(pod.getNodeSelector()).containsExactly(Map.entry("example.com/group", "gpu"));
        assertThat(pod.getTolerations())
                .extracting(Toleration::getKey, Toleration::getOperator)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("gpu", "Exists"),
                        org.assertj.core.groups.Tuple.tuple("slotwise.io/bought", "Exists"));
        assertThat(pod.getContainers().getFirst().getResources().getRequests())
                .containsOnly(
                        Map.entry("cpu", new Quantity("3900m")),
                        Map.entry("memory", new Quantity("15Gi")),
                        Map.entry("nvidia.com/gpu", new Quantity("1")));
        assertThat(Serialization.asJson(pod.getAffinity())).contains("NotIn", "[\"host-a\",\"host-b\"]");
        assertThat(ProvisioningRequests.template(order(1), OFFER, List.of(), "slotwise")
                        .getTemplate()
                        .getSpec()
                        .getAffinity())
                .isNull();
    }

    @Test
    void theOldestNewNodeOfTheGroupIsTheOldestRequests() {
        List<Node> there = List.of(
                node("old", "gpu", "2029-12-31T23:59:59Z"),
                node("other", "other", "2030-01-01T00:00:09Z"),
                node("z", "gpu", "2030-01-01T00:00:08Z"),
                node("y", "gpu", "2030-01-01T00:00:09Z"));

        assertThat(ProvisioningRequests.nodes(
                        List.of(request(2, "2030-01-01T00:00:01Z"), request(1, "2030-01-01T00:00:02Z")), there))
                .containsOnly(Map.entry(order(2).node(), "z"), Map.entry(order(1).node(), "y"));
        assertThat(ProvisioningRequests.nodes(List.of(request(1, "2030-01-01T00:00:10Z")), there))
                .isEmpty();
    }

    @Test
    void aNodeThatWasThereInTheSecondOfTheRequestIsNotNew() {
        Node there = node("there", "gpu", "2030-01-01T00:00:08Z");
        Node come = node("come", "gpu", "2030-01-01T00:00:08Z");
        GenericKubernetesResource request =
                request(1, "2030-01-01T00:00:08Z", List.of(node("old", "gpu", "2029-12-31T00:00:00Z"), there));

        assertThat(ProvisioningRequests.nodes(List.of(request), List.of(there))).isEmpty();
        assertThat(ProvisioningRequests.nodes(List.of(request), List.of(there, come)))
                .containsOnly(Map.entry(order(1).node(), "come"));
    }

    @Test
    void aNodeThatIsKeptOnItsRequestStaysItsOwnAndAMarkedOneIsNobodysElse() {
        Node found = node("found", "gpu", "2030-01-01T00:00:08Z");
        GenericKubernetesResource first = request(1, "2030-01-01T00:00:02Z");
        first.getMetadata().getAnnotations().put("slotwise.io/node", "found");
        GenericKubernetesResource second = request(2, "2030-01-01T00:00:01Z");

        assertThat(ProvisioningRequests.nodes(List.of(first, second), List.of(found)))
                .containsOnly(Map.entry(order(1).node(), "found"));
        found.getMetadata().getLabels().put("slotwise.io/purchase", order(1).node());
        assertThat(ProvisioningRequests.nodes(List.of(second), List.of(found))).isEmpty();
    }

    @Test
    void aRequestThatTheAutoscalerGaveUpHasNoNode() {
        Node there = node("a", "gpu", "2030-01-01T00:00:08Z");

        for (String condition : List.of("Failed", "CapacityRevoked")) {
            GenericKubernetesResource request = withCondition(request(1, "2030-01-01T00:00:02Z"), condition);
            assertThat(ProvisioningRequests.hasFailed(request)).isTrue();
            assertThat(ProvisioningRequests.nodes(List.of(request), List.of(there)))
                    .isEmpty();
        }
        for (String condition : List.of("Accepted", "Provisioned", "BookingExpired")) {
            GenericKubernetesResource request = withCondition(request(1, "2030-01-01T00:00:02Z"), condition);
            assertThat(ProvisioningRequests.hasFailed(request)).isFalse();
            assertThat(ProvisioningRequests.nodes(List.of(request), List.of(there)))
                    .hasSize(1);
        }
    }

    @Test
    void theNodeIsMarkedAsTheRequestSaysAndReleasedForEver() {
        Node node = new NodeBuilder(node("a", "gpu", "2030-01-01T00:00:08Z"))
                .withNewSpec()
                .addNewTaint("PreferNoSchedule", "own", null, "here")
                .endSpec()
                .build();

        String marks = Serialization.asJson(ProvisioningRequests.marks(request(1, "2030-01-01T00:00:02Z"), node));
        String released = Serialization.asJson(ProvisioningRequests.release(node));

        assertThat(marks)
                .contains(
                        "\"uid\":\"uid-a\"",
                        "\"slotwise.io/purchase\":\"%s\"".formatted(order(1).node()),
                        "\"slotwise.io/price\":\"2.000000\"",
                        "\"slotwise.io/unavailable\":\"2030-01-01T01:00:00Z/9999-12-31T23:59:59Z\"",
                        "\"slotwise.io/bought-for\":\"user/g\"",
                        "\"slotwise.io/node-group\":\"example.com/group=gpu\"",
                        "\"cluster-autoscaler.kubernetes.io/scale-down-disabled\":\"true\"",
                        "\"key\":\"own\"",
                        "\"effect\":\"NoSchedule\"");
        assertThat(released).contains("\"cluster-autoscaler.kubernetes.io/scale-down-disabled\":null");
        assertThat(Intervals.parseList("1970-01-01T00:00:00Z/9999-12-31T23:59:59Z"))
                .singleElement()
                .satisfies(away -> {
                    assertThat(away.start()).isZero();
                    assertThat(away.end()).isGreaterThan(NOW);
                });
        assertThat(released).contains("\"1970-01-01T00:00:00Z/9999-12-31T23:59:59Z\"");
    }

    @Test
    void howLongANodeTookIsSaidByItsReadiness() {
        GenericKubernetesResource request = request(1, "2030-01-01T00:00:02Z");
        Node node = new NodeBuilder(node("a", "gpu", "2030-01-01T00:00:08Z"))
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime("2030-01-01T00:01:00Z")
                .endCondition()
                .endStatus()
                .build();

        assertThat(ProvisioningRequests.startDelay(request, node)).hasValue(59);
        assertThat(ProvisioningRequests.startDelay(request, node("a", "gpu", "")))
                .isEqualTo(OptionalLong.empty());
    }
}
