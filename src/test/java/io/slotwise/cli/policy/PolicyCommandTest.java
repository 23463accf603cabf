package io.slotwise.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.config.PolicyFile;
import io.slotwise.config.Preset;
import io.slotwise.live.settings.LoopSettings;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyCommandTest {
    @TempDir
    Path folder;

    private String file(String policy) throws IOException {
        return Files.writeString(folder.resolve("p.yaml"), policy).toString();
    }

    @Test
    void everyValueIsShownWithWhereItComesFrom() throws IOException {
        String file = file("preset: value\nqueue: {aging: 2h}\ngangs: {value-of-time: {namespaces: {team.a: 3}}}\n");
        System.setProperty("slotwise.policy.running.min-run", "7m");
        try {
            CommandLineRun run = CommandLineRun.onScreenOf(200, "policy", "show", file);

            assertThat(run.err()).isEmpty();
            assertThat(run.out().lines().map(line -> line.strip().replaceAll(" {2,}", "|")))
                    .contains(
                            "KEY|VALUE|FROM",
                            "queue.order|value|preset value",
                            "queue.aging|2h|" + file + ", line 2",
                            "gangs.value-of-time.namespaces.team.a|3|" + file + ", line 3",
                            "promises.slack.wait|0.2|preset value",
                            "promises.slack.cost|1|preset value",
                            "running.min-run|7m|property slotwise.policy.running.min-run",
                            "study.shift|true|default");
        } finally {
            System.clearProperty("slotwise.policy.running.min-run");
        }
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void theYamlOutputIsTheSamePolicy(Preset preset) {
        CommandLineRun run = CommandLineRun.of("policy", "show", preset.key(), "-o", "yaml");

        assertThat(run.out()).startsWith("queue:\n  order: ");
        assertThat(PolicyFile.read(new StringReader(run.out()), "shown"))
                .isEqualTo(preset.policy().settings());
    }

    @Test
    void withoutAPolicyTheDefaultIsShown() throws IOException {
        JsonNode shown = new ObjectMapper()
                .readTree(CommandLineRun.of("policy", "show", "-o", "json").out());

        assertThat(shown.at("/running/turnover").asText()).isEqualTo("5s");
        assertThat(PolicyFile.read(new StringReader(shown.toString()), "shown")).isEqualTo(LoopSettings.DEFAULT);
    }

    @Test
    void aDifferenceHasTheValuesThatDifferAlone() throws IOException {
        String file = file("running: {turnover: 9s}\nbatch: {limit: {cost: 5}}\n");

        CommandLineRun run = CommandLineRun.onScreenOf(120, "policy", "diff", "paper", file);

        assertThat(run.out().lines().skip(1).map(line -> line.strip().replaceAll(" {2,}", "|")))
                .containsExactly(
                        "batch.limit.cost|(none)|5",
                        "promises.improve.gain|0|0.2",
                        "promises.slack.runtime|0|0.2",
                        "promises.slack.wait|0|0.4",
                        "running.turnover|0s|9s");
    }

    @Test
    void aKeyIsExplainedByWhatItMeansAndTakes() {
        CommandLineRun key = CommandLineRun.onScreenOf(400, "policy", "explain", "promises.slack");
        CommandLineRun group = CommandLineRun.of("policy", "explain", "money", "-o", "json");
        CommandLineRun unknown = CommandLineRun.of("policy", "explain", "turnover");

        assertThat(key.out())
                .contains("promises.slack", "{wait: 0.4, runtime: 0.2,", "wait: a number between 0 and 10")
                .contains("The latest start is what is promised");
        assertThat(group.out()).contains("\"money.charge\"", "\"money.currency\"");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("turnover: no key of the policy", "did you mean running.turnover?");
    }

    @Test
    void aPolicyThatCannotBeUsedIsRefusedAndOneThatIsNotThereIsSaidToBeNone() throws IOException {
        CommandLineRun broken = CommandLineRun.of("policy", "show", file("queue: {order: lifo}"));
        CommandLineRun missing = CommandLineRun.of("policy", "diff", "default", "papers");

        assertThat(broken.status()).isEqualTo(2);
        assertThat(broken.err()).contains("`queue.order` (lifo) is not valid");
        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err())
                .contains("papers: no such file or preset: expected a policy file, or one of default, easy");
    }
}
