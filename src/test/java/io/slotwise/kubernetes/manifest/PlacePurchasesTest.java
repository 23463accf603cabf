package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes bought for pods that need something on a node for themselves, such as a host port. */
class PlacePurchasesTest {
    private static final Policy BUYING = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.PLAN));

    /** The amounts of three pods of one core fit on a node of four, but each pod needs the port for itself. */
    @Test
    void aNodeIsBoughtForEachPodThatHasAHostPort() {
        assertThat(bought(pod(0), pod(1), pod(2))).hasSize(3);
    }

    @Test
    void aNodeIsBoughtForEachPodThatKeepsApartFromTheOthers() {
        assertThat(bought(apart(0), apart(1), apart(2))).hasSize(3);
    }

    /** The cordoned node is a domain without a pod, so that no other node may have two. */
    @Test
    void aNodeIsBoughtForEachPodThatSpreadsOverHostsOfWhichOneIsCordoned() {
        assertThat(bought(spread(0, "Ignore"), spread(1, "Ignore"), spread(2, "Ignore")))
                .hasSize(3);
    }

    /** A cordoned node has a taint too. */
    @Test
    void aCordonedNodeIsNoDomainOfPodsThatHonourTaints() {
        assertThat(bought(spread(0, "Honor"), spread(1, "Honor"), spread(2, "Honor")))
                .hasSize(1);
    }

    private static Pod spread(int i, String taints) {
        return member("g", "p-" + i, AnnotationKeys.GANG_SIZE, "3", AnnotationKeys.RUNTIME, "1h")
                .editSpec()
                .addNewTopologySpreadConstraint()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("DoNotSchedule")
                .withNodeTaintsPolicy(taints)
                .withNewLabelSelector()
                .addToMatchLabels(AnnotationKeys.GANG, "g")
                .endLabelSelector()
                .endTopologySpreadConstraint()
                .endSpec()
                .build();
    }

    private static Set<String> bought(Pod... pods) {
        Node offer = node("small")
                .editMetadata()
                .addToAnnotations("slotwise.io/offer", "5")
                .endMetadata()
                .build();

        Plan plan = new Planner(BUYING)
                .plan(new Intake(LoopSettings.EXACT.withPolicy(BUYING), PriceCatalogue.EMPTY, PodFilter.FILES)
                        .take(
                                objects(
                                        List.of(
                                                node("n1")
                                                        .editMetadata()
                                                        .addToLabels("kubernetes.io/hostname", "n1")
                                                        .endMetadata()
                                                        .editSpec()
                                                        .withUnschedulable()
                                                        .addNewTaint(
                                                                "NoSchedule",
                                                                "node.kubernetes.io/unschedulable",
                                                                null,
                                                                null)
                                                        .endSpec()
                                                        .build(),
                                                offer),
                                        pods),
                                Map.of(),
                                NOW)
                        .snapshot());

        return plan.buying().stream()
                .flatMap(advice -> advice.acquisition().window().placements().stream())
                .map(placement -> placement.node())
                .collect(Collectors.toSet());
    }

    private static Pod apart(int i) {
        return member("g", "p-" + i, AnnotationKeys.GANG_SIZE, "3", AnnotationKeys.RUNTIME, "1h")
                .editSpec()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addNewRequiredDuringSchedulingIgnoredDuringExecution()
                .withTopologyKey("kubernetes.io/hostname")
                .withNewLabelSelector()
                .addToMatchLabels(AnnotationKeys.GANG, "g")
                .endLabelSelector()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private static Pod pod(int i) {
        return member("g", "p-" + i, AnnotationKeys.GANG_SIZE, "3", AnnotationKeys.RUNTIME, "1h")
                .editSpec()
                .editFirstContainer()
                .withPorts(new ContainerPort(80, null, 8080, null, "TCP"))
                .endContainer()
                .endSpec()
                .build();
    }
}
