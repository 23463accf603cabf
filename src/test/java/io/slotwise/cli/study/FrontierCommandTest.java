package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrontierCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** From two to six the node costs 0.4 instead of 1. One gang requests half of the node, the other one all of it. */
    private static final String OBJECTS = """
            apiVersion: v1
            kind: Node
            metadata:
              name: n1
              labels: {slotwise.io/price: "1"}
              annotations: {slotwise.io/price-calendar: "0.4@2030-01-01T02:00:00Z/PT4H"}
            status:
              allocatable: {cpu: "4", memory: 16Gi, pods: "20"}
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: user
              name: half
              creationTimestamp: "2030-01-01T00:00:00Z"
              annotations: {slotwise.io/runtime: 1h}
            spec:
              schedulerName: slotwise
              containers: [{name: main, image: main, resources: {requests: {cpu: "2", memory: 1Gi}}}]
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: user
              name: whole
              creationTimestamp: "2030-01-01T00:00:00Z"
              annotations: {slotwise.io/runtime: 1h}
            spec:
              schedulerName: slotwise
              containers: [{name: main, image: main, resources: {requests: {cpu: "4", memory: 1Gi}}}]
            ---
            apiVersion: v1
            kind: Pod
            metadata:
              namespace: user
              name: large
              creationTimestamp: "2030-01-01T00:00:00Z"
              annotations: {slotwise.io/runtime: 1h}
            spec:
              schedulerName: slotwise
              containers: [{name: main, image: main, resources: {requests: {cpu: "5", memory: 1Gi}}}]
            """;

    /** The first job has the machine's four processors until second 100. The others come at 10 and 20. */
    private static final String LOG = """
            ; MaxProcs: 4
            1 0 -1 100 4 -1 -1 4 100 -1 1 1 -1 -1 1 -1 -1 -1
            2 10 -1 20 4 -1 -1 4 20 -1 1 2 -1 -1 2 -1 -1 -1
            3 20 -1 5 1 -1 -1 1 5 -1 1 3 -1 -1 2 -1 -1 -1
            """;

    @TempDir
    Path folder;

    private CommandLineRun ofFiles(String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("objects.yaml"), OBJECTS);
        List<String> words =
                new ArrayList<>(List.of("study", "frontier", "-f", file.toString(), "--now", "2030-01-01T00:00:00Z"));
        words.addAll(List.of(more));
        return CommandLineRun.of(words.toArray(String[]::new));
    }

    private static JsonNode json(CommandLineRun run) throws JsonProcessingException {
        assertThat(run.status()).as(run.err()).isZero();
        return JSON.readTree(run.out());
    }

    @Test
    void plansGoFromTheShortestDelayToTheLowestCost() throws IOException {
        JsonNode frontier = json(ofFiles("-o", "json"));

        JsonNode plans = frontier.path("plans");
        assertThat(plans.size()).isGreaterThan(1);
        for (int i = 1; i < plans.size(); i++) {
            assertThat(money(plans.get(i))).isLessThan(money(plans.get(i - 1)));
            assertThat(plans.get(i).path("meanDelaySeconds").asDouble())
                    .isGreaterThan(plans.get(i - 1).path("meanDelaySeconds").asDouble());
            assertThat(plans.get(i).path("windows")).hasSize(2);
        }
        // Both at night: half of 0.4 and all of it.
        assertThat(money(plans.get(plans.size() - 1))).isEqualByComparingTo("0.6");
        assertThat(frontier.path("gangs").asInt()).isEqualTo(2);
        assertThat(frontier.path("leftOut").asInt()).isZero();
        assertThat(frontier.path("pending").path(0).path("gang").asText()).isEqualTo("user/pod-large");
    }

    private static BigDecimal money(JsonNode plan) {
        return new BigDecimal(plan.path("cost").asText());
    }

    @Test
    void aThinnedSetSaysSo() throws IOException {
        CommandLineRun run = ofFiles("--plans", "2");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("2 plans, each with windows for 2 gangs: none is better than another in cost and delay.")
                .containsPattern("Note: the set was thinned out: \\d+ plans or parts of plans were left out; "
                        + "a plan left out is better than one here by at\\smost \\d+ s in the mean delay")
                .contains("Waiting: user/pod-large: ");
    }

    @Test
    void aPlanIsPrintedByItsNumberAndOneThatIsNotThereIsRefused() throws IOException {
        assertThat(ofFiles("--plan", "1").out()).contains("\nPlan 1\n", "user/pod-half", "user/pod-whole");

        CommandLineRun wrong = ofFiles("--plan", "1000");

        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).containsPattern("--plan \\(1000\\) is out of range; expected 1 to \\d+");
    }

    @Test
    void thePageHasAPointForEachPlan() throws IOException {
        int plans = json(ofFiles("-o", "json", "--against", "utility", "--of", "income"))
                .path("plans")
                .size();

        CommandLineRun run = ofFiles("-o", "html", "--against", "utility", "--of", "income");

        assertThat(run.out())
                .startsWith("<!DOCTYPE html>")
                .endsWith("</body>\n</html>\n")
                .contains("Mean loss of utility, %", "<summary>Plan 1</summary>");
        assertThat(run.out().split("<circle", -1)).hasSize(plans + 1);
    }

    @Test
    void theGangsThatWaitAtAMomentOfAWorkloadAreABatch() throws IOException {
        Path log = Files.writeString(folder.resolve("log.swf"), LOG);

        JsonNode frontier = json(CommandLineRun.of(
                "study",
                "frontier",
                "--workload",
                log.toString(),
                "--price-spread",
                "30",
                "--from",
                "15s",
                "--waiting",
                "2",
                "-o",
                "json"));

        assertThat(frontier.path("gangs").asInt()).isEqualTo(2);
        assertThat(frontier.path("plans").size()).isPositive();
        assertThat(frontier.path("now").asText()).isEqualTo("1970-01-01T00:00:20Z");
    }

    @Test
    void aMomentWithTooFewWaitingGangsIsAFailure() {
        CommandLineRun run = CommandLineRun.of(
                "study", "frontier", "--workload", "lublin:machine=16,jobs=5,seed=3", "--waiting", "100");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("at no second of the workload from 0s on do 100 gangs wait");
    }

    @Test
    void filesOrAWorkloadAreNeeded() throws IOException {
        assertThat(CommandLineRun.of("study", "frontier").err())
                .contains("No input is given; expected -f FILE or --workload FILE");
        assertThat(ofFiles("--workload", "lublin:machine=16,jobs=5").err())
                .contains("Files and a workload are both given; expected -f FILE or --workload FILE");
        assertThat(ofFiles("--of", "love").err()).contains("'love' is not known; expected cost or income");
    }
}
