package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.lab.workload.Job;
import io.slotwise.testing.OracleStarts;
import io.slotwise.testing.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
    private static final String LOG = """
            ; MaxProcs: 4
            1 0 -1 100 3 -1 -1 3 100 -1 1 1 -1 -1 1 -1 -1 -1
            2 10 -1 20 4 -1 -1 4 20 -1 1 2 -1 -1 2 -1 -1 -1
            3 20 -1 5 1 -1 -1 1 5 -1 1 1 -1 -1 2 -1 -1 -1
            """;
    private static final String MODEL = "lublin:machine=16,jobs=40,seed=3";

    @TempDir
    private Path folder;

    @Test
    void policiesStandSideBySide() throws IOException {
        CommandLineRun run = simulate("--policy", "fcfs", "easy");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out().lines().toList())
                .anyMatch(line -> line.matches("metric +fcfs +easy +unit"))
                .anyMatch(line -> line.matches("wait +63\\.333 +30 +s"))
                .anyMatch(line -> line.matches("makespan +125 +120 +s"));
    }

    @Test
    void startsAreWrittenInTheOrderOfTheInput() throws IOException {
        Path starts = folder.resolve("starts.csv");

        simulate("--policy", "easy", "--starts", starts.toString());

        assertThat(starts).hasContent("job_id,submit,start,end\n1,0,0,100\n2,10,100,120\n3,20,20,25\n");
    }

    @Test
    void startsOfALogAreTheOraclesOwn() throws IOException {
        Optional<Path> oracle = SharedData.file("oracle/sdsc-sp2-first4606.oracle.csv.gz");
        Optional<Path> log = SharedData.file("swf/SDSC-SP2-first4961jobs.swf.gz");
        assumeTrue(oracle.isPresent() && log.isPresent(), "the log SDSC-SP2 and its exact starts are not here");
        OracleStarts.Case expected = OracleStarts.log(oracle.orElseThrow());
        Path starts = folder.resolve("starts.csv");

        CommandLineRun run = CommandLineRun.of(
                "study",
                "simulate",
                "--workload",
                log.orElseThrow().toString(),
                "--policy",
                "conservative",
                "--starts",
                starts.toString());

        assertThat(run.status()).isZero();
        List<String> rows = new ArrayList<>();
        rows.add("job_id,submit,start,end");
        for (int i = 0; i < expected.jobs().size(); i++) {
            Job job = expected.jobs().get(i);
            long start = expected.starts("conservative").get(i);
            rows.add("%s,%d,%d,%d".formatted(job.id(), job.submit(), start, start + job.runtime()));
        }
        assertThat(Files.readAllLines(starts)).isEqualTo(rows);
    }

    @Test
    void startsOfSeveralPoliciesAreRefused() throws IOException {
        CommandLineRun run = simulate("--policy", "fcfs", "easy", "--starts", "starts.csv");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains(
                        "--starts (starts.csv) needs one simulation, and there are 2; expected one policy and one run");
    }

    @Test
    void anUnknownPolicyIsOneErrorWithTheListAndASuggestion() throws IOException {
        CommandLineRun run = simulate("--policy", "eazy");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("'eazy' is neither a policy nor a file; expected one of fcfs, easy, easy-sjbf, "
                        + "easy-value, conservative, autoscaler, slotwise,")
                .contains("Maybe you mean easy.");
    }

    @ParameterizedTest
    @CsvSource({"default, preset:default", "defualt, preset:default", "cheap-night, preset:cheap-nights", "easi, easy"})
    void aPresetOfPolicyFilesIsSuggestedAsItHasToBeWritten(String typed, String meant) throws IOException {
        assertThat(simulate("--policy", typed).err()).contains("Maybe you mean %s.".formatted(meant));
    }

    @Test
    void nodesAreBoughtByThePlannerAndByAThreshold() {
        CommandLineRun run = CommandLineRun.of(
                "study",
                "simulate",
                "--workload",
                MODEL,
                "--nodes",
                "docs/examples/cloud-buying.yaml",
                "--policy",
                "docs/examples/cloud-policy.yaml",
                "autoscaler",
                "-o",
                "csv");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("docs/examples/cloud-policy.yaml,nodes-bought,nodes,", "autoscaler,nodes-bought,nodes,")
                .contains("docs/examples/cloud-policy.yaml,bills,currency,", "autoscaler,bills,currency,");
    }

    @Test
    void theThresholdDoesNotSimulateFailures() {
        CommandLineRun run = CommandLineRun.of(
                "study", "simulate", "--workload", MODEL, "--policy", "autoscaler", "--failures", "10h/1h/100h");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("The policy (autoscaler) does not simulate failures and other disturbances; expected no "
                        + "--failures");
    }

    @Test
    void shardsMergeIntoExactlyTheResultOfOneRun() throws IOException {
        String[] same = {"--workload", MODEL, "--policy", "easy", "slotwise", "--draw-users", "--runs", "5"};
        List<String> merge = new ArrayList<>(List.of("study", "merge", "-o", "json"));
        for (int shard = 2; shard >= 0; shard--) {
            CommandLineRun part =
                    CommandLineRun.of(with(same, "--shard", shard + "/3", "--price-spread", "20", "-o", "json"));
            Path file = folder.resolve(shard + ".json");
            Files.writeString(file, part.out());
            merge.add(file.toString());
        }

        CommandLineRun whole = CommandLineRun.of(with(same, "--price-spread", "20", "-o", "json"));
        CommandLineRun merged = CommandLineRun.of(merge.toArray(String[]::new));

        assertThat(whole.out()).contains("\"p90\"").contains("user-utility");
        assertThat(merged.out()).isEqualTo(whole.out());
        assertThat(CommandLineRun.of(with(same, "--price-spread", "20", "-o", "json"))
                        .out())
                .isEqualTo(whole.out());
    }

    @Test
    void aShardThatIsMissingIsNamed() throws IOException {
        Path file = folder.resolve("1.json");
        Files.writeString(
                file,
                CommandLineRun.of(
                                "study",
                                "simulate",
                                "--workload",
                                MODEL,
                                "--policy",
                                "fcfs",
                                "--runs",
                                "2",
                                "--shard",
                                "0/2",
                                "-o",
                                "json")
                        .out());

        CommandLineRun run = CommandLineRun.of("study", "merge", file.toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("shard 1/2 is missing");
    }

    @Test
    void anInvalidShardIsRefused() throws IOException {
        Path file = folder.resolve("x.json");
        Files.writeString(file, "{\"complete\": true}");

        CommandLineRun run = CommandLineRun.of("study", "merge", file.toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("x.json: is not a shard; expected the output of --shard I/N -o json");
    }

    @Test
    void theJsonHasEveryFigureByPolicy() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(simulate("--policy", "fcfs", "-o", "json").out());

        JsonNode wait = json.path("figures").path("fcfs").get(0);
        assertThat(json.path("complete").asBoolean()).isTrue();
        assertThat(wait.path("metric").asText()).isEqualTo("wait");
        assertThat(wait.path("percentiles").path("p99").asLong()).isEqualTo(100);
        assertThat(json.path("comparison")
                        .path("results")
                        .get(0)
                        .path("outcomes")
                        .get(0)
                        .path("makespan")
                        .asLong())
                .isEqualTo(125);
    }

    @Test
    void theCsvHasARowForEveryFigure() throws IOException {
        assertThat(simulate("--policy", "fcfs", "-o", "csv").out())
                .startsWith("policy,metric,unit,mean,ci95,p50,p90,p99,max\r\nfcfs,wait,s,63.3333")
                .contains("\r\nfcfs,makespan,s,125.0,,,,,\r\n");
    }

    @Test
    void theValueOfDelaysIsAFigureIfUsersStateIt() throws IOException {
        String[] asked = {"--policy", "easy-value", "slotwise", "-o", "csv"};

        assertThat(simulate(asked).out()).doesNotContain("delay-value");
        assertThat(simulate(plus(asked, "--draw-values")).out())
                .contains("easy-value,delay-value,currency,", "slotwise,cost-with-delay,currency,");
    }

    @Test
    void noPolicyIsBelowTheRequestedBound() throws IOException {
        String[] asked = {"--policy", "easy-value", "slotwise", "--draw-values", "--price-spread", "30", "-o", "csv"};

        assertThat(simulate(asked).out()).doesNotContain("cost-with-delay-bound");
        String bounded = simulate(plus(asked, "--bound")).out();
        for (String policy : List.of("easy-value", "slotwise")) {
            assertThat(figure(bounded, policy, "cost-with-delay-bound"))
                    .isPositive()
                    .isLessThanOrEqualTo(figure(bounded, policy, "cost-with-delay"));
        }
    }

    @Test
    void aStatedValueOfTimeAppliesToEveryJob() throws IOException {
        String told = simulate("--policy", "easy", "--value-of-time", "3600", "-o", "csv")
                .out();

        double seconds = figure(told, "easy", "response") * figure(told, "easy", "ended");
        assertThat(figure(told, "easy", "delay-value")).isCloseTo(seconds, within(1e-3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--bound --draw-migratable 5|--bound and --draw-migratable are both given; expected one of them: the "
                        + "bound is of whole processors that stay, and of jobs that run without a stop",
                "--value-of-time 2 --draw-values|--value-of-time and --draw-values are both given; expected one "
                        + "of them",
                "--value-of-time soon|is no value of time: expected"
            })
    void optionsThatContradictTheBoundOrAValueAreRefused(String options, String expected) throws IOException {
        CommandLineRun run = simulate(plus(new String[] {"--policy", "slotwise"}, options.split(" ")));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(expected);
    }

    @Test
    void disciplinesTakeTheCheapestProcessorsOnRequest() throws IOException {
        String[] asked = {"--policy", "easy", "--price-spread", "50", "-o", "csv"};

        assertThat(cost(simulate(plus(asked, "--cheapest-first")).out(), "easy"))
                .isLessThan(cost(simulate(asked).out(), "easy"));
    }

    @Test
    void aPriceCalendarHoldsForDisciplinesAndPlanners() throws IOException {
        String[] asked = {"--policy", "easy", "slotwise", "-o", "csv"};

        String plain = simulate(asked).out();
        String night = simulate(plus(asked, "--price-calendar", "0.5@1970-01-01T00:01:00Z/PT1H"))
                .out();

        // After the first minute: 40 seconds of the first job on three processors, 20 of the second on four.
        assertThat(cost(plain, "easy") - cost(night, "easy")).isCloseTo((120 + 80) / 7200.0, within(1e-6));
        assertThat(cost(plain, "slotwise") - cost(night, "slotwise")).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--price-calendar|half@night|is no price calendar: expected PRICE@INTERVAL",
                "--price-calendar|0.5@*/5 * * * */PT1M|--price-calendar: expected at most 100000 intervals",
                "--draw-deadlines|101|--draw-deadlines (101) is out of range; expected 0 to 100"
            })
    void anInvalidTariffOrShareIsRefused(String option, String value, String expected) throws IOException {
        CommandLineRun run = simulate("--policy", "easy", option, value);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(expected);
    }

    @Test
    void missedDeadlinesAreAFigureWhereJobsHaveThem() throws IOException {
        String[] asked = {"--policy", "easy", "-o", "csv"};

        assertThat(simulate(asked).out()).doesNotContain("deadlines-missed");
        assertThat(simulate(plus(asked, "--draw-deadlines", "100")).out()).contains("easy,deadlines-missed,jobs,0.0,");
    }

    private static String[] plus(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static double cost(String csv, String policy) {
        return figure(csv, policy, "cost");
    }

    private static double figure(String csv, String policy, String metric) {
        return csv.lines()
                .filter(line -> line.startsWith(policy + "," + metric + ","))
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[3]))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePageNeedsNoNetworkAndDrawsEveryRun() throws IOException {
        String page = simulate("--policy", "fcfs", "slotwise", "-o", "html").out();

        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .doesNotContain("http", "src=", "@import", "url(")
                .contains("prefers-color-scheme: dark", "width=device-width", "<h2>fcfs</h2>", "<h2>slotwise</h2>")
                .contains("\"policies\":[\"fcfs\",\"slotwise\"]", "uPlot.join", "<li><svg", "user-1</li>")
                .contains("<td>wait, s</td><td>fcfs</td>")
                .contains("job 3 of user-1, 1 tasks, from 120 to 125, waited 1m40s, cost 0.001389");
    }

    @Test
    void onALargeMachineThePageDrawsThePartThatWasUsed() throws IOException {
        assertThat(simulate("--policy", "fcfs", "--machine", "1000", "-o", "html")
                        .out())
                .contains("The height is the 0.");
        assertThat(simulate("--policy", "fcfs", "-o", "html").out()).doesNotContain("The height is the");
    }

    @Test
    void nodesOfAFileAreSharedByPodsAndDisturbed() throws IOException {
        Path nodes = folder.resolve("nodes.csv");
        Files.writeString(nodes, "name,cpu_milli,memory_mib,price,owner\na,2000,4096,2,ann\nb,2000,4096,1,bob\n");
        Path disturbances = folder.resolve("disturbances.csv");
        Files.writeString(
                disturbances,
                "second,event,node,price,cpu_milli,memory_mib,seconds\n50,removed,b,,,,\n200,returned,b,,,,\n");

        CommandLineRun run = simulate(
                "--policy",
                "slotwise",
                "--nodes",
                nodes.toString(),
                "--disturbances",
                disturbances.toString(),
                "-o",
                "csv");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("slotwise,interruptions,,1.0").contains("slotwise,ended,jobs,3.0");
    }

    @Test
    void disciplinesSupportOnlyWholeProcessors() throws IOException {
        Path nodes = folder.resolve("nodes.csv");
        Files.writeString(nodes, "name,cpu_milli,memory_mib,price\na,4000,4096,2\n");

        CommandLineRun run = simulate("--policy", "easy", "--nodes", nodes.toString());

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("The policy (easy) does not simulate failures and other disturbances; expected no --nodes");
        assertThat(simulate("--policy", "easy", "--failures", "720h/1h/4320h").err())
                .contains("expected no --failures");
    }

    @Test
    void prioritiesAreThoseOfTheLogsQueuesAndOfTheSharesThatAreDrawn() throws IOException {
        CommandLineRun queues = simulate("--policy", "slotwise", "--priorities", "1=7,2=-3", "-o", "csv");
        CommandLineRun drawn =
                simulate("--policy", "slotwise", "--draw-priorities", "50=9", "--seed", "4", "-o", "csv");
        CommandLineRun all = simulate("--policy", "slotwise", "--draw-priorities", "100=9", "-o", "csv");

        assertThat(queues.out()).contains("slotwise,wait-priority-7,s,", "slotwise,wait-priority--3,s,");
        assertThat(drawn.out()).contains("slotwise,wait-priority-9,s,", "slotwise,wait-priority-0,s,");
        assertThat(all.out()).contains("slotwise,wait,s,").doesNotContain("wait-priority");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --priorities | 1=high | has priorities that are not valid ('1=high'); expected NAME=PRIORITY,... such as 1=100,2=50, each name once
            --priorities | 1=2,1=3 | has priorities that are not valid ('1=3'); expected NAME=PRIORITY,...
            --draw-priorities | 60=1,50=2 | --draw-priorities (60=1) is not a share of the jobs; expected whole percentages that sum to at most 100
            --draw-priorities | half=1 | --draw-priorities (half=1) is not a share of the jobs
            --draw-migratable | 101 | --draw-migratable (101) is out of range; expected 0 to 100
            """)
    void prioritiesThatAreNoneAreRefused(String option, String value, String expected) throws IOException {
        CommandLineRun run = simulate("--policy", "slotwise", option, value);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(expected);
    }

    @Test
    void theIndexedJobRunsAllShardsOfOneSimulation() throws IOException {
        String manifest = Files.readString(Path.of("deploy", "simulate-indexed-job.yaml"));
        String command = manifest.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("slotwise study simulate "))
                .findFirst()
                .orElseThrow();
        String words = command.substring("slotwise ".length(), command.indexOf(" >"));
        List<String> merge = new ArrayList<>(List.of("study", "merge"));
        for (int index = 0; index < 4; index++) {
            String shard = String.valueOf(index);
            CommandLineRun run = CommandLineRun.of(
                    words.replace("$JOB_COMPLETION_INDEX", shard).split(" ", -1));
            Path file = folder.resolve(shard + ".json");
            Files.writeString(file, run.out());
            merge.add(file.toString());
        }

        assertThat(manifest).contains("completions: 4\n");
        assertThat(CommandLineRun.of(merge.toArray(String[]::new)).out()).contains("40 replications from seed 1");
    }

    @Test
    void jobsThatFitNoMachineAreReported() throws IOException {
        Path policy = folder.resolve("short.yaml");
        Files.writeString(policy, "planner.horizon: 50s\n");

        CommandLineRun run = simulate("--policy", policy.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err())
                .contains("Warning: 1 jobs were refused under " + policy
                        + ": larger than the machine, or longer than the horizon");
    }

    private CommandLineRun simulate(String... more) throws IOException {
        Path log = folder.resolve("log.swf");
        Files.writeString(log, LOG);
        return CommandLineRun.of(with(new String[] {"--workload", log.toString()}, more));
    }

    private static String[] with(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of("study", "simulate"));
        all.addAll(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
