package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promises of the software, one folder each: its name is the promise, and {@code expected.json} was worked out by
 * hand from the public contract.
 */
class ScenariosTest {
    private static final Path FOLDER = Path.of("src/test/resources/scenarios");
    private static final String NOW = "2030-01-01T00:00:00Z";
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    static List<String> scenarios() throws IOException {
        try (Stream<Path> folders = Files.list(FOLDER)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void isPlannedAsPromised(String scenario) throws IOException {
        Path folder = FOLDER.resolve(scenario);
        JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());

        CommandLineRun run = plan(folder);

        assertThat(run.err()).doesNotContain("Warning");
        assertThat(run.status()).isZero();
        ObjectNode planned = (ObjectNode) JSON.readTree(run.out());
        // Notes on the input are no part of the promise.
        planned.remove("inputNotes");
        assertThat(planned.toPrettyString()).isEqualTo(expected.toPrettyString());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void isPlannedTheSameAgain(String scenario) {
        Path folder = FOLDER.resolve(scenario);

        assertThat(plan(folder)).isEqualTo(plan(folder));
    }

    private static CommandLineRun plan(Path folder) {
        return CommandLineRun.of(
                "plan",
                "-f",
                folder.resolve("cluster.yaml").toString(),
                "-f",
                folder.resolve("workload.yaml").toString(),
                "--policy",
                folder.resolve("policy.yaml").toString(),
                "--now",
                NOW,
                "-o",
                "json");
    }
}
