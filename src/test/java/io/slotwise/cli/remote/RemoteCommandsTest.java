package io.slotwise.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.slotwise.cli.Slotwise;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.cli.plan.QuoteCommand;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.GangListReport;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that call a running Slotwise, against a server with the answers of a test. */
class RemoteCommandsTest {
    private static final long NOW = 1_893_456_000L;
    private static final GangId POOR = new GangId("user", "poor");
    private static final String WORDS = "no window within budget: the cheapest costs 2, the budget is 1.5";
    private static final String LIST = new GangListReport(List.of(
                    new GangRow(
                            "user/poor",
                            "Pending",
                            "OverBudget",
                            "over-budget",
                            WORDS,
                            null,
                            null,
                            null,
                            null,
                            "1.500000",
                            2,
                            "2030-01-01T00:00:00Z",
                            GangRow.GANG,
                            null,
                            null,
                            null),
                    new GangRow(
                            "user/train",
                            "Promised",
                            "Promised",
                            null,
                            "words",
                            "2030-01-01T01:00:00Z",
                            "2030-01-01T01:12:00Z",
                            "2030-01-01T02:00:00Z",
                            "2.000000",
                            null,
                            4,
                            "2030-01-01T00:00:00Z",
                            GangRow.GANG,
                            null,
                            null,
                            null)))
            .json();
    private static final String QUOTE = """
        {"now": "2030-01-01T00:00:00Z", "gang": "default/quote", "budget": "2.000000", "criterion": "start", "menu": [
          {"start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z", "cost": "3.000000", "runtimeSeconds": 3600,
           "processorSeconds": 7200, "energyWattSeconds": 1.5, "withinBudget": false},
          {"start": "2030-01-01T02:00:00Z", "end": "2030-01-01T03:00:00Z", "cost": "1.000000", "runtimeSeconds": 3600,
           "processorSeconds": 7200, "energyWattSeconds": null, "withinBudget": true}]}
        """;

    private final HttpServer server;
    private final Deque<Reply> replies = new ArrayDeque<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> tokens = new CopyOnWriteArrayList<>();

    RemoteCommandsTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI()
                    + (body.length == 0 ? "" : " " + new String(body, StandardCharsets.UTF_8)));
            tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            Reply reply = replies.size() > 1 ? replies.remove() : replies.element();
            byte[] answer = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(int status, String body) {
        replies.add(new Reply(status, body));
    }

    private CommandLineRun run(String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of("--server", url()));
        return CommandLineRun.of(all.toArray(String[]::new));
    }

    @Test
    void gangsOfOneNamespaceAreAskedForByItsName() {
        answer(200, LIST);

        assertThat(run("queue", "-n", "user", "-o", "json").out()).isEqualTo(LIST);
        assertThat(run("queue", "-n", "user", "-o", "csv").out()).startsWith("gang,phase,reason,key,");
        run("queue", "-n", "user", "-A");

        assertThat(asked)
                .containsExactly(
                        "GET /api/v1/gangs?namespace=user", "GET /api/v1/gangs?namespace=user", "GET /api/v1/gangs");
    }

    @Test
    void whyTellsTheReasonInTheServersWordsAndTheAdvice() {
        answer(200, """
            {"gang": "user/poor", "phase": "Pending", "reason": "OverBudget", "key": "over-budget",
             "figures": {"cheapest": "2.000000"}, "message": "%s", "next": "it waits", "criterion": "start",
             "budget": "1.500000", "attempts": 0, "avoided": [], "queue": "physics", "position": 3,
             "advice": [{"change": "budget", "value": "2", "start": "2030-01-01T00:00:00Z", "end": "2030-01-01T01:00:00Z",
                         "cost": "2.000000", "message": "Set slotwise.io/budget to 2."}]}
            """.formatted(WORDS));

        CommandLineRun run = run("why", "user/poor");

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo("""
            user/poor is waiting: %s.
            Reason: OverBudget (over-budget).
            It is number 3 in queue physics.
            Set slotwise.io/budget to 2.
            """.formatted(WORDS));
        assertThat(asked).containsExactly("GET /api/v1/gangs/user/poor");
        assertThat(run("why", "user/poor", "-o", "json").out()).contains("\"key\" : \"over-budget\"");
        assertThat(run("why", "user/poor", "-o", "csv").out()).isEqualTo("""
            gang,phase,reason,key,message,change,value,start,promisedBy,end,cost,queue,position
            user/poor,Pending,OverBudget,over-budget,"%s",,,,,,,physics,3
            user/poor,,,,Set slotwise.io/budget to 2.,budget,2,2030-01-01T00:00:00Z,,2030-01-01T01:00:00Z,2.000000,,
            """.formatted(WORDS));
    }

    @Test
    void whyTellsAPromisedGangsWindowAndAlternatives() {
        answer(200, """
            {"gang": "user/train", "phase": "Promised", "reason": "Promised", "message": "m",
             "next": "its pods start together at 2030-01-01T01:00:00Z", "criterion": "cost", "attempts": 1,
             "moved": {"times": 2, "spent": "0.250000", "workSeconds": 1800, "overheadSeconds": 60, "runs": []},
             "window": {"start": "2030-01-01T01:00:00Z", "end": "2030-01-01T02:00:00Z", "cost": "2.000000",
                        "placement": [{"pod": "t-0", "node": "n1"}, {"pod": "t-1", "node": "n1"}, {"pod": "t-2", "node": "n2"}]},
             "choice": {"lossPercent": "12.5", "decider": "limit", "why": "the batch",
                        "alternatives": [{"start": "a", "end": "b", "cost": "1.000000", "runtimeSeconds": 1, "processorSeconds": 1, "chosen": false},
                                         {"start": "c", "end": "d", "cost": "2.000000", "runtimeSeconds": 1, "processorSeconds": 1, "chosen": true}]},
             "avoided": ["n9"], "advice": []}
            """);

        assertThat(run("why", "train", "-n", "user").out()).isEqualTo("""
            user/train is promised: its pods start together at 2030-01-01T01:00:00Z.
            Its window is from 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z and costs 2; it has no budget.
            Its criterion is cost.
              n1: 2 pods
              n2: 1 pod
            It was moved 2 times, had 30m of work left then and has paid 0.25 so far.
            Nodes that refused it recently: n9.
            2 alternatives were found, best first (loss of utility of the chosen one 12.5 %): the batch.
              1. from a to b for 1
              > 2. from c to d for 2
            """);
    }

    @Test
    void whyTellsHowADomainWasChosen() {
        answer(200, """
            {"gang": "user/train", "phase": "Promised", "reason": "Promised", "message": "m",
             "next": "its pods start together at 2030-01-01T01:00:00Z", "criterion": "start", "attempts": 0,
             "window": {"start": "2030-01-01T01:00:00Z", "end": "2030-01-01T02:00:00Z", "cost": "2.000000",
                        "placement": [{"pod": "t-0", "node": "n1"}]},
             "domains": {"mode": "emct", "weights": {"time": 0.4, "cost": 0.4, "fragmentation": 0.2},
                         "compared": [{"domain": "a", "start": "2030-01-01T01:00:00Z", "end": "2030-01-01T02:00:00Z", "cost": "2.000000",
                                       "timeSeconds": 3600, "transferSeconds": 0, "morePods": 3, "distance": 0.0125, "closeness": 0.25}],
                         "leftOut": [{"domain": "", "key": "no-bandwidth", "why": "nobody knows"}]},
             "avoided": []}
            """);

        assertThat(run("why", "train", "-n", "user").out()).isEqualTo("""
            user/train is promised: its pods start together at 2030-01-01T01:00:00Z.
            Its window is from 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z and costs 2; it has no budget.
              n1: 1 pod
            Its mode is emct; TOPSIS compared these resource domains with the weights time 0.400, cost 0.400 and fragmentation
            0.200, the lowest C is best:
              > 1. a: from 2030-01-01T01:00:00Z to 2030-01-01T02:00:00Z for 2, time 1h, room for 3 more, distance 0.013, C 0.250
              (no label) was left out: nobody knows
            """);
    }

    @Test
    void theQueueGoesByTheServersClock() {
        answer(200, LIST.replaceFirst("\\{", "{\"now\": \"2030-01-01T00:30:00Z\","));

        assertThat(run("queue").out()).contains("2030-01-01T01:00:00Z  01:12:00Z    +30m");
        assertThat(run("queue", "-o", "json").out()).doesNotContain("\"now\"");
    }

    @Test
    void theServersCurrencyIsShown() {
        answer(200, LIST.replaceFirst("\\{", "{\"currency\": \"EUR\","));
        String gangs = run("queue").out();
        String queue = run("queue").out();
        String json = run("queue", "-o", "json").out();

        assertThat(gangs).contains("COST EUR", "BUDGET EUR");
        assertThat(queue).contains("COST EUR");
        assertThat(json).contains("\"currency\": \"EUR\"");
    }

    @Test
    void theServersMoneyIsShownInQuotesAnswersAndPrices() {
        answer(200, QUOTE.replaceFirst("\\{", "{\"currency\": \"€\","));
        answer(
                200,
                "{\"gang\": \"user/train\", \"phase\": \"Promised\", \"reason\": \"Promised\", "
                        + "\"message\": \"m\", \"next\": \"its pods start\","
                        + " \"budget\": \"3.000000\", \"attempts\": 0, \"avoided\": [], \"kind\": \"gang\", "
                        + "\"currency\": \"EUR\","
                        + " \"window\": {\"start\": \"2030-01-01T01:00:00Z\", \"end\": \"2030-01-01T02:00:00Z\", "
                        + "\"cost\": \"2.500000\", \"placement\": []}}");
        answer(
                200,
                "{\"now\": 5, \"currency\": \"EUR\", \"bars\": [], \"prices\": [{\"pieces\": "
                        + "[{\"start\": 0, \"perHour\": \"1.500000\"}]}],"
                        + " \"nodes\": [{\"name\": \"n1\", \"schedulable\": true, \"owner\": \"ann\", "
                        + "\"capacity\": {}, \"price\": 0, \"unavailable\": []}]}");

        assertThat(run("quote", "--size", "2").out()).contains("COST €");
        assertThat(run("why", "user/train").out()).contains("and costs 2.5 EUR of a budget of 3 EUR.");
        assertThat(run("nodes").out()).contains("PRICE EUR").contains("1.5");
    }

    @Test
    void aGangThatIsNotKnownIsAnsweredWithTheNearestName() {
        answer(404, "{\"message\": \"no gang\"}");
        answer(200, LIST);

        CommandLineRun run = run("why", "user/trian");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("No gang user/trian is known", "Did you mean: user/train?");
    }

    @Test
    void whyNeedsANamespace() {
        assertThat(run("why", "train").err()).contains("The gang (train) has no namespace; expected NAMESPACE/GANG");
        assertThat(run("why", "train/").status()).isEqualTo(2);
    }

    @Test
    void aDescribedGangIsQuotedByTheServer() {
        answer(200, QUOTE);

        CommandLineRun run = run(
                "quote",
                "--size",
                "2",
                "--cpu",
                "500m",
                "--resource",
                "nvidia.com/gpu=1",
                "--runtime",
                "1h",
                "-n",
                "user");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("""
            START                  IN  COST  END                   RUNTIME  PROCESSOR TIME  ENERGY Wh  BUDGET
            2030-01-01T00:00:00Z  +0s     3  2030-01-01T01:00:00Z       1h              2h        0.0  over
            2030-01-01T02:00:00Z  +2h     1  2030-01-01T03:00:00Z       1h              2h          -  within
            """);
        assertThat(asked)
                .containsExactly("POST /api/v1/quote "
                        + "{\"cpu\":\"500m\",\"namespace\":\"user\","
                        + "\"nvidia.com/gpu\":\"1\",\"runtime\":\"1h\",\"size\":\"2\"}");
    }

    @Test
    void aQuoteReadsAsItWasWritten() throws IOException {
        answer(200, QUOTE);
        ObjectMapper json = new ObjectMapper();

        JsonNode printed = json.readTree(run("quote", "user/g", "-o", "json").out());

        assertThat(printed).isEqualTo(json.readTree(QUOTE));
        assertThat(asked).containsExactly("GET /api/v1/quote?gang=user%2Fg");
    }

    @Test
    void aWaitingGangIsQuotedInAnotherQueue() {
        answer(200, QUOTE);

        assertThat(run("quote", "user/g", "--queue", "spare").status()).isZero();

        assertThat(asked).containsExactly("GET /api/v1/quote?gang=user%2Fg&queue=spare");
    }

    @Test
    void aQuestionThatTheServerCannotReadIsAWrongCommandLine() {
        answer(400, "{\"message\": \"`size` (0) is not valid: expected a whole number from 1 to 10000\"}");

        CommandLineRun run = run("quote", "--size", "0");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).isEqualTo("slotwise: `size` (0) is not valid: expected a whole number from 1 to 10000\n");
    }

    @Test
    void aQuoteNeedsEitherAGangOrADescription() {
        assertThat(run("quote").err()).contains("No gang to quote is given");
        assertThat(run("quote", "user/g", "--size", "2").status()).isEqualTo(2);
        assertThat(run("quote", "--size", "2", "--resource", "gpu").err())
                .contains("--resource (gpu) is not an amount; expected NAME=AMOUNT");
    }

    @Test
    void aDescribedGangIsQuotedOnFilesToo() {
        String night = "src/test/resources/scenarios/the-night-price-is-waited-for-by-criterion-cost/";

        CommandLineRun run = CommandLineRun.of(
                "quote",
                "-f",
                night + "cluster.yaml",
                "--now",
                "2030-01-01T00:00:00Z",
                "--size",
                "1",
                "--cpu",
                "1",
                "--runtime",
                "1h",
                "-o",
                "csv");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("2030-01-01T00:00:00Z,2030-01-01T01:00:00Z,");
    }

    @Test
    void aReplicaThatDoesNotPlanIsAskedAgain() {
        answer(503, "{\"message\": \"the leader has\"}");
        answer(503, "{\"message\": \"the leader has\"}");
        answer(200, QUOTE);

        assertThat(run("quote", "user/g").status()).isZero();
        assertThat(asked).hasSize(3);
    }

    @Test
    void withoutAnAnswerTheAddressAndARemedyAreShown() {
        server.stop(0);

        CommandLineRun run = run("queue");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("no Slotwise answers at " + url(), "Maybe give --server URL");
        assertThat(CommandLineRun.of("queue", "--server", "nowhere").err())
                .contains("--server (nowhere) is not an address; expected one such as http://127.0.0.1:8080");
    }

    @Test
    void aServerThatIsNotSlotwiseIsReported() {
        answer(200, "<html>");

        CommandLineRun run = run("queue");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("the server that answered is not Slotwise");
    }

    @Test
    void theBoardIsAtTheServer() {
        assertThat(run("board").out()).isEqualTo(url() + "/\n");
        assertThat(run("board", "--port", "70000").err()).contains("--port (70000) is not a port; expected 0 to 65535");
    }

    @Test
    void theTokenOfAFileIsSent(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "a.token\n");
        answer(200, LIST);

        CommandLineRun run = run("queue", "--token-file", file.toString());

        assertThat(run.out()).contains("user/poor");
        assertThat(tokens).containsExactly("Bearer a.token");
    }

    @Test
    void aTokenFileWithoutATokenIsSaidToBe(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "two words\n");

        assertThat(run("queue", "--token-file", file.toString()).err())
                .contains("--token-file (%s) has no token; expected one line".formatted(file));
        assertThat(run("queue", "--token-file", folder.resolve("none").toString())
                        .err())
                .contains("cannot be read");
        assertThat(asked).isEmpty();
    }

    @Test
    void aTokenThatIsNotAcceptedIsToldInOneSentence(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "old");
        answer(401, "{\"message\": \"no\"}");

        CommandLineRun run = run("quote", "user/poor", "--token-file", file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains(("Slotwise rejected the token of %s: it has expired or belongs to another cluster; "
                                + "expected a new one, made by 'kubectl create token SERVICEACCOUNT'")
                        .formatted(file));
    }

    @Test
    void aRefusalIsToldInSlotwisesWords() {
        answer(403, "{\"message\": \"erin may not list reservations.slotwise.io in namespace user\"}");

        CommandLineRun run = run("quote", "user/poor");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .contains("Slotwise denied the request: erin may not list reservations.slotwise.io in namespace user");
    }

    private String tokensSentTo(String address) {
        tokens.clear();
        HttpRemote remote = new HttpRemote(address, null, () -> "of.kubeconfig");
        int status = remote.ask("/api/v1/gangs", null).status();
        return "%d %s %s".formatted(status, tokens, remote.tokenOf());
    }

    @Test
    void theKubeconfigsTokenIsSentOnceSlotwiseAsksForItAndToThisMachineOnly() {
        answer(401, "{}");
        answer(200, LIST);
        assertThat(tokensSentTo(url())).isEqualTo("200 [null, Bearer of.kubeconfig] the kubeconfig");
        assertThat(tokensSentTo(url())).isEqualTo("200 [null] null");

        replies.clear();
        answer(401, "{}");
        assertThat(tokensSentTo(url().replace("127.0.0.1", "0.0.0.0"))).isEqualTo("401 [null] null");
        assertThat(tokensSentTo(url().replace("127.0.0.1", "127.0.0.1:1@0.0.0.0")))
                .doesNotContain("Bearer");
    }

    @Test
    void withoutATokenItIsSaidHowToGetOne() {
        answer(401, "{}");
        StringWriter output = new StringWriter();
        CommandLine quote = new CommandLine(
                new QuoteCommand(console, (url, _) -> new HttpRemote(String.valueOf(url), null, () -> null)).spec());
        quote.setExecutionExceptionHandler((e, _, _) -> {
            output.write(String.valueOf(e.getMessage()));
            return 1;
        });

        quote.execute("user/poor", "--server", url());

        assertThat(output.toString())
                .isEqualTo("Slotwise requires a token, and there is none to send (it does not accept client "
                        + "certificates); expected --token-file FILE, made by 'kubectl create token SERVICEACCOUNT "
                        + "> FILE'");
    }

    @Test
    void completionIsAScriptThatKnowsTheCommands() {
        for (String shell : List.of("bash", "zsh")) {
            assertThat(CommandLineRun.of("completion", shell).out())
                    .contains("complete -F", "gangs", "--all-namespaces", "ZSH_VERSION");
        }
        assertThat(CommandLineRun.of("completion", "fish").out())
                .contains("complete -c slotwise", "slotwise __complete");
        assertThat(CommandLineRun.of("completion", "tcsh").err())
                .contains("'tcsh' is not a supported shell; expected bash, zsh or fish");
    }

    @Test
    void aWordMayBecomeACommandAnOptionAValueOrTheNameOfAGang() {
        answer(200, LIST);

        assertThat(words("w")).containsExactly("why");
        assertThat(words("")).contains("queue", "cancel").doesNotContain("__complete");
        assertThat(words("queue", "--s")).containsExactly("--server", "--sort");
        assertThat(words("queue", "--sort", "c")).containsExactly("cost");
        assertThat(words("completion", "f")).containsExactly("fish");
        assertThat(words("why", "user/p")).containsExactly("user/poor");
        assertThat(words("paln", "")).isEmpty();
    }

    private List<String> words(String... typed) {
        out.getBuffer().setLength(0);
        CommandLine all = Slotwise.commands(console, _ -> {});
        all.addSubcommand(
                "__test",
                new CommandLine(new WordsCommand(console, (_, token) -> RemoteOptions.find(url(), token)).spec()));
        List<String> command = new ArrayList<>(List.of("__test"));
        command.addAll(List.of(typed));
        assertThat(all.execute(command.toArray(String[]::new))).isZero();
        console.out().flush();
        return out.toString().lines().toList();
    }

    @Test
    void theQueueShowsTheGangsOfOneQueue() {
        answer(200, LIST.replaceFirst("\"queue\" : null|\"queue\": null", "\"queue\": \"physics\""));

        CommandLineRun run = run("queue", "--queue", "physics");

        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines().findFirst().orElseThrow()).contains("  QUEUE    PHASE");
        assertThat(run.out())
                .contains("user/poor", "physics")
                .doesNotContain("user/train")
                .endsWith("\n\n1 gang: 1 waiting\n");
    }

    @Test
    void theQueueShowsWaitingGangsAndThenStarts() {
        answer(200, LIST);

        CommandLineRun run = run("queue");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(asked).containsExactly("GET /api/v1/gangs");
        assertThat(run.out()).endsWith("\n\n2 gangs: 1 waiting, 1 promised\n");
        assertThat(run.out()
                        .lines()
                        .filter(line -> !line.startsWith(" "))
                        .limit(3)
                        .toList())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("START").endsWith("WHY"),
                        poor -> assertThat(poor).startsWith("-").contains("user/poor", "Waiting"),
                        train -> assertThat(train)
                                .startsWith("2030-01-01T01:00:00Z")
                                .contains("Promised"));
        assertThat(run("queue", "--phase", "promised", "-o", "csv").out().lines())
                .hasSize(2);
        assertThat(run("queue", "--phase", "lost").err())
                .contains("--phase (lost) is not valid; expected one of waiting, promised");
        assertThat(run("queue", "--sort", "size").err()).contains("--sort (size) is not valid");
    }

    @Test
    void nodesShowStatePriceAndTheirGangs() {
        answer(200, BOARD);

        CommandLineRun run = run("nodes");

        assertThat(run.out()
                        .lines()
                        .map(String::stripTrailing)
                        .map(line -> line.replaceAll(" +", " "))
                        .toList())
                .containsExactly(
                        "NODE STATE TYPE PRICE TAKEN NEXT START CAPACITY GANGS",
                        "a mixed m5.large 0.5 50 % 2030-01-01T01:00:00Z 4 cpu, 16 Gi user/train",
                        "b closed - - 0 % - 2 cpu, 1 nvidia.com/gpu -",
                        "",
                        "2 nodes: 1 closed, 1 mixed");
        assertThat(run("nodes", "-o", "csv").out())
                .contains("a,mixed,m5.large,,owner,0.500000,500,user/train,2030-01-01T01:00:00Z");
        assertThat(run("nodes", "-o", "json").out()).contains("\"takenThousandths\": 500");
    }

    @Test
    void aServerWithoutABoardIsNotSlotwise() {
        answer(200, "{}");

        assertThat(run("nodes").err()).contains("the server that answered is not Slotwise");
    }

    @Test
    void diagShowsThePlannersHealthAndReasonsOfWaitingGangs() {
        answer(200, BOARD);
        answer(200, LIST);

        assertThat(run("diag").out())
                .contains(
                        "Planner   plans",
                        "Nodes     2, 1 of them closed; 25.0 % of the CPU in use",
                        "Gangs     1 waiting, 1 promised, 0 starting, 1 running, 0 completed",
                        "Promises  12 of 13 gangs started by what was promised; moved: 2 node-lost, 1 overrun",
                        "Reasons   1 over-budget",
                        "Oldest    user/poor waits since",
                        "Note      a note")
                .doesNotContain("Buying");
    }

    @Test
    void diagIsAValueForPrograms() {
        answer(200, BOARD);
        answer(200, LIST);

        assertThat(run("diag", "-o", "json").out())
                .contains(
                        "\"planning\": true",
                        "\"promises\": {\"started\":13,\"asPromised\":12,\"moves\":{\"node-lost\":2,\"overrun\":1}}",
                        "\"over-budget\": 1",
                        "\"oldest\": \"user/poor\"",
                        "\"buying\": null");
        assertThat(run("diag", "-o", "csv").err()).contains("diag does not support CSV; expected -o table or json");
    }

    @Test
    void nodesThatAreWatchedAreShownAgainOnlyWhenTheyChange() {
        answer(200, BOARD);
        answer(200, BOARD.replace("1893456000, \"horizonEnd", "1893456001, \"horizonEnd"));
        answer(200, BOARD.replace("0.500000", "0.600000"));
        ArrayDeque<Boolean> looks = new ArrayDeque<>(List.of(true, true, false));

        new CommandLine(new NodesCommand(console, RemoteOptions::find, looks::remove).spec())
                .execute("--watch", "--server", url());

        assertThat(asked).hasSize(3);
        assertThat(out.toString().split("\u001b\\[H\u001b\\[2J", -1)).hasSize(3);
        assertThat(out.toString()).contains("0.5", "0.6");
    }

    @Test
    void diagShowsPurchasesAndTheirShareOfTheLimits() {
        answer(200, BUYING);
        answer(200, LIST);

        assertThat(run("diag").out())
                .contains("Buying    1 planned, 1 starting, 0 bought of at most 20; 1.500000 of "
                        + "10.000000 spent this day; "
                        + "1 of 3 offers cannot be\n          bought now; mode buy");
    }

    @Test
    void nodesThatAreBoughtAreTold() {
        answer(200, BUYING);

        assertThat(run("nodes", "-o", "csv").out()).contains("slotwise-1,planned,", "slotwise-2,starting,");
    }

    private static final String BUYING = """
        {"ready": true, "planning": true, "now": 1893456000, "horizonEnd": 1893460000, "notes": [],
         "nodes": [{"name": "slotwise-1", "owner": "owner", "schedulable": true, "price": 0, "capacity": {"cpu": 4000},
                    "unavailable": [{"start": 1893456000}], "purchase": {"name": "slotwise-1", "state": "planned"}},
                   {"name": "slotwise-2", "owner": "owner", "schedulable": true, "price": 0, "capacity": {"cpu": 4000},
                    "unavailable": [{"start": 1893456000}], "purchase": {"name": "slotwise-2", "state": "starting"}}],
         "prices": [{"pieces": [{"perHour": "0.400000"}]}], "bars": [],
         "buying": {"mode": "buy", "nodes": 2, "maxNodes": 20, "spent": "1.500000", "maxSpend": "10.000000", "period": "day",
                    "offers": 3, "resting": 1},
         "totals": {"waiting": 0, "promised": 0, "starting": 0, "running": 0, "completed": 0, "busy": 0}}
        """;

    private static final String BOARD = """
        {"ready": true, "planning": true, "now": 1893456000, "horizonEnd": 1893460000, "notes": ["a note"],
         "nodes": [{"name": "a", "owner": "owner", "type": "m5.large", "schedulable": true, "price": 0, "unavailable": [],
                    "capacity": {"cpu": 4000, "memory": 17179869184, "pods": 110}},
                   {"name": "b", "owner": "owner", "schedulable": false, "price": 1, "unavailable": [],
                    "capacity": {"cpu": 2000, "nvidia.com/gpu": 1}}],
         "prices": [{"pieces": [{"perHour": "0.400000"}, {"start": 1893455000, "perHour": "0.500000"},
                                {"start": 1893459000, "perHour": "0.700000"}]}],
         "bars": [{"node": "a", "gang": "user/train", "count": 2, "start": 1893455000, "end": 1893459000, "state": "running", "share": 500},
                  {"node": "a", "gang": "user/old", "count": 1, "start": 1893450000, "end": 1893451000, "state": "completed", "share": 500},
                  {"node": "a", "gang": "user/next", "count": 1, "start": 1893459600, "end": 1893460000, "state": "promised", "share": 500}],
         "totals": {"waiting": 1, "promised": 1, "starting": 0, "running": 1, "completed": 0,
                    "promises": {"started": 13, "asPromised": 12, "moves": {"node-lost": 2, "overrun": 1}}, "busy": 250}}
        """;

    /** A cluster without a running Slotwise, but with a Reservation. */
    private static final class Abandoned implements Remote {
        @Override
        public Reply ask(String path, @Nullable String body) {
            throw new Unreachable("no service of the cluster has the label app.kubernetes.io/name=slotwise");
        }

        @Override
        public @Nullable String tokenOf() {
            return null;
        }

        @Override
        public String namespace() {
            return "user";
        }

        @Override
        public List<GangRecord> records(@Nullable String namespace) {
            return List.of(GangRecord.first(POOR, NOW).planned(false, "OverBudget", WORDS, NOW));
        }

        @Override
        public Board board(int port) {
            return new Board("http://127.0.0.1:7777/", true);
        }

        @Override
        public void close() {}
    }

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandConsole console = new CommandConsole(
            new ByteArrayInputStream(new byte[0]),
            new PrintWriter(out),
            new PrintWriter(err),
            new Terminal(120, true, true),
            InstantSource.fixed(CommandLineRun.CLOCK));

    @Test
    void withoutARunningSlotwiseTheReservationsAreRead() {
        new CommandLine(new QueueCommand(console, (_, _) -> new Abandoned()).spec()).execute();

        assertThat(out.toString()).contains("user/poor", "Waiting", "1 gang: 1 waiting");
        assertThat(err.toString())
                .isEqualTo("slotwise: no service of the cluster has the label app.kubernetes.io/name=slotwise; "
                        + "showing the Reservations instead\n");
    }

    @Test
    void withoutARunningSlotwiseWhySaysTheReservationsWords() {
        new CommandLine(new WhyCommand(console, (_, _) -> new Abandoned()).spec()).execute("poor");

        assertThat(out.toString()).isEqualTo("\u001b[1muser/poor\u001b[0m is waiting: " + WORDS + ".\n");
        assertThat(err.toString()).contains("showing the Reservations instead");
    }

    @Test
    void theBoardInAClusterStaysOpenUntilInterrupted() {
        List<String> shown = new ArrayList<>();
        BoardCommand command =
                new BoardCommand(console, (_, _) -> new Abandoned(), shown::add, () -> shown.add("stayed"));

        new CommandLine(command.spec()).execute("--open");

        assertThat(out.toString()).isEqualTo("http://127.0.0.1:7777/\n");
        assertThat(shown).containsExactly("http://127.0.0.1:7777/", "stayed");
    }

    @Test
    void aWatchedListIsShownAgainOnlyWhenItChanges() {
        answer(200, LIST);
        answer(200, LIST);
        answer(200, LIST.replace("\"1.500000\"", "\"1.700000\""));
        ArrayDeque<Boolean> looks = new ArrayDeque<>(List.of(true, true, false));

        new CommandLine(new QueueCommand(console, RemoteOptions::find, looks::remove).spec())
                .execute("--watch", "--server", url());

        assertThat(asked).hasSize(3);
        assertThat(out.toString().split("\u001b\\[H\u001b\\[2J", -1)).hasSize(3);
        assertThat(out.toString()).contains("1.5", "1.7");
    }
}
