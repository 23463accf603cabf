package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExamplesTest {

    @ParameterizedTest
    @CsvSource({"job.yaml, sweep, 8", "jobset-like.yaml, solve, 4", "training.yaml, training, 4"})
    void anExampleIsOneGangThatCanBePlanned(String file, String gang, int size) {
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);

        IntakeResult result =
                intake.take(ManifestFile.read(Path.of("deploy/examples", file)), Map.of(), 1_893_456_000L);

        assertThat(result.warnings()).filteredOn(IntakeWarning::isOfConcern).isEmpty();
        assertThat(result.snapshot().held()).isEmpty();
        assertThat(result.snapshot().requests())
                .singleElement()
                .extracting(Request::gang)
                .satisfies(found -> {
                    assertThat(found.id().name()).isEqualTo(gang);
                    assertThat(found.pods()).hasSize(size);
                });
    }

    @Test
    void trainingStartsAtOnceOnTheOneNodeOfAKindCluster(@TempDir Path folder) throws IOException {
        Path node = Files.writeString(folder.resolve("node.yaml"), """
                apiVersion: v1
                kind: Node
                metadata:
                  name: kind-control-plane
                  labels: {kubernetes.io/hostname: kind-control-plane, kubernetes.io/os: linux}
                status:
                  allocatable: {cpu: "2", memory: 4Gi, pods: "110"}
                  conditions: [{type: Ready, status: "True"}]
                """);

        CommandLineRun run = CommandLineRun.of(
                "plan",
                "-f",
                node.toString(),
                "-f",
                "deploy/examples/training.yaml",
                "--now",
                "2030-01-01T00:00:00Z",
                "-o",
                "csv");

        assertThat(run.out().lines().skip(1))
                .hasSize(4)
                .allSatisfy(line ->
                        assertThat(line).contains(",kind-control-plane,2030-01-01T00:00:00Z,2030-01-01T00:10:00Z,"));
    }
}
