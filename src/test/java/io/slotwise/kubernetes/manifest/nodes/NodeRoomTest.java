package io.slotwise.kubernetes.manifest.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeRoomTest {
    private static final Node NODE = new NodeBuilder()
            .withNewMetadata()
            .withName("n1")
            .endMetadata()
            .withNewStatus()
            .withAllocatable(Map.of("cpu", new Quantity("4"), "memory", new Quantity("8Gi"), "pods", new Quantity("3")))
            .endStatus()
            .build();

    private static Pod pod(String cpu) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void podsThatTakeAllOfANodeFit() {
        assertThat(NodeRoom.shortage(NODE, List.of(pod("3500m"), pod("500m")))).isNull();
    }

    @Test
    void namesTheResourceThatIsShort() {
        assertThat(NodeRoom.shortage(NODE, List.of(pod("3500m"), pod("501m")))).isEqualTo("cpu");
    }

    @Test
    void countsPodsToo() {
        assertThat(NodeRoom.shortage(NODE, List.of(pod("1m"), pod("1m"), pod("1m"), pod("1m"))))
                .isEqualTo("pods");
    }
}
