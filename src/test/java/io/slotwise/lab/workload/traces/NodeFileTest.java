package io.slotwise.lab.workload.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.traces.NodeFile.NodesCsvReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFileTest {
    private static List<Node> read(String text) {
        return NodesCsvReader.read(Texts.of("nodes.csv", text));
    }

    @Test
    void aLineIsAKindOfNodes() {
        List<Node> nodes = read("""
            # two kinds
            name,count,cpu_milli,memory_mib,gpus,gpu_model,pods,performance,price,owner,watts,label:topology.kubernetes.io/zone
            fast,11,8000,1024,2,T4,50,2.5,1.25,anna,350.5,z1
            slow,,4000,512,,,,,0,,,
            """);

        assertThat(nodes).hasSize(12);
        assertThat(nodes.getFirst()).satisfies(node -> {
            assertThat(node.name()).isEqualTo("fast-00");
            assertThat(node.allocatable())
                    .isEqualTo(Resources.of(Map.of(
                            Resources.CPU,
                            8000L,
                            Resources.MEMORY,
                            1L << 30,
                            Resources.PODS,
                            50L,
                            "nvidia.com/gpu",
                            2L,
                            "nvidia.com/gpu-milli",
                            2000L)));
            assertThat(node.labels())
                    .isEqualTo(Map.of(
                            "kubernetes.io/hostname", "fast-00",
                            "nvidia.com/gpu.product", "T4",
                            "topology.kubernetes.io/zone", "z1"));
            assertThat(node.performance().millionths()).isEqualTo(2_500_000);
            assertThat(node.price().at(0)).isEqualTo(1_250_000);
            assertThat(node.owner()).isEqualTo("anna");
            assertThat(node.power()).isEqualTo(350_500);
        });
        assertThat(nodes.get(10).name()).isEqualTo("fast-10");
        assertThat(nodes.getLast()).satisfies(node -> {
            assertThat(node.name()).isEqualTo("slow");
            assertThat(node.allocatable().get(Resources.PODS)).isEqualTo(110);
            assertThat(node.price().at(0)).isZero();
            assertThat(node.owner()).isEqualTo("default");
            assertThat(node.power()).isEqualTo(Node.UNKNOWN);
        });
    }

    @Test
    void withoutAPriceANodeCostsWhatItsPartsDo() {
        List<Node> nodes = read("""
            sn,cpu_milli,memory_mib,gpu,model
            m5.large,2000,8192,0,
            r5.large,2000,16384,0,
            g4dn.12xlarge,48000,196608,4,T4
            p3.8xlarge,32000,249856,4,V100M16
            p3dn.24xlarge,96000,786432,8,V100M32
            g5.12xlarge,48000,196608,4,A10
            """);

        assertThat(nodes)
                .extracting(node -> node.price().at(0))
                .containsExactly(96_000L, 126_000L, 3_912_000L, 12_240_000L, 31_212_000L, 5_672_000L);
    }

    @Test
    void invalidInputIsReportedWithItsPosition() {
        assertThatThrownBy(() -> read("name,cpu_milli,memory_mib,gpus,gpu_model\na,1,1,1,X9\n"))
                .hasMessage("nodes.csv:2:5: the GPUs' model (X9) is not valid: expected a GPU model of A10, A100, "
                        + "G2, G3, H100,"
                        + " L4, L40S, P100, T4, V100M16, V100M32 in the column gpu_model, or a price in the column "
                        + "price");
        assertThatThrownBy(() -> read("name,cpu_milli,memory_mib,gpus\na,1,1,1\n"))
                .hasMessageStartingWith("nodes.csv:2:4: the number of GPUs (1) is not valid: ");
        assertThatThrownBy(() -> read("name,cpu_milli,memory_mib,price\na,1,1,cheap\n"))
                .hasMessage("nodes.csv:2:4: the price (cheap) is not valid: expected a decimal number such as 1.25");
        assertThatThrownBy(() -> read("name,cpu_milli,memory_mib\na,1,1\na,1,1\n"))
                .hasMessage("nodes.csv:3:1: the name (a) is not valid: there is already a node a in line 2");
        assertThatThrownBy(() -> read("name,cpu_milli\n\na,1\n"))
                .hasMessage("nodes.csv:1:1: there is no column memory_mib: expected it among name,cpu_milli");
        assertThatThrownBy(() -> read("")).hasMessage("nodes.csv: empty; expected a line with the names of columns");
    }

    @Test
    void theNameDistinguishesListsFromObjects(@TempDir Path folder) throws IOException {
        Path csv = Files.write(folder.resolve("n.csv.gz"), Texts.gzip("name,cpu_milli,memory_mib\na,1,1\n"));
        Path machines = Files.writeString(folder.resolve("n.machines"), "0 z 2 8 1 1024\n");
        Path empty = Files.writeString(folder.resolve("e.csv"), "name,cpu_milli,memory_mib\n");

        assertThat(NodeFile.isList(csv)).isTrue();
        assertThat(NodeFile.isList(Path.of("nodes.yaml"))).isFalse();
        assertThat(NodeFile.read(csv)).extracting(Node::name).containsExactly("a");
        assertThat(NodeFile.read(machines)).extracting(Node::name).containsExactly("z1", "z2");
        assertThatThrownBy(() -> NodeFile.read(empty))
                .hasMessageEndingWith("e.csv: no nodes; expected a line for each kind of node");
    }
}
