package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.report.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SlotwiseTest {
    private static final String DEMO = "src/main/resources/io/slotwise/demo/";
    private static final String NODE = """
            {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1",
              "labels": {"slotwise.io/price": "1"}}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"},
              "conditions": [{"type": "Ready", "status": "True"}]}}]}
            """;

    @TempDir
    Path folder;

    @Test
    void moneyIsShownInTheCurrencyOfThePolicy() throws IOException {
        String policy = Files.writeString(folder.resolve("policy.yaml"), "money.currency: EUR\n")
                .toString();
        String[] example = {
            "plan",
            "-f",
            "src/main/resources/io/slotwise/demo/cluster.yaml",
            "-f",
            "src/main/resources/io/slotwise/demo/workload.yaml",
            "--now",
            "2030-01-01T00:00:00Z"
        };

        String table = CommandLineRun.of(with(example, "--policy", policy, "--explain", "media/render"))
                .out();
        String json = CommandLineRun.of(with(example, "--policy", policy, "-o", "json"))
                .out();
        String plain = CommandLineRun.of(with(example, "-o", "json")).out();
        CommandLineRun quote = CommandLineRun.of(
                "quote",
                "-f",
                "docs/examples/deadline.yaml",
                "--now",
                "2030-01-01T00:00:00Z",
                "--policy",
                policy,
                "training");

        assertThat(table)
                .contains("COST EUR", "BUDGET EUR", "7 planned for 5.801718 EUR, 3 waiting", "physics 1.008611 EUR")
                .contains("the cheapest costs 1.95046 EUR at 2030-01-01T03:29:25Z, the budget is 1.5 EUR")
                .contains("Set slotwise.io/budget to 1.95046 to start at", "and cost 1.95046 EUR.");
        assertThat(json).contains("\"currency\": \"EUR\"", "\"cost\": \"5.801718\"");
        assertThat(plain).doesNotContain("currency");
        assertThat(quote.out()).startsWith("START                  IN  COST EUR  PROMISED BY           END");
    }

    @Test
    void aNumberThatIsNoneIsSaidSoInPlainWords() {
        assertThat(CommandLineRun.of("demo", "--speed", "fast").err())
                .startsWith("slotwise: Invalid value for option '--speed': 'fast' is not a whole number in the "
                        + "supported range\n");
        assertThat(CommandLineRun.of("demo", "--seed", "1.5").err()).contains("'1.5' is not a whole number");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            demo --plan
            study experiment
            quote -f docs/examples/deadline.yaml --now 2030-01-01T00:00:00Z training
            plan -f CLUSTER WORKLOAD --now 2030-01-01T00:00:00Z --explain media/render
            study frontier -f CLUSTER WORKLOAD --now 2030-01-01T00:00:00Z --plan 1
            study simulate --workload MODEL --policy fcfs easy easy-sjbf conservative amp slotwise --price-spread 30 --runs 2
            study price --workload MODEL --pool p00,p01,p02,p03 --price-spread 20 --draw-users --percents 70,100,130
            reserve friday -n lab --size 2 --cpu 8 --start 2030-01-04T09:00:00Z --runtime 2h --dry-run
            policy show
            policy show docs/examples/fair.yaml
            policy diff default paper
            policy explain promises.slack
            policy explain queue
            """)
    void noTableOrPictureIsWiderThanTheScreen(String command) {
        String[] words = command.replace("CLUSTER", DEMO + "cluster.yaml")
                .replace("WORKLOAD", DEMO + "workload.yaml")
                .replace("MODEL", "lublin:machine=16,jobs=25,seed=3")
                .split(" ");
        for (int columns : new int[] {80, 200}) {
            CommandLineRun run = CommandLineRun.onScreenOf(columns, words);

            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.out().lines())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(columns));
        }
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void aFileThatIsNoTextIsSaidToBeNone() throws IOException {
        Path binary = Files.write(folder.resolve("image.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10});
        Path garbled =
                Files.write(folder.resolve("garbled.yaml"), new byte[] {'a', ':', ' ', (byte) 0xC3, (byte) 0x28});

        assertThat(CommandLineRun.of("plan", "-f", binary.toString()).err())
                .isEqualTo("slotwise: %s: no text: expected YAML or JSON in UTF-8%n".formatted(binary));
        assertThat(CommandLineRun.of("plan", "-f", "docs/examples/deadline.yaml", "--policy", binary.toString())
                        .err())
                .isEqualTo("slotwise: %s: no text: expected YAML in UTF-8%n".formatted(binary));
        assertThat(CommandLineRun.of("plan", "-f", garbled.toString()).err())
                .isEqualTo("slotwise: %s: no text: expected YAML or JSON in UTF-8%n".formatted(garbled));
    }

    @Test
    void helpListsTheCommandsWithExamples() {
        CommandLineRun run = CommandLineRun.of("--help");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("plan", "demo", "serve", "version", "Examples:", "kubectl get nodes,pods -A -o json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plan", "demo", "serve", "version", "study", "quote", "queue", "why", "board", "completion"})
    void everyCommandHasHelp(String command) {
        CommandLineRun run = CommandLineRun.of(command, "--help");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("Usage: slotwise " + command);
    }

    @Test
    void helpBreaksNoAddressAndNoExampleWhereAShellWouldNotReadOn() {
        CommandConsole narrow = new CommandConsole(
                InputStream.nullInputStream(),
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                new Terminal(80, false, true),
                InstantSource.system());
        CommandLine slotwise = Slotwise.commands(narrow, _ -> {});
        int folded = 0;
        List<CommandLine> commands = slotwise.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()))
                .toList();
        for (CommandLine command : commands) {
            String help = command.getUsageMessage();

            assertThat(help.lines()).allMatch(line -> line.length() <= 80);
            assertThat(Pattern.compile("http://\\S*").matcher(help).results().map(MatchResult::group))
                    .allMatch("http://127.0.0.1:8080"::equals);
            List<String> examples = help.contains("Examples:")
                    ? help.substring(help.indexOf("Examples:")).lines().skip(1).toList()
                    : List.of();
            for (int i = 0; i < examples.size() && !examples.get(i).isBlank(); i++) {
                boolean goesOn = i > 0 && examples.get(i - 1).endsWith(" \\");
                assertThat(examples.get(i)).startsWith(goesOn ? "      " : "  ");
                folded += goesOn ? 1 : 0;
            }
        }
        assertThat(folded).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void theVersionIsAWordAndANumber(String argument) {
        CommandLineRun run = CommandLineRun.of(argument);

        assertThat(run.status()).isZero();
        assertThat(run.out()).matches("slotwise \\d+\\.\\d+\\.\\d+\\R");
    }

    @Test
    void withoutACommandTheHelpIsShown() {
        assertThat(CommandLineRun.of().status()).isZero();
        assertThat(CommandLineRun.of().out())
                .isEqualTo(CommandLineRun.of("--help").out());
        assertThat(CommandLineRun.of("study").out())
                .isEqualTo(CommandLineRun.of("study", "--help").out());
    }

    @Test
    void helpListsTheCommandsInGroupsAndHidesThoseOfTheChart() {
        String help = CommandLineRun.of("--help").out();

        assertThat(help.lines().filter(line -> line.matches("[A-Z][A-Za-z ]+:")))
                .containsExactly("Ask a running Slotwise:", "Plan:", "Study:", "Serve:", "This program:", "Examples:");
        assertThat(help).doesNotContain("extender-keys", "ungate", "__complete");
        assertThat(CommandLineRun.of("ungate", "--help").status()).isZero();
        assertThat(CommandLineRun.of("study", "--help").out())
                .contains("simulate", "experiment", "frontier", "price", "convert", "merge");
    }

    @Test
    void aTypingErrorIsAnsweredWithTheNearestName() {
        assertThat(CommandLineRun.of("plam").err())
                .startsWith("slotwise: Unknown command: 'plam'\nMaybe you mean plan.\n");
        assertThat(CommandLineRun.of("paln").err()).contains("Maybe you mean plan.");
        assertThat(CommandLineRun.of("xyzzy").err())
                .contains("Unknown command: 'xyzzy'")
                .doesNotContain("Maybe");
        assertThat(CommandLineRun.of("simulate").err()).contains("Maybe you mean study simulate.");
        assertThat(CommandLineRun.of("study", "simulat").err()).contains("Maybe you mean simulate.");
        assertThat(CommandLineRun.of("queue", "--wacth").err()).contains("--watch");
        assertThat(CommandLineRun.of("plan", "--fiel", "x").err())
                .startsWith("slotwise: Unknown option: '--fiel'\nMaybe you mean --file.\n");
        assertThat(CommandLineRun.of("plan", "--fiel=x").err())
                .contains("'--fiel'")
                .contains("--file.");
        assertThat(CommandLineRun.of("plan", "-f", "x", "--explian", "g").err()).contains("--explain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"plan", "study merge", "study convert", "study simulate", "reserve", "why", "quote", "completion"
            })
    void aCommandWithoutItsArgumentsSaysWhatIsMissing(String command) {
        CommandLineRun run = CommandLineRun.of(command.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("slotwise: ")
                .contains("Try 'slotwise %s --help'.".formatted(command))
                .doesNotContain("defect");
    }

    @Test
    void anInputWithoutNodesIsTold() {
        CommandLineRun run = CommandLineRun.withInput("", "plan", "-f", "-");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("No gang waits.");
        assertThat(run.err())
                .startsWith(
                        "Warning: 0 nodes and 0 pods read: expected nodes to plan on, such as what `kubectl get nodes");
    }

    @Test
    void aQuoteWithoutAWindowSaysWhyAndFails() {
        String[] large = {"quote", "-f", "-", "--size", "2", "--cpu", "3", "--runtime", "1h"};

        CommandLineRun run = CommandLineRun.withInput(NODE, large);
        CommandLineRun json = CommandLineRun.withInput(
                NODE, Stream.concat(Stream.of(large), Stream.of("-o", "json")).toArray(String[]::new));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains(": no window at any budget: ").contains("2 pods");
        assertThat(json.out()).contains("\"menu\": [ ]", "\"reason\": \"too large for the cluster: 2 pods");
    }

    @Test
    void planWithoutAFileSaysWhatIsMissing() {
        CommandLineRun run = CommandLineRun.of("plan");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--file").contains("Try 'slotwise plan --help'.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomorrow", "2030-01-01", "2030-01-01T00:00:00", "2030-01-01T00:00:00.5Z"})
    void anUnreadableInstantIsAnErrorThatShowsAGoodOne(String now) {
        CommandLineRun run = CommandLineRun.of("plan", "-f", "-", "--now", now);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("'" + now + "'", "expected whole seconds in RFC 3339 such as 2030-01-01T00:00:00Z");
    }

    @Test
    void anUnknownFormatIsAnErrorThatListsTheKnownOnes() {
        CommandLineRun run = CommandLineRun.of("plan", "-f", "-", "-o", "yaml");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("'yaml' is not an output format; expected table, json or csv");
    }

    @Test
    void theClockIsTheNowOfAPlanThatNamesNone() {
        CommandLineRun run = CommandLineRun.withInput(NODE, "plan", "-f", "-", "-o", "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("\"now\": \"2030-01-01T00:00:00Z\"");
    }

    @Test
    void anInstantMayHaveAnOffset() {
        CommandLineRun run =
                CommandLineRun.withInput(NODE, "plan", "-f", "-", "-o", "json", "--now", "2031-05-05T02:00:00+02:00");

        assertThat(run.out()).contains("\"now\": \"2031-05-05T00:00:00Z\"");
    }

    @Test
    void standardInputCanBeReadOnlyOnce() {
        CommandLineRun run = CommandLineRun.of("plan", "-f", "-", "-");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("Standard input (-) is given twice");
    }

    @Test
    void explainingAGangThatIsNotThereIsAnError() {
        CommandLineRun run = CommandLineRun.withInput(NODE, "plan", "-f", "-", "--explain", "user/g");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--explain (user/g) names no gang that waits; expected one of none");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void anExplanationHasNoPlaceInCsv() {
        CommandLineRun run = CommandLineRun.withInput(NODE, "plan", "-f", "-", "--explain", "g", "-o", "csv");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("does not support CSV");
    }

    private static final String NIGHT = "src/test/resources/scenarios/the-night-price-is-waited-for-by-criterion-cost/";

    private static CommandLineRun quote(String... more) {
        return CommandLineRun.of(Stream.concat(
                        Stream.of(
                                "quote",
                                "-f",
                                NIGHT + "cluster.yaml",
                                NIGHT + "workload.yaml",
                                "--now",
                                "2030-01-01T00:00:00Z"),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void aQuoteListsStartsAndCostsOfAGangAndOfAFallingPriceOnlyTheEnds() {
        CommandLineRun run = quote("patient", "-o", "csv");

        assertThat(run.err()).doesNotContain("Warning");
        assertThat(run.out().lines())
                .containsExactly(
                        "start,end,cost,runtime_seconds,processor_seconds,energy_watt_seconds,within_budget,buys",
                        "2030-01-01T00:00:00Z,2030-01-01T01:00:00Z,0.500000,3600,3600,,true,",
                        "2030-01-01T01:00:01Z,2030-01-01T02:00:01Z,0.499917,3600,3600,,true,",
                        "2030-01-01T02:00:00Z,2030-01-01T03:00:00Z,0.200000,3600,3600,,true,");
    }

    @Test
    void aQuoteIsATableOrJsonToo() {
        assertThat(quote("user/patient").out())
                .contains("START")
                .contains("2030-01-01T02:00:00Z")
                .contains("+2h");
        assertThat(quote("user/patient", "-o", "json").out())
                .contains("\"gang\": \"user/patient\"")
                .contains("\"cost\": \"0.200000\"")
                .contains("\"energyWattSeconds\": null");
    }

    @Test
    void aQuoteNeedsAGangThatWaits() {
        assertThat(quote().err()).contains("workload.yaml) names none that waits");
        assertThat(quote("nobody").err())
                .contains("The gang (nobody) names none that waits; expected one of user/patient, user/urgent");
        assertThat(CommandLineRun.withInput(NODE, "quote", "-f", "-").err()).contains("No gang is named");
        assertThat(quote("nobody").status()).isEqualTo(2);
    }

    @Test
    void anExplanationListsTheAlternativesAndWhyNotTheBest() throws IOException {
        CommandLineRun run = explainPatient("batch.objective: max-income", "batch.alternatives: 8");

        assertThat(run.out())
                .contains("8 alternatives were found, best first by its criterion; number 7 was chosen"
                        + " (loss of utility 100 %): the policy's\nobjective (max-income) prefers it")
                .contains("  1. at 2030-01-01T02:00:00Z (+2h), runtime 1h, processor time 1h, for 0.2")
                .contains("  > 7. at ");
    }

    @Test
    void anExplanationTellsTheAlternativesOfThePapersSearches() throws IOException {
        for (String search : List.of("aep", "csa")) {
            CommandLineRun run = explainPatient(
                    "batch.objective: max-income", "batch.alternatives: 3", "study.window-search: " + search);

            assertThat(run.status()).isZero();
            assertThat(run.out())
                    .contains("3 alternatives were found, best first by its criterion")
                    .contains("user/patient has a window");
        }
    }

    private CommandLineRun explainPatient(String... policy) throws IOException {
        Path file = Files.writeString(folder.resolve("policy.yaml"), "preset: paper\n" + String.join("\n", policy));
        return CommandLineRun.of(
                "plan",
                "-f",
                NIGHT + "cluster.yaml",
                NIGHT + "workload.yaml",
                "--now",
                "2030-01-01T00:00:00Z",
                "--policy",
                file.toString(),
                "--explain",
                "patient");
    }

    @Test
    void demoOnKubernetesBelongsToTheLauncher() {
        CommandLineRun run = CommandLineRun.of("demo", "--kubernetes");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("./slotwise demo --kubernetes");
    }

    @Test
    void serveHandsItsOptionsToTheServer() throws IOException {
        Path policy = Files.writeString(folder.resolve("policy.yaml"), "planner.horizon: 24h\n");

        CommandLineRun run =
                CommandLineRun.of("serve", "--policy", policy.toString(), "--port", "0", "--host", "127.0.0.1");

        assertThat(run.status()).isZero();
        assertThat(run.served())
                .containsOnly(
                        entry("started", "yes"),
                        entry("slotwise.policy-file", policy.toString()),
                        entry("quarkus.http.port", "0"),
                        entry("quarkus.http.host", "127.0.0.1"));
    }

    @Test
    void planRefusesANumberOfTurnsThatIsNone() {
        CommandLineRun run = CommandLineRun.withInput(NODE, "plan", "-f", "-", "--search-turns", "-1");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--search-turns (-1) is not valid: expected a whole number, 0 or more");
    }

    @Test
    void serveRefusesAPortThatIsNone() {
        CommandLineRun run = CommandLineRun.of("serve", "--port", "70000");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("--port (70000) is not a port; expected 0 to 65535");
        assertThat(run.served()).isEmpty();
    }
}
