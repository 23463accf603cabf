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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of a cluster for each gang of a file, from quotes of played clusters. */
class ClusterChoiceTest {
    @TempDir
    Path folder;

    private final PlayedClusters clusters = new PlayedClusters();
    private final PlayedCluster east = clusters.add("east");
    private final PlayedCluster west = clusters.add("west");

    @AfterEach
    void stop() {
        clusters.close();
    }

    private static String pod(String gang, String annotations, String rest) {
        return """
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: team
                  name: %1$s-0
                  labels: {slotwise.io/gang: %1$s}
                  annotations: {slotwise.io/gang-size: "1", slotwise.io/runtime: 1h, slotwise.io/budget: "3"%2$s}
                spec:
                  schedulerName: slotwise
                  containers: [{name: main, image: busybox, resources: {requests: {cpu: "2"}}}]%3$s
                """.formatted(gang, annotations, rest);
    }

    private static String quote(String gang, String rows) {
        return """
                {"now": "2030-01-01T00:00:00Z", "gang": "team/%s", "currency": "EUR", "budget": "3.000000",
                 "criterion": "start", "menu": [%s]}""".formatted(gang, rows);
    }

    private static String row(String start, String end, String cost, boolean withinBudget) {
        return """
                {"start": "2030-01-01T%s:00Z", "end": "2030-01-01T%s:00Z", "cost": "%s", "runtimeSeconds": 3600,
                 "processorSeconds": 3600, "energyWattSeconds": null, "withinBudget": %s}""".formatted(start, end, cost, withinBudget);
    }

    private CommandLineRun run(String names, String gangs, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("gangs.yaml"), gangs);
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "plan",
                                "--clusters",
                                names,
                                "--kubeconfig",
                                clusters.kubeconfig(folder).toString(),
                                "-f",
                                file.toString()),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    /** Adds two clusters of which east is earlier and west cheaper. */
    private void addEastAndWest() {
        for (String gang : List.of("soon", "cheap")) {
            east.answeringAbout(
                    gang,
                    200,
                    quote(
                            gang,
                            row("00:00", "01:00", "3.500000", false) + "," + row("00:30", "01:30", "2.000000", true)));
            west.answeringAbout(gang, 200, quote(gang, row("02:00", "03:00", "1.250000", true)));
        }
    }

    @Test
    void eachGangGetsTheClusterThatIsBestByItsOwnCriterion() throws IOException {
        addEastAndWest();

        CommandLineRun run = run("east,west", pod("soon", "", "") + pod("cheap", ", slotwise.io/criterion: cost", ""));

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("""
                GANG        CLUSTER  START                 END                       COST  BY     SECOND  DIFFERENCE
                team/cheap  west     2030-01-01T02:00:00Z  2030-01-01T03:00:00Z  1.25 EUR  cost   east     +0.75 EUR
                team/soon   east     2030-01-01T00:30:00Z  2030-01-01T01:30:00Z     2 EUR  start  west        +1h30m
                """);
    }

    @Test
    void aGangWithoutAClusterIsListedWithTheReason() throws IOException {
        addEastAndWest();
        east.answering(400, "{\"message\": \"no\"}");
        west.answering(200, quote("dear", row("00:00", "01:00", "9.000000", false)));
        clusters.add("gone").withoutService();
        String gangs = pod("soon", "", "") + pod("dear", "", "") + pod("picky", "", "\n  tolerations: [{key: spot}]");

        CommandLineRun csv = run("east,west,gone", gangs, "-o", "csv");
        CommandLineRun json = run("east,west,gone", gangs, "-o", "json");

        assertThat(csv.status()).isZero();
        assertThat(csv.out().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("gang,criterion,cluster,start,end,cost,second,difference,reason"),
                        line -> assertThat(line).isEqualTo("team/dear,start,,,,,,,every cluster is left out"),
                        line -> assertThat(line)
                                .startsWith("team/picky,,,,,,,,\"The gang (team/picky) has tolerations, affinity"),
                        line -> assertThat(line)
                                .isEqualTo("team/soon,start,east,2030-01-01T00:30:00Z,2030-01-01T01:30:00Z,2.000000,"
                                        + "west,5400,"));
        assertThat(csv.err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster east is left out for team/dear: it rejects the "
                                        + "question: no"),
                        line -> assertThat(line).startsWith("slotwise: cluster gone is left out: no service"),
                        line -> assertThat(line)
                                .isEqualTo("slotwise: cluster west is left out for team/dear: it has no window within "
                                        + "the budget"));
        JsonNode soon = new ObjectMapper().readTree(json.out()).at("/gangs/2");
        assertThat(soon.path("cluster").asText()).isEqualTo("east");
        assertThat(soon.path("ranked").findValuesAsText("cluster")).isEqualTo(List.of("east", "west"));
        assertThat(soon.at("/leftOut/0/cluster").asText()).isEqualTo("gone");
        assertThat(json.err()).isEmpty();
    }

    @Test
    void aClusterThatDeniesOneGangIsStillAskedAboutTheOthers() throws IOException {
        addEastAndWest();
        west.answeringAbout("cheap", 403, "{\"message\": \"erin may not create pods\"}");

        CommandLineRun run = run("east,west", pod("cheap", "", "") + pod("soon", "", ""), "-o", "csv");

        assertThat(run.out().lines())
                .satisfiesExactly(
                        _ -> {},
                        line -> assertThat(line)
                                .startsWith("team/cheap,start,east,")
                                .endsWith(",,,"),
                        line -> assertThat(line)
                                .startsWith("team/soon,start,east,")
                                .endsWith(",west,5400,"));
        assertThat(run.err())
                .isEqualTo("slotwise: cluster west is left out for team/cheap: Slotwise denied the request: "
                        + "erin may not create pods\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500|{\"message\": \"broken\"}|Slotwise answers with status 500: broken",
                "503|{\"message\": \"busy\"}|Slotwise answers with status 503: busy",
                "200|{}|the server that answered is not Slotwise: '' is not an instant"
            })
    void theAnswersBeforeAFailureAreKept(int status, String answer, String cause) throws IOException {
        addEastAndWest();
        west.answeringAbout("soon", status, answer);

        CommandLineRun run =
                run("east,west", pod("cheap", "", "") + pod("soon", "", "") + pod("then", "", ""), "--timeout", "2s");

        assertThat(run.err().lines()).contains("slotwise: cluster west is left out for team/soon, team/then: " + cause);
        assertThat(run.out().lines()).anyMatch(line -> line.matches("team/cheap +east .* west .*"));
    }

    @Test
    void theAnswersBeforeTheDeadlineAreKept() throws IOException {
        addEastAndWest();
        west.silentAbout("soon");

        CommandLineRun run = run("east,west", pod("cheap", "", "") + pod("soon", "", ""), "--timeout", "1s");

        assertThat(run.err())
                .isEqualTo("slotwise: cluster west is left out for team/soon: it did not answer within 1s\n");
        assertThat(run.out().lines())
                .anyMatch(line -> line.matches("team/cheap +east .* west .*"))
                .anyMatch(line -> line.matches("team/soon +east .*"));
    }

    @Test
    void aBusyClusterIsAskedAgainUntilTheDeadline() throws IOException {
        addEastAndWest();
        west.busyFor(10);

        CommandLineRun run = run("east,west", pod("soon", "", ""));

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains(" west ");
    }

    @Test
    void aDistanceBeyondAllNumbersIsNotKnown() throws IOException {
        String distance = ", \"distance\": \"%s\"}";
        String row = row("00:00", "01:00", "1.000000", true);
        east.answering(200, quote("near", row.replace("}", distance.formatted("0.500"))));
        west.answering(200, quote("near", row.replace("}", distance.formatted("99999999999999999999.000"))));

        CommandLineRun run = run("east,west", pod("near", ", slotwise.io/preferred-cost: \"1\"", ""));

        assertThat(run.err())
                .isEqualTo("slotwise: cluster west is left out: it has no window of known distance within the "
                        + "budget\n");
        assertThat(run.out()).contains("team/near  east ");
    }

    @Test
    void aContextMayHaveAnyName() throws IOException {
        addEastAndWest();
        clusters.add("50%").withoutService();

        assertThat(run("east,50%", pod("soon", "", "")).err()).startsWith("slotwise: cluster 50% is left out: no ");
    }

    @Test
    void withoutGangsThereIsNoChoice() throws IOException {
        CommandLineRun run = run("east,west", "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n");

        assertThat(run.out()).isEqualTo("No gang waits.\n");
        assertThat(run.err()).isEmpty();
        assertThat(east.asked()).isEmpty();
    }

    @Test
    void optionsOfOnePlanAreRefused() throws IOException {
        assertThat(run("east", pod("soon", "", ""), "--explain", "soon").err())
                .startsWith("slotwise: --explain is about a single cluster; expected it without --clusters");
        assertThat(run("east", pod("soon", "", ""), "--cluster").status()).isEqualTo(2);
    }
}
