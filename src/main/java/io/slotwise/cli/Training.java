package io.slotwise.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.server.QuarkusServer;
import io.slotwise.report.GangListReport;
import io.slotwise.report.GangListReport.GangRow;
import io.slotwise.report.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Runs typical short commands in one process against a local server with fixed answers about one gang. The launchers
 * start it once for each {@link Kind} while the JVM records the classes of an AOT cache. Later commands start with
 * these classes loaded and linked.
 */
final class Training {
    private static final String GANGS = new GangListReport(List.of(new GangRow(
                    "default/train",
                    "Promised",
                    "Promised",
                    null,
                    "words",
                    "2030-01-01T01:00:00Z",
                    "2030-01-01T01:10:00Z",
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
    private static final String ANSWER = """
        {"gang": "default/train", "phase": "Promised", "reason": "Promised", "message": "promised",
         "next": "starts", "criterion": "start",
         "window": {"start": "2030-01-01T01:00:00Z", "end": "2030-01-01T02:00:00Z", "cost": "2.000000",
           "placement": [{"pod": "train-0", "node": "node-1"}]},
         "advice": [{"change": "criterion", "value": "start", "start": "2030-01-01T01:00:00Z",
           "end": "2030-01-01T02:00:00Z", "cost": "2.000000", "message": "earlier",
           "annotations": {"slotwise.io/criterion": "start"}}],
         "promisedStart": "2030-01-01T01:00:00Z", "attempts": 0, "avoided": [], "kind": "gang",
         "story": [{"at": "2030-01-01T00:00:00Z", "reason": "Seen", "message": "seen"}]}
        """;
    private static final String BOARD = """
        {"now": 1893456000, "ready": true, "planning": true,
         "totals": {"busy": 500, "waiting": 0, "promised": 1, "starting": 0, "running": 0, "completed": 0},
         "nodes": [{"name": "node-1", "owner": "words", "price": 0, "schedulable": true,
           "capacity": {"cpu": 4000}}],
         "prices": [], "bars": [{"node": "node-1", "start": 1893456000, "end": 1893459600, "count": 1, "share": 500,
           "state": "running", "gang": "default/train"}]}
        """;
    private static final String SERVICES = """
        {"apiVersion": "v1", "kind": "ServiceList", "items": [
          {"metadata": {"namespace": "slotwise", "name": "slotwise"}, "spec": {"ports": [{"name": "http", "port": 80}]}}]}
        """;

    private Training() {}

    /** Runs the commands of a {@link Kind} and exits with the status of the first one that fails. */
    public static void main(String[] args) throws IOException {
        System.exit(run(
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                Kind.valueOf(args[0].toUpperCase(Locale.ROOT))));
    }

    /**
     * The commands of one training run: {@code SERVER} for those that ask a server by its address, {@code ALL} for
     * those that use a kubeconfig or no cluster. Commands of one kind share most of their classes.
     */
    enum Kind {
        SERVER,
        ALL
    }

    /** Runs the commands of a kind. Returns the status of the first one that fails, or 0. Errors are printed. */
    static int run(PrintWriter err, Kind kind) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", Training::answer);
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            return switch (kind) {
                case SERVER ->
                    run(
                            err,
                            Stream.of(
                                            List.of("queue"),
                                            List.of("nodes"),
                                            List.of("diag"),
                                            List.of("why", "default/train"))
                                    .map(command -> Stream.concat(command.stream(), Stream.of("--server", url))
                                            .toList())
                                    .toList());
                case ALL -> runInCluster(err, url);
            };
        } finally {
            server.stop(0);
        }
    }

    private static int runInCluster(PrintWriter err, String url) throws IOException {
        Path kubeconfig = Files.createTempFile("slotwise", ".kubeconfig");
        try {
            Files.writeString(kubeconfig, """
                apiVersion: v1
                kind: Config
                current-context: training
                clusters: [{name: training, cluster: {server: "%s"}}]
                contexts: [{name: training, context: {cluster: training, user: training}}]
                users: [{name: training, user: {token: none}}]
                """.formatted(url));
            System.setProperty("kubeconfig", kubeconfig.toString());
            return run(
                    err,
                    List.of(List.of("--help"), List.of("version"), List.of("demo", "--plan"), List.of("queue", "-A")));
        } finally {
            System.clearProperty("kubeconfig");
            Files.delete(kubeconfig);
        }
    }

    private static int run(PrintWriter err, List<List<String>> commands) {
        return commands.stream()
                .mapToInt(command -> run(err, command.toArray(String[]::new)))
                .filter(status -> status != 0)
                .findFirst()
                .orElse(0);
    }

    private static int run(PrintWriter err, String... command) {
        CommandConsole console = new CommandConsole(
                InputStream.nullInputStream(),
                new PrintWriter(Writer.nullWriter()),
                err,
                new Terminal(Terminal.USUAL_WIDTH, true, true),
                InstantSource.system());
        return Slotwise.run(console, new QuarkusServer(), command);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String known = path.endsWith("/gangs")
                ? GANGS
                : path.endsWith("/board") ? BOARD : path.endsWith("/train") ? ANSWER : SERVICES;
        byte[] body = known.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }
}
