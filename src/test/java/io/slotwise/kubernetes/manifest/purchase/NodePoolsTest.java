package io.slotwise.kubernetes.manifest.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Money;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodePoolsTest {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();

    private static final Node LARGE = Serialization.unmarshal("""
            apiVersion: v1
            kind: Node
            metadata:
              name: large
              labels:
                node.kubernetes.io/instance-type: m5.xlarge
                karpenter.sh/capacity-type: spot
                example.com/cpus: "4"
                slotwise.io/price: "1.5"
              annotations: {slotwise.io/offer-delay: 1m, slotwise.io/offer-billed-step: 1h}
            status:
              allocatable: {cpu: 3800m, memory: 15Gi, pods: "50"}
              capacity: {cpu: "4", memory: 16Gi, pods: "50"}
            """, Node.class);

    private static GenericKubernetesResource pool(String requirements, String rest) {
        return Serialization.unmarshal("""
                {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"},
                 "spec": {"template": {"metadata": {"labels": {"team": "a"}, "annotations": {"note": "x"}},
                   "spec": {"nodeClassRef": {"group": "g", "kind": "K", "name": "n"},
                     "taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}],
                     "startupTaints": [{"key": "starting", "effect": "NoExecute"}],
                     "requirements": [%s]}} %s}}
                """.formatted(requirements, rest), GenericKubernetesResource.class);
    }

    private static List<CatalogueOffer> offers(GenericKubernetesResource pool, GenericKubernetesResource... claims) {
        return NodePools.offers(List.of(pool), List.of(claims), List.of(LARGE)).stream()
                .filter(CatalogueOffer::open)
                .toList();
    }

    private static NodeOffer read(CatalogueOffer offer) {
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.CLUSTER);
        return offer.under(intake.offers(List.of(offer.node()), NOW).offers().getFirst());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node.kubernetes.io/instance-type | In | [\"m5.large\",\"m5.xlarge\"] | true",
                "node.kubernetes.io/instance-type | In | [\"m5.large\"] | false",
                "node.kubernetes.io/instance-type | NotIn | [\"m5.large\"] | true",
                "node.kubernetes.io/instance-type | NotIn | [\"m5.xlarge\"] | false",
                "kubernetes.io/arch | In | [\"amd64\"] | true",
                "kubernetes.io/arch | In | [\"amd64\",\"arm64\"] | false",
                "kubernetes.io/arch | Exists | [] | false",
                "karpenter.sh/capacity-type | Exists | [] | true",
                "karpenter.sh/capacity-type | DoesNotExist | [] | false",
                "kubernetes.io/arch | DoesNotExist | [] | true",
                "example.com/cpus | Gt | [\"3\"] | true",
                "example.com/cpus | Gt | [\"4\"] | false",
                "example.com/cpus | Gte | [\"4\"] | true",
                "example.com/cpus | Lt | [\"5\"] | true",
                "example.com/cpus | Lte | [\"3\"] | false",
                "kubernetes.io/arch | Gt | [\"3\"] | false",
                "example.com/cpus | Near | [\"4\"] | false"
            })
    void aCatalogueOffersWhatItsRequirementsAllow(String key, String operator, String values, boolean offered) {
        String requirement = "{\"key\": \"%s\", \"operator\": \"%s\", \"values\": %s}".formatted(key, operator, values);

        assertThat(offers(pool(requirement, ""))).hasSize(offered ? 1 : 0);
    }

    @Test
    void anOfferHasTheLabelsAndTaintsOfItsPoolAndTheTermsOfTheCatalogue() {
        CatalogueOffer offer = offers(
                        pool("{\"key\": \"kubernetes.io/arch\", \"operator\": \"In\", \"values\": [\"amd64\"]}", ""))
                .getFirst();

        NodeOffer read = read(offer);

        assertThat(read.name()).isEqualTo("pool.large");
        assertThat(read.node().labels())
                .containsEntry("team", "a")
                .containsEntry("kubernetes.io/arch", "amd64")
                .containsEntry("karpenter.sh/nodepool", "pool")
                .containsEntry("slotwise.io/bought", "true");
        assertThat(read.node().taints()).extracting("key").containsExactly("gpu", "slotwise.io/bought");
        assertThat(read.billing().delay()).isEqualTo(60);
        assertThat(read.resources().get(Resources.CPU)).isEqualTo(4000);
        assertThat(read.node().allocatable().get(Resources.CPU)).isEqualTo(3800);
    }

    @Test
    void aPoolThatIsDeletedStaticOrNotReadyOffersNothing() {
        GenericKubernetesResource deleted = pool("", "");
        deleted.getMetadata().setDeletionTimestamp("2030-01-01T00:00:00Z");
        GenericKubernetesResource failing = pool("", "");
        failing.setAdditionalProperty(
                "status", Map.of("conditions", List.of(Map.of("type", "Ready", "status", "False"))));

        assertThat(offers(deleted)).isEmpty();
        assertThat(offers(failing)).isEmpty();
        assertThat(offers(pool("", ", \"replicas\": 2"))).isEmpty();
    }

    @Test
    void theUsageByOthersExcludesSlotwisesPurchases() {
        GenericKubernetesResource pool = pool("", ", \"limits\": {\"cpu\": \"20\", \"nodes\": \"5\"}");
        pool.setAdditionalProperty("status", Map.of("resources", Map.of("cpu", "12", "nodes", "3")));
        GenericKubernetesResource own = NodeClaims.of(
                new PurchaseOrder("slotwise-1", "pool.large", NOW, NOW + 60, NOW + 3600, 1_500_000, 1),
                offers(pool).getFirst(),
                new GangId("user", "g"));
        own.setAdditionalProperty("status", Map.of("capacity", Map.of("cpu", "4")));

        NodeOffer offer = read(offers(pool, own).getFirst());

        // Others use eight of the twelve processors and two of the three nodes.
        assertThat(offer.quota().resources().get(Resources.CPU)).isEqualTo(12_000);
        assertThat(offer.quota().nodes()).isEqualTo(3);
        assertThat(offer.most()).isEqualTo(10_000);
        CatalogueOffer now = offers(pool, own).getFirst();
        assertThat(NodePools.allows(now, List.of(own, own))).isTrue();
        assertThat(NodePools.allows(now, List.of(own, own, own))).isFalse();
    }

    @Test
    void aClaimIsMarkedAndAsksForTheNodeOfTheCatalogue() {
        CatalogueOffer offer = offers(pool(
                        "{\"key\": \"node.kubernetes.io/instance-type\", \"operator\": \"In\","
                                + " \"values\": [\"m5.large\",\"m5.xlarge\"], \"minValues\": 2},"
                                + "{\"key\": \"example.com/cpus\", \"operator\": \"Gt\", \"values\": [\"1\"]}",
                        ""))
                .getFirst();

        GenericKubernetesResource claim = NodeClaims.of(
                new PurchaseOrder("slotwise-1", "pool.large", NOW, NOW + 60, NOW + 3600, 1_250_000, 1),
                offer,
                new GangId("user", "g"));

        assertThat(BoughtNodes.isOurs(claim.getMetadata())).isTrue();
        assertThat(claim.getMetadata().getLabels())
                .containsEntry("slotwise.io/price", "1.250000")
                .containsEntry("karpenter.sh/nodepool", "pool")
                .containsEntry("team", "a");
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry("karpenter.sh/do-not-disrupt", "true")
                .containsEntry("slotwise.io/unavailable", "2030-01-01T01:00:00Z/9999-12-31T23:59:59Z")
                .containsEntry("slotwise.io/bought-for", "user/g")
                .containsEntry("note", "x");
        assertThat(claim.<String>get("spec", "expireAfter")).isEqualTo("Never");
        assertThat(Objects.requireNonNull(claim.<List<?>>get("spec", "taints"))).hasSize(2);
        assertThat(Objects.requireNonNull(claim.<List<?>>get("spec", "startupTaints")))
                .hasSize(1);
        assertThat(Objects.requireNonNull(claim.<List<?>>get("spec", "requirements")))
                .extracting(Object::toString)
                .containsExactly(
                        "{key=example.com/cpus, operator=Gt, values=[1]}",
                        "{key=node.kubernetes.io/instance-type, operator=In, values=[m5.xlarge]}",
                        "{key=karpenter.sh/capacity-type, operator=In, values=[spot]}");
    }

    @Test
    void aNodeThatIsToComeIsAwayUntilItIsReadyAndWhenItIsPaidNoMore() {
        Node coming = BoughtNodes.coming(
                new PurchaseOrder("slotwise-1", "pool.large", NOW, NOW + 60, NOW + 3600, 1_250_000, 1),
                offers(pool("", "")).getFirst());

        assertThat(coming.getMetadata().getName()).isEqualTo("slotwise-1");
        assertThat(coming.getMetadata().getLabels()).containsEntry("kubernetes.io/hostname", "slotwise-1");
        assertThat(coming.getMetadata().getAnnotations())
                .containsOnly(Map.entry(
                        "slotwise.io/unavailable",
                        "1970-01-01T00:00:00Z/2030-01-01T00:01:00Z,2030-01-01T01:00:00Z/9999-12-31T23:59:59Z"));
        assertThat(new Money(1_250_000).toString())
                .isEqualTo(coming.getMetadata().getLabels().get("slotwise.io/price"));
    }
}
