package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import org.junit.jupiter.api.Test;

/** Quotes for a gang of biology, whose queue is at its limit until 5:00. */
class QuoteCommandTest {
    private static CommandLineRun quote(String queue) {
        return CommandLineRun.of(
                "quote",
                "-f",
                "docs/examples/teams.yaml",
                "--now",
                "2030-01-07T01:00:00Z",
                "align",
                "--queue",
                queue,
                "-o",
                "csv");
    }

    @Test
    void saysWhatAnotherQueueWouldGive() {
        assertThat(quote("biology").out()).contains("\n2030-01-07T05:00:00Z,");
        assertThat(quote("vision").out()).contains("\n2030-01-07T01:00:00Z,");
    }

    @Test
    void saysWhyAnotherQueueGivesNoWindow() {
        CommandLineRun run = quote("nowhere");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("its queue nowhere takes no gangs: it does not exist");
    }

    @Test
    void refusesANameThatNoQueueCanHave() {
        CommandLineRun run = quote("Spare_");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("`queue` (Spare_) is not valid: expected the name of a queue");
    }

    @Test
    void refusesAQueueInAClusterWithoutQueues() {
        String file = "docs/examples/chain.yaml";

        CommandLineRun known =
                CommandLineRun.of("quote", "-f", file, "--now", "2030-01-01T00:00:00Z", "train", "--queue", "spare");
        CommandLineRun described = CommandLineRun.of(
                "quote", "-f", file, "--now", "2030-01-01T00:00:00Z", "--size", "1", "--cpu", "1", "--queue", "spare");

        assertThat(known.err())
                .isEqualTo(described.err())
                .contains("`queue` (spare) is given, and the cluster has no Queue: expected none");
    }
}
