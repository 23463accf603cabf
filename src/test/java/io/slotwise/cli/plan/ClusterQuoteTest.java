package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.testing.PlayedClusters;
import io.slotwise.testing.PlayedClusters.PlayedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotes of several clusters, through API servers with the answers of a test. */
class ClusterQuoteTest {
    private static final String[] FOUR_PODS = {"--size", "4", "--cpu", "2", "--runtime", "1h"};

    @TempDir
    Path folder;

    private final PlayedClusters clusters = new PlayedClusters();

    @AfterEach
    void stop() {
        clusters.close();
    }

    private static String quote(String... rows) {
        return """
                {"now": "2030-01-01T00:00:00Z", "gang": "default/quote", "budget": "2.500000", "criterion": "start",
                 "menu": [%s]}""".formatted(String.join(",", rows));
    }

    private static String row(String start, String end, String cost, boolean withinBudget) {
        return """
                {"start": "2030-01-01T%s:00Z", "end": "2030-01-01T%s:00Z", "cost": "%s", "runtimeSeconds": 3600,
                 "processorSeconds": 14400, "energyWattSeconds": null, "withinBudget": %s}""".formatted(start, end, cost, withinBudget);
    }

    private CommandLineRun run(String names, String... more) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "quote",
                                "--clusters",
                                names,
                                "--kubeconfig",
                                clusters.kubeconfig(folder).toString()),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void theMenuHasTheBestChoicesOfAllClusters() {
        PlayedCluster east = clusters.add("east")
                .answering(
                        200, quote(row("00:00", "01:00", "3.000000", false), row("02:00", "03:00", "1.000000", true)));
        PlayedCluster west = clusters.add("west")
                .answering(
                        200, quote(row("00:00", "01:00", "3.500000", false), row("01:00", "02:00", "1.500000", true)));

        CommandLineRun run = run("east,west", FOUR_PODS);

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("""
                CLUSTER  START                  IN  COST  END                   RUNTIME  PROCESSOR TIME  BUDGET
                east     2030-01-01T00:00:00Z  +0s     3  2030-01-01T01:00:00Z       1h              4h  over
                west     2030-01-01T01:00:00Z  +1h   1.5  2030-01-01T02:00:00Z       1h              4h  within
                east     2030-01-01T02:00:00Z  +2h     1  2030-01-01T03:00:00Z       1h              4h  within
                """);
        assertThat(east.asked())
                .isEqualTo(west.asked())
                .containsExactly("{\"cpu\":\"2\",\"runtime\":\"1h\",\"size\":\"4\"}");
        assertThat(east.tokens()).containsExactly("Bearer of-east");
        assertThat(west.tokens()).containsExactly("Bearer of-west");
    }

    @Test
    void aClusterWithoutAQuoteIsNamedWithTheCause() throws IOException {
        clusters.add("good").answering(200, quote(row("00:00", "01:00", "3.000000", false)));
        clusters.add("forbids").answering(403, "{\"message\": \"erin may not create pods\"}");
        clusters.add("older").answering(400, "{\"message\": \"`distance-cost` (rack=1) is not known\"}");
        clusters.add("newer").answering(200, "{\"plan\": {\"windows\": []}}");
        clusters.add("odd").answering(200, quote(row("00:00", "01:00", "cheap", true)));
        clusters.add("without").answering(404, "{}");
        clusters.add("full")
                .answering(200, quote().replace("\"menu\"", "\"reason\": \"no node is large enough\", \"menu\""));
        clusters.add("empty").withoutService();
        clusters.addSilent("gone");
        String names = "good,forbids,older,newer,odd,without,full,empty,gone";

        CommandLineRun table = run(names, FOUR_PODS);
        CommandLineRun csv = run(
                names,
                Stream.concat(Stream.of(FOUR_PODS), Stream.of("-o", "csv")).toArray(String[]::new));
        CommandLineRun json = run(
                names,
                Stream.concat(Stream.of(FOUR_PODS), Stream.of("-o", "json")).toArray(String[]::new));

        assertThat(table.status()).isZero();
        assertThat(table.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster forbids is left out: Slotwise denied the request: "
                                        + "erin may not create pods"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster older is left out: it rejects the question: "
                                        + "`distance-cost` (rack=1) is not known"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster newer is left out: the server that answered is not "
                                        + "Slotwise: '' is not an instant"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster odd is left out: the server that answered is not "
                                        + "Slotwise: 'cheap' is not an amount"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster without is left out: the server that answered does not "
                                        + "give quotes"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster full is left out: it has no window at any budget: no "
                                        + "node is large enough"),
                        line -> assertThat(line)
                                .startsWith("slotwise: cluster empty is left out: no service of the cluster"),
                        line -> assertThat(line)
                                .startsWith("slotwise: cluster gone is left out: the cluster (http://127.0.0.1:"));
        assertThat(csv.err()).isEqualTo(table.err());
        assertThat(csv.out()).isEqualTo("""
                start,end,cost,runtime_seconds,processor_seconds,energy_watt_seconds,within_budget,buys,cluster
                2030-01-01T00:00:00Z,2030-01-01T01:00:00Z,3.000000,3600,14400,,false,,good
                """);
        assertThat(json.err()).isEmpty();
        JsonNode printed = new ObjectMapper().readTree(json.out());
        assertThat(printed.at("/menu/0/cluster").asText()).isEqualTo("good");
        assertThat(printed.path("leftOut").findValuesAsText("cluster"))
                .isEqualTo(List.of("forbids", "older", "newer", "odd", "without", "full", "empty", "gone"));
        assertThat(printed.at("/leftOut/0/cause").asText())
                .isEqualTo("Slotwise denied the request: erin may not create pods");
    }

    @Test
    void anAnswerOrContextThatNobodyExpectsLeavesOutOnlyItsCluster() {
        clusters.add("good").answering(200, quote(row("00:00", "01:00", "3.000000", false)));
        clusters.add("vast").answering(200, quote(row("00:00", "01:00", "99999999999999", true)));
        clusters.addWrong("wrong", "http://[no address");
        clusters.add("slow").answering(200, quote()).waitingFor(new CountDownLatch(2));

        CommandLineRun run = run(
                "good,vast,wrong,slow",
                Stream.concat(Stream.of(FOUR_PODS), Stream.of("--timeout", "2s"))
                        .toArray(String[]::new));

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("good ");
        assertThat(run.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster vast is left out: the server that answered is not "
                                        + "Slotwise: '99999999999999' is not an amount"),
                        line -> assertThat(line).startsWith("slotwise: cluster wrong is left out: "),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster slow is left out: it did not answer within 2s"));
    }

    @Test
    void allClustersAreAskedAtTheSameTime() {
        CountDownLatch bothAsked = new CountDownLatch(2);
        String answer = quote(row("00:00", "01:00", "3.000000", false));
        clusters.add("east").answering(200, answer).waitingFor(bothAsked);
        clusters.add("west").answering(200, answer).waitingFor(bothAsked);

        CommandLineRun run = run("east,west", FOUR_PODS);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("east ", "west ");
    }

    @Test
    void aSlowClusterIsLeftOutAndWithoutAnyWindowTheCommandFails() {
        clusters.add("slow").answering(200, quote()).waitingFor(new CountDownLatch(2));

        CommandLineRun run = run(
                "slow",
                Stream.concat(Stream.of(FOUR_PODS), Stream.of("--timeout", "1s"))
                        .toArray(String[]::new));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("slotwise: cluster slow is left out: it did not answer within 1s\n");
        assertThat(run.out()).isEqualTo("default/quote: no window at any budget: no cluster offers one\n");
    }

    @Test
    void aGangOfAFileIsDescribedToEachCluster() {
        String answer = quote(row("00:00", "01:00", "3.000000", false));
        PlayedCluster east = clusters.add("east").answering(200, answer);
        PlayedCluster west = clusters.add("west").answering(200, answer);

        CommandLineRun run = run("east,west", "-f", "docs/examples/deadline.yaml", "team/training", "--queue", "spare");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(east.asked())
                .isEqualTo(west.asked())
                .containsExactly("{\"budget\":\"30\",\"cpu\":\"8\",\"criterion\":\"cost\","
                        + "\"deadline\":\"2030-01-01T08:00:00Z\",\"lockstep\":\"true\",\"memory\":\"1073741824\","
                        + "\"name\":\"training\",\"namespace\":\"team\",\"queue\":\"spare\",\"runtime\":\"4h\","
                        + "\"size\":\"4\"}");
    }

    @Test
    void aGangThatNoDescriptionCoversIsRefused() throws IOException {
        String gang = Files.readString(Path.of("docs/examples/deadline.yaml"));
        Path file = Files.writeString(
                folder.resolve("gang.yaml"),
                gang.replace("restartPolicy: Never", "restartPolicy: Never\n      tolerations: [{key: spot}]"));
        PlayedCluster east = clusters.add("east").answering(200, quote());

        CommandLineRun run = run("east", "-f", file.toString(), "team/training");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo("slotwise: The gang (team/training) has tolerations, affinity, volumes or devices, which no "
                        + "description has: expected pods that are alike, with resources, a node selector and the "
                        + "annotations that 'slotwise quote --help' lists\n");
        assertThat(east.asked()).isEmpty();
    }

    @Test
    void aWrongCommandLineIsToldBeforeAnyClusterIsAsked() {
        PlayedCluster east = clusters.add("east").answering(200, quote());
        clusters.add("west").answering(200, quote());

        assertThat(run("east,north", FOUR_PODS).err())
                .isEqualTo("slotwise: The context (north) is not in the kubeconfig: expected one of east, west\n");
        assertThat(run("east,west,east", FOUR_PODS).err())
                .startsWith("slotwise: --clusters (east) names a context twice; expected each once\n");
        assertThat(run("east", "--size", "4", "--timeout", "soon").err())
                .startsWith("slotwise: --timeout (soon): expected a duration");
        assertThat(run("east", "--size", "4", "--server", "http://127.0.0.1:1").err())
                .startsWith("slotwise: --server is about a single cluster; expected it without --clusters\n");
        assertThat(run("east", "--size", "4", "--now", "2030-01-01T00:00:00Z").status())
                .isEqualTo(2);
        assertThat(run("east", "user/train").err()).startsWith("slotwise: No gang to quote in several clusters is");
        assertThat(east.asked()).isEmpty();
    }
}
