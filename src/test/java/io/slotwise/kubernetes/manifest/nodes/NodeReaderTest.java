package io.slotwise.kubernetes.manifest.nodes;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReaderTest {
    private static final PriceCatalogue CATALOGUE = PriceCatalogue.read(
            new StringReader("instance_type,region,capacity_type,price,performance,watts\nm5,,,4,2,\n"), "c.csv");

    @Test
    void readsWhatTheOwnerSays() {
        IntakeResult result = take(node("n1")
                .editMetadata()
                .addToLabels(AnnotationKeys.PRICE, "2.5")
                .addToLabels(AnnotationKeys.PERFORMANCE, "1.5")
                .addToLabels(AnnotationKeys.OWNER, "alice")
                .addToLabels(AnnotationKeys.WATTS, "350")
                .addToAnnotations(AnnotationKeys.UNAVAILABLE, at(60) + "/PT1M")
                .addToAnnotations(AnnotationKeys.PRICE_CALENDAR, "1@" + at(0) + "/PT1H")
                .endMetadata());

        io.slotwise.core.cluster.Node node = only(result);
        assertThat(node.performance()).isEqualTo(new Performance(1_500_000));
        assertThat(node.owner()).isEqualTo("alice");
        assertThat(node.unavailable()).containsExactly(new Interval(NOW + 60, NOW + 120));
        assertThat(node.price())
                .isEqualTo(StepFunction.startingAt(2_500_000)
                        .then(NOW, 1_000_000)
                        .then(NOW + 3600, 2_500_000)
                        .build());
        assertThat(node.schedulable()).isTrue();
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void missingNodeAnnotationsComeFromTheCatalogue() {
        Node known = new NodeBuilder(node("n1").build())
                .editMetadata()
                .removeFromLabels(AnnotationKeys.PRICE)
                .addToLabels(AnnotationKeys.INSTANCE_TYPE, "m5")
                .endMetadata()
                .build();

        io.slotwise.core.cluster.Node node = only(take(new NodeBuilder(known)));
        io.slotwise.core.cluster.Node labelled = only(take(new NodeBuilder(known)
                .editMetadata()
                .addToLabels(AnnotationKeys.PRICE, "9")
                .endMetadata()));

        assertThat(node.price()).isEqualTo(StepFunction.constant(4_000_000));
        assertThat(node.performance()).isEqualTo(new Performance(2_000_000));
        assertThat(node.owner()).isEqualTo("default");
        assertThat(labelled.price()).isEqualTo(StepFunction.constant(9_000_000));
    }

    @Test
    void aNodeWithoutAnyPriceIsFreeOfChargeAndSaysSo() {
        IntakeResult result = take(
                node("n1").editMetadata().removeFromLabels(AnnotationKeys.PRICE).endMetadata());

        assertThat(only(result).price()).isEqualTo(StepFunction.constant(0));
        assertThat(only(result).schedulable()).isTrue();
        assertThat(result.warnings())
                .containsExactly(new IntakeWarning(
                        IntakeWarning.Reason.PRICE_MISSING,
                        Subject.of("Node", "n1"),
                        "node n1 has no price: expected the label `slotwise.io/price` or an entry in the price "
                                + "catalogue; it is free of charge"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slotwise.io/price | dear | expected a decimal number such as 1.25",
                "slotwise.io/price | -1 | expected a number that is not negative",
                "slotwise.io/price | 1000000.000001 | expected at most 1000000",
                "slotwise.io/price | 0.0000001 | expected at most six digits after the decimal point",
                "slotwise.io/performance | 0 | expected a number greater than 0",
                "slotwise.io/performance | fast | expected a decimal number such as 1.25",
                "slotwise.io/performance | 1000001 | expected at most 1000000",
                "slotwise.io/watts | 0 | expected more than 0 and at most 1000000 watts",
                "slotwise.io/watts | hot | expected watts, a decimal number such as 350"
            })
    void nothingIsPlannedOnANodeWithALabelThatCannotBeRead(String key, String value, String expected) {
        IntakeResult result =
                take(node("n1").editMetadata().addToLabels(key, value).endMetadata());

        assertExcluded(result, "`%s` (%s) of node n1 is not valid: %s".formatted(key, value, expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slotwise.io/price-calendar | x | expected PRICE@INTERVAL such as 0.5@0 22 * * */PT8H or "
                        + "0.5@2030-01-01T22:00:00Z/PT8H in the item (x)",
                "slotwise.io/unavailable | often | expected an ISO 8601 interval such as "
                        + "2030-01-01T08:00:00Z/2030-01-01T18:00:00Z or 2030-01-01T08:00:00Z/PT10H"
            })
    void nothingIsPlannedOnANodeWithAnAnnotationThatCannotBeRead(String key, String value, String expected) {
        IntakeResult result =
                take(node("n1").editMetadata().addToAnnotations(key, value).endMetadata());

        assertExcluded(result, "`%s` (%s) of node n1 is not valid: %s".formatted(key, value, expected));
    }

    @Test
    void allProblemsOfANodeAreTold() {
        IntakeResult result = take(node("n1")
                .editMetadata()
                .addToLabels(AnnotationKeys.PRICE, "x")
                .addToLabels(AnnotationKeys.PERFORMANCE, "y")
                .endMetadata());

        assertThat(result.warnings())
                .extracting(IntakeWarning::reason)
                .containsOnly(IntakeWarning.Reason.INVALID_VALUE)
                .hasSize(2);
    }

    @Test
    void readsTheBandwidthOfTheDomainAndThePower() {
        IntakeResult result = take(node("n1")
                .editMetadata()
                .addToAnnotations(AnnotationKeys.DOMAIN_BANDWIDTH, "10G")
                .addToLabels(AnnotationKeys.WATTS, "350.5")
                .endMetadata());

        assertThat(only(result).bandwidth()).isEqualTo(10_000_000_000L);
        assertThat(only(result).power()).isEqualTo(350_500);
        assertThat(result.warnings()).isEmpty();
    }

    @Test
    void anUnknownSlotwiseKeyIsReported() {
        IntakeResult result = take(node("n1")
                .editMetadata()
                .addToLabels("slotwise.io/prise", "1")
                .addToAnnotations(AnnotationKeys.OWNER, "bob")
                .endMetadata());

        assertThat(only(result).schedulable()).isTrue();
        assertThat(result.warnings())
                .extracting(IntakeWarning::message)
                .containsExactly(
                        "`slotwise.io/prise` (1) of node n1 is not known: expected one of "
                                + "slotwise.io/domain-bandwidth, slotwise.io/owner, slotwise.io/performance, "
                                + "slotwise.io/price, slotwise.io/price-calendar, slotwise.io/unavailable, "
                                + "slotwise.io/watts",
                        "`slotwise.io/owner` (bob) of node n1 must not be an annotation: expected a label");
    }

    @Test
    void theCapacityOfANodeIsRoundedDown() {
        IntakeResult result = take(node("n1")
                .editStatus()
                .addToAllocatable("cpu", new Quantity("3999999u"))
                .addToAllocatable("memory", new Quantity("1500m"))
                .addToAllocatable("nvidia.com/gpu", new Quantity("8"))
                .endStatus());

        assertThat(only(result).allocatable())
                .isEqualTo(Resources.of(Map.of("cpu", 3999L, "memory", 1L, "nvidia.com/gpu", 8L, "pods", 110L)));
    }

    @Test
    void cordonedAndUnreadyNodesAreNotSchedulable() {
        io.slotwise.core.cluster.Node cordoned =
                only(take(node("n1").withNewSpec().withUnschedulable(true).endSpec()));
        io.slotwise.core.cluster.Node unready = only(take(node("n1")
                .editStatus()
                .editFirstCondition()
                .withStatus("Unknown")
                .endCondition()
                .endStatus()));

        assertThat(cordoned.schedulable()).isFalse();
        assertThat(cordoned.taints()).isEmpty();
        assertThat(unready.schedulable()).isFalse();
        assertThat(unready.taints())
                .containsExactly(new Taint("node.kubernetes.io/not-ready", "", Taint.Effect.NO_SCHEDULE));
    }

    @Test
    void taintsAreRead() {
        io.slotwise.core.cluster.Node node = only(take(node("n1")
                .withNewSpec()
                .addNewTaint("NoSchedule", "gpu", null, "yes")
                .addNewTaint("NoExecute", "lost", null, null)
                .addNewTaint("PreferNoSchedule", "soft", null, "")
                .endSpec()));

        assertThat(node.taints())
                .containsExactly(
                        new Taint("gpu", "yes", Taint.Effect.NO_SCHEDULE),
                        new Taint("lost", "", Taint.Effect.NO_EXECUTE),
                        new Taint("soft", "", Taint.Effect.PREFER_NO_SCHEDULE));
    }

    @Test
    void aNodeWrittenByHandTakesTheUsualNumberOfPods() {
        Node bare = new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .addToLabels(AnnotationKeys.PRICE, "1")
                .endMetadata()
                .withNewStatus()
                .addToCapacity("cpu", new Quantity("2"))
                .endStatus()
                .build();
        ClusterObjects objects = Samples.objects(List.of(bare));

        IntakeResult inFiles = new Intake(LoopSettings.EXACT, CATALOGUE, PodFilter.FILES).take(objects, Map.of(), NOW);
        IntakeResult inCluster = new Intake(LoopSettings.EXACT, CATALOGUE).take(objects, Map.of(), NOW);

        assertThat(only(inFiles).allocatable()).isEqualTo(Resources.of(Map.of("cpu", 2000L, "pods", 110L)));
        assertThat(inFiles.warnings()).extracting(IntakeWarning::reason).containsExactly(IntakeWarning.Reason.ASSUMED);
        assertThat(only(inCluster).allocatable()).isEqualTo(Resources.of(Map.of("cpu", 2000L)));
    }

    private static void assertExcluded(IntakeResult result, String problem) {
        assertThat(only(result).schedulable()).isFalse();
        assertThat(only(result).allocatable()).isEqualTo(Resources.NONE);
        assertThat(result.warnings())
                .containsExactly(new IntakeWarning(
                        IntakeWarning.Reason.INVALID_VALUE,
                        Subject.of("Node", "n1"),
                        problem + "; nothing is planned on this node until then"));
    }

    private static io.slotwise.core.cluster.Node only(IntakeResult result) {
        assertThat(result.snapshot().cluster().inventory()).hasSize(1);
        return result.snapshot().cluster().inventory().getFirst();
    }

    private static IntakeResult take(NodeBuilder node) {
        return new Intake(LoopSettings.EXACT, CATALOGUE).take(Samples.objects(List.of(node.build())), Map.of(), NOW);
    }
}
