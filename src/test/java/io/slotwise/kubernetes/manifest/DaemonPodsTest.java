package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.time.Interval;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DaemonPodsTest {
    @Test
    void aPodOfADaemonSetHoldsItsRoomOnItsNodeBeforeItIsBound() {
        IntakeResult result =
                take(objects(List.of(node("n1").build(), node("n2").build()), daemon("DaemonSet", "n2")), Map.of());

        assertThat(result.snapshot().cluster().occupations())
                .singleElement()
                .satisfies(there -> assertThat(there.node()).isEqualTo("n2"))
                .satisfies(there -> assertThat(there.resources().get("cpu")).isEqualTo(2000))
                .extracting(Occupation::interval)
                .satisfies(interval -> assertThat(interval.start()).isLessThanOrEqualTo(NOW))
                .satisfies(interval -> assertThat(interval.end()).isEqualTo(Interval.FOREVER));
    }

    @Test
    void anotherPodThatWaitsForOneNodeHoldsNothing() {
        IntakeResult result = take(objects(List.of(node("n2").build()), daemon("ReplicaSet", "n2")), Map.of());

        assertThat(result.snapshot().cluster().occupations()).isEmpty();
    }

    @Test
    void aDaemonThatMayChooseAmongNodesHoldsNothing() {
        Pod pod = daemon("DaemonSet", "n2");
        pod.getSpec()
                .getAffinity()
                .getNodeAffinity()
                .getRequiredDuringSchedulingIgnoredDuringExecution()
                .getNodeSelectorTerms()
                .add(new NodeSelectorTermBuilder().build());

        assertThat(take(objects(List.of(node("n2").build()), pod), Map.of())
                        .snapshot()
                        .cluster()
                        .occupations())
                .isEmpty();
    }

    private static Pod daemon(String owner, String node) {
        return pod("d").editMetadata()
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("apps/v1")
                        .withKind(owner)
                        .withName("d")
                        .withUid("d")
                        .withController(true)
                        .build())
                .endMetadata()
                .editSpec()
                .withSchedulerName("default-scheduler")
                .editFirstContainer()
                .editOrNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addToMatchFields(new NodeSelectorRequirement("metadata.name", "In", List.of(node)))
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }
}
