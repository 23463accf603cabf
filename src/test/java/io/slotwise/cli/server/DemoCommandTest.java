package io.slotwise.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {
    private static final Path EXPECTED = Path.of("src/test/resources/demo/expected.txt");

    @Test
    void thePlanOfTheExampleShowsWindowsReasonsAndAPictureAndIsAlwaysTheSame() throws IOException {
        CommandLineRun run = CommandLineRun.of("demo", "--plan");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(Files.readString(EXPECTED));
        assertThat(run.served()).isEmpty();
    }

    @Test
    void aDemoListensOnThisMachineOnlyAndTouchesNoCluster() {
        CommandLineRun run = CommandLineRun.of("demo");

        assertThat(run.status()).isZero();
        assertThat(run.served())
                .containsEntry("started", "yes")
                .containsEntry("slotwise.host", "demo")
                .containsEntry("slotwise.demo.nodes", "40")
                .containsEntry("slotwise.demo.speed", "60")
                .containsEntry("slotwise.demo.seed", "1")
                .containsEntry("slotwise.board.open", "true")
                .containsEntry("quarkus.http.host", "127.0.0.1")
                .containsEntry("quarkus.http.port", "0")
                .doesNotContainKey("slotwise.demo.for");
    }

    @Test
    void allOptionsCanBeSet() {
        CommandLineRun run = CommandLineRun.of(
                "demo",
                "--nodes",
                "200",
                "--speed",
                "0",
                "--seed",
                "-7",
                "--for",
                "1h30m",
                "--port",
                "8181",
                "--headless");

        assertThat(run.served())
                .containsEntry("slotwise.demo.nodes", "200")
                .containsEntry("slotwise.demo.speed", "0")
                .containsEntry("slotwise.demo.seed", "-7")
                .containsEntry("slotwise.demo.for", "PT1H30M")
                .containsEntry("quarkus.http.port", "8181")
                .containsEntry("slotwise.board.open", "false");
    }

    @Test
    void aDemoEndsOrPauses() {
        assertThat(CommandLineRun.of("demo", "--pause-after", "6h").served())
                .containsEntry("slotwise.demo.pause-after", "PT6H");

        CommandLineRun both = CommandLineRun.of("demo", "--pause-after", "6h", "--for", "1h");

        assertThat(both.status()).isEqualTo(2);
        assertThat(both.err())
                .contains("--for (1h) ends the demo and --pause-after (6h) keeps it; expected one of them");
        assertThat(both.served()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes, 0, '--nodes (0) is out of range; expected 1 to 2000'",
        "--nodes, 3000, '--nodes (3000) is out of range; expected 1 to 2000'",
        "--speed, -1, '--speed (-1) is out of range; expected 0 to 100000'",
        "--port, 70000, '--port (70000) is out of range; expected 0 to 65535'",
        "--for, soon, '--for (soon): '",
        "--for, 0s, '--for (0s): '",
        "--pause-after, 0s, '--pause-after (0s): '",
    })
    void invalidOptionsAreRefusedByName(String option, String value, String message) {
        CommandLineRun run = CommandLineRun.of("demo", option, value);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(run.served()).isEmpty();
    }
}
