package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class BuyingTest {
    private static final String[] INPUTS = {
        "-f",
        "docs/examples/buying.yaml",
        "--policy",
        "docs/examples/buying-policy.yaml",
        "--now",
        "2030-01-01T00:00:00Z"
    };

    private static CommandLineRun run(String command, String... more) {
        String[] words = new String[1 + INPUTS.length + more.length];
        words[0] = command;
        System.arraycopy(INPUTS, 0, words, 1, INPUTS.length);
        System.arraycopy(more, 0, words, 1 + INPUTS.length, more.length);
        return CommandLineRun.of(words);
    }

    @Test
    void theJsonPlanListsPurchasesWithGangTimeAndCost() throws IOException {
        JsonNode buying =
                new ObjectMapper().readTree(run("plan", "-o", "json").out()).path("buying");

        assertThat(buying.size()).isEqualTo(1);
        assertThat(buying.at("/0/gang").asText()).isEqualTo("team/report");
        assertThat(buying.at("/0/waiting").isNull()).isTrue();
        assertThat(buying.at("/0/nodes").size()).isEqualTo(3);
        assertThat(buying.at("/0/nodes/0/offer").asText()).isEqualTo("small");
        assertThat(buying.at("/0/nodes/0/boughtAt").asText()).isEqualTo("2030-01-01T00:00:30Z");
        assertThat(buying.at("/0/nodes/0/readyAt").asText()).isEqualTo("2030-01-01T00:02:00Z");
        // 90 s before, 50 minutes of use and 30 s after, at 1 an hour.
        assertThat(buying.at("/0/nodes/0/bill").asText()).isEqualTo("0.866667");
    }

    @Test
    void whyAGangWaitsEndsWithWhatBuyingWouldDo() {
        assertThat(run("plan", "--explain", "team/report").out())
                .contains("Buying 1 x small, 2 x spot would start it at 2030-01-01T00:02:00Z (+2m), for 1.906667");
    }

    @Test
    void aQuoteHasWindowsWithNodesThatAreBought() {
        assertThat(run("quote", "team/report", "-o", "json").out()).contains("\"buys\"", "\"spot\"");
    }

    @Test
    void withoutTheModeOffersAreLeftOutAndAWarningSaysSo() {
        CommandLineRun run =
                CommandLineRun.of("plan", "-f", "docs/examples/buying.yaml", "--now", "2030-01-01T00:00:00Z");

        assertThat(run.status()).isZero();
        assertThat(run.out()).doesNotContain("BUYING");
        assertThat(run.err()).contains("3 offers are ignored", "expected plan");
    }
}
