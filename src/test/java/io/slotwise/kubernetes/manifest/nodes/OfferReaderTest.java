package io.slotwise.kubernetes.manifest.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.money.Money;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OfferReaderTest {
    private static final long NOW = 1_893_456_000L;

    private static Node node(String name, Map<String, String> annotations) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of("slotwise.io/price", "1.5"))
                .withAnnotations(annotations)
                .endMetadata()
                .withNewStatus()
                .withAllocatable(Map.of("cpu", new Quantity("4"), "pods", new Quantity("9")))
                .endStatus()
                .build();
    }

    private static IntakeResult taken(PodFilter candidates, Node... nodes) {
        LoopSettings settings = LoopSettings.EXACT.withPolicy(
                LoopSettings.EXACT.policy().withProvisioning(Provisioning.NONE.in(Mode.PLAN)));
        return new Intake(settings, PriceCatalogue.bundled(), candidates)
                .take(ClusterObjects.NONE.withNodes(List.of(nodes)), Map.of(), NOW);
    }

    @Test
    void aNodeThatIsAnOfferIsNoneYet() {
        Node offer = node(
                "large",
                Map.of(
                        "slotwise.io/offer", "3",
                        "slotwise.io/offer-delay", "90s",
                        "slotwise.io/offer-least-billed", "10m",
                        "slotwise.io/offer-billed-step", "1m",
                        "slotwise.io/offer-shutdown", "30s",
                        "slotwise.io/offer-spend", "12.5",
                        "slotwise.io/offer-hazard", "0.05"));

        IntakeResult result = taken(PodFilter.FILES, node("there", Map.of()), offer);

        assertThat(result.snapshot().cluster().inventory())
                .extracting(io.slotwise.core.cluster.Node::name)
                .containsExactly("there");
        assertThat(result.snapshot().offers()).singleElement().satisfies(read -> {
            assertThat(read.name()).isEqualTo("large");
            assertThat(read.node().price()).isEqualTo(StepFunction.constant(1_500_000));
            assertThat(read.node().allocatable().get(Resources.CPU)).isEqualTo(4000);
            assertThat(read.billing()).isEqualTo(new Billing(90, 600, 60, 30));
            assertThat(read.quota()).isEqualTo(new PurchaseQuota("large", 3, Resources.NONE, new Money(12_500_000)));
            assertThat(read.hazard()).isEqualTo(50_000);
        });
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void anOfferThatCannotBeReadIsLeftOutAndAWarningSaysWhatWasExpected() {
        IntakeResult result = taken(
                PodFilter.FILES,
                node("none", Map.of("slotwise.io/offer", "0")),
                node("step", Map.of("slotwise.io/offer", "1", "slotwise.io/offer-billed-step", "0s")),
                node("hazard", Map.of("slotwise.io/offer", "1", "slotwise.io/offer-hazard", "2")),
                node("typo", Map.of("slotwise.io/offer", "1", "slotwise.io/offer-dealy", "1m")),
                node("good", Map.of("slotwise.io/offer", "1")),
                node("good", Map.of("slotwise.io/offer", "2")));

        assertThat(result.snapshot().offers()).extracting(NodeOffer::name).containsExactly("good");
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .anySatisfy(message -> assertThat(message)
                        .contains("slotwise.io/offer", "none", "expected a whole number between 1 and 10000"))
                .anySatisfy(message -> assertThat(message).contains("offer-billed-step", "step", "at least 1s"))
                .anySatisfy(message -> assertThat(message).contains("offer-hazard", "hazard", "between 0 and 1"))
                .anySatisfy(message -> assertThat(message).contains("offer-dealy", "expected one of"))
                .anySatisfy(message -> assertThat(message).contains("good appears twice"));
    }

    @Test
    void aClusterHasNoOffers() {
        IntakeResult result = taken(PodFilter.CLUSTER, node("large", Map.of("slotwise.io/offer", "3")));

        assertThat(result.snapshot().offers()).isEmpty();
    }
}
