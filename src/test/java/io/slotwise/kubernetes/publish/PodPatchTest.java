package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodPatchTest {
    @Test
    void theGateIsRemovedByNameSoForeignOnesStay() {
        assertThat(PodPatch.ungate("u1"))
                .isEqualTo("{\"metadata\":{\"uid\":\"u1\"},"
                        + "\"spec\":{\"schedulingGates\":[{\"name\":\"slotwise.io/window\",\"$patch\":\"delete\"}]}}");
    }

    @Test
    void aReleasedPodIsToldItsNodeAndWoken() {
        assertThat(PodPatch.release("u1", "n1", 1_893_456_000L))
                .isEqualTo("{\"metadata\":{\"uid\":\"u1\"},\"status\":{\"nominatedNodeName\":\"n1\",\"conditions\":"
                        + "[{\"type\":\"slotwise.io/Released\",\"status\":\"True\",\"reason\":\"WindowDue\","
                        + "\"message\":\"its window starts at 2030-01-01T00:00:00Z\"}]}}");
    }

    @Test
    void aRecalledPodLosesItsNomination() {
        assertThat(PodPatch.recall("u1", Instant.EPOCH))
                .contains("\"nominatedNodeName\":null")
                .contains("\"status\":\"False\"");
    }

    @Test
    void aPinIsARequirementInEveryAlternativeOfThePod() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .withNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addToMatchExpressions(new NodeSelectorRequirement("zone", "In", List.of("a")))
                .endNodeSelectorTerm()
                .addNewNodeSelectorTerm()
                .addToMatchExpressions(new NodeSelectorRequirement("gpu", "Exists", List.of()))
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();

        String patch = PodPatch.ungateAndPin("u1", pod, "n1");

        String pin = "\"matchFields\":[{\"key\":\"metadata.name\",\"operator\":\"In\",\"values\":[\"n1\"]}]";
        assertThat(patch)
                .contains("{\"matchExpressions\":[{\"key\":\"zone\",\"operator\":\"In\",\"values\":[\"a\"]}]," + pin
                        + "}")
                .contains(
                        "{\"matchExpressions\":[{\"key\":\"gpu\",\"operator\":\"Exists\",\"values\":[]}]," + pin + "}")
                .contains("\"$patch\":\"delete\"");
    }

    @Test
    void aPodWithoutAffinityIsPinnedToo() {
        assertThat(PodPatch.ungateAndPin("u1", null, "n1"))
                .contains(
                        "\"nodeSelectorTerms\":[{\"matchExpressions\":[],\"matchFields\":[{\"key\":\"metadata.name\"");
    }
}
