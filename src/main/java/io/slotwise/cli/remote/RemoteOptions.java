package io.slotwise.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.cli.console.CommonOptions;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.JsonObject;
import io.slotwise.report.QuoteReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of commands that call a running Slotwise, and the calls. */
public final class RemoteOptions extends CommonOptions {
    public static final String SERVER = "--server";
    public static final String NAMESPACE = "--namespace";
    public static final String TOKEN_FILE = "--token-file";

    public static final String WHERE =
            "Finds Slotwise at --server, or through the API server by its Service, in the cluster "
                    + "that kubectl uses (KUBECONFIG).";

    /** The time for calls: a replica that does not plan redirects callers, and the next call reaches another one. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private static final String QUOTE = "/api/v1/quote";

    private final Remote.Finder finder;

    public RemoteOptions(CommandSpec spec, Remote.Finder finder) {
        super(spec);
        this.finder = finder;
        spec.addOption(text(SERVER, "URL", "The address of a running Slotwise."));
    }

    public void addToken() {
        spec.addOption(file(
                TOKEN_FILE,
                "FILE",
                "A file with the token to send. Default: the kubeconfig's token; with --server, only "
                        + "over https or to this machine."));
    }

    public static OptionSpec namespace() {
        return namespace("The namespace. Default: kubectl's; with --server: all.");
    }

    static OptionSpec namespace(String description) {
        return OptionSpec.builder("-n", NAMESPACE)
                .type(String.class)
                .paramLabel("NAMESPACE")
                .description(description)
                .build();
    }

    /** Returns the Slotwise at an address, or by the kubeconfig. */
    public static Remote find(@Nullable String url, @Nullable TokenFile token) {
        return url == null
                ? new KubeconfigRemote(ClusterAccess.open(token == null ? null : token.token()), token)
                : new HttpRemote(url, token, ClusterAccess::kubeconfigToken);
    }

    public Remote open() {
        String url = given(SERVER, String.class);
        if (url != null && !isAddress(url)) {
            throw wrong("--server (%s) is not an address; expected one such as http://127.0.0.1:8080".formatted(url));
        }
        Path token = spec.findOption(TOKEN_FILE) == null ? null : given(TOKEN_FILE, Path.class);
        return finder.find(url, token == null ? null : TokenFile.read(token));
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Calls until a replica that plans answers, with a null body for a GET. Empty if the answer is not known. */
    public static Optional<String> ask(Remote remote, String path, @Nullable String body) {
        return ask(remote, path, body, PATIENCE);
    }

    private static Optional<String> ask(Remote remote, String path, @Nullable String body, Duration patience) {
        // The last call begins early enough to be answered.
        long last = System.nanoTime() + patience.minus(PAUSE.multipliedBy(2)).toNanos();
        Reply reply = remote.ask(path, body);
        while (reply.status() == HttpURLConnection.HTTP_UNAVAILABLE && System.nanoTime() - last < 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
            reply = remote.ask(path, body);
        }
        return switch (reply.status()) {
            case HttpURLConnection.HTTP_OK -> Optional.of(reply.body());
            case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
            case HttpURLConnection.HTTP_BAD_REQUEST -> throw new InvalidInput(message(reply));
            case HttpURLConnection.HTTP_UNAUTHORIZED -> throw new Unreachable(unauthenticated(remote.tokenOf()));
            case HttpURLConnection.HTTP_FORBIDDEN ->
                throw new Unreachable.Denied("Slotwise denied the request: " + message(reply));
            default ->
                throw new Unreachable("Slotwise answers with status %d: %s".formatted(reply.status(), message(reply)));
        };
    }

    /**
     * Returns the quote for a described gang.
     *
     * @throws IOException if the answer cannot be read
     */
    public static QuoteReport quote(Remote remote, Map<String, String> gang) throws IOException {
        return quote(remote, gang, PATIENCE);
    }

    /** Returns the quote for a described gang, for which a busy Slotwise is asked so long. */
    static QuoteReport quote(Remote remote, Map<String, String> gang, Duration patience) throws IOException {
        return quote(ask(remote, QUOTE, JsonObject.MAPPER.writeValueAsString(gang), patience));
    }

    /** Returns the quote for a gang that waits, by the parameters of the question. */
    public static QuoteReport quote(Remote remote, String query) throws IOException {
        return quote(ask(remote, QUOTE + "?" + query, null));
    }

    private static QuoteReport quote(Optional<String> json) throws IOException {
        return QuoteReport.read(
                json.orElseThrow(() -> new Unreachable("the server that answered does not give quotes")));
    }

    private static String unauthenticated(@Nullable String tokenOf) {
        return tokenOf == null
                ? "Slotwise requires a token, and there is none to send (it does not accept client certificates); "
                        + "expected --token-file FILE, made by 'kubectl create token SERVICEACCOUNT > FILE'"
                : ("Slotwise rejected the token of %s: it has expired or belongs to another cluster; "
                                        + "expected a new one, made by")
                                .formatted(tokenOf)
                        + " 'kubectl create token SERVICEACCOUNT'";
    }

    /** Returns the Reservations if Slotwise does not answer, and prints why. */
    static List<GangRecord> reserved(
            Remote remote, @Nullable String namespace, Unreachable unreachable, PrintWriter err) {
        List<GangRecord> records;
        try {
            records = remote.records(namespace);
        } catch (Unreachable e) {
            unreachable.addSuppressed(e);
            throw unreachable;
        }
        err.println("slotwise: %s; showing the Reservations instead".formatted(unreachable.getMessage()));
        return records;
    }

    private static String message(Reply reply) {
        try {
            JsonNode message = JsonObject.MAPPER.readTree(reply.body()).path("message");
            return message.isTextual() ? message.asText() : reply.body();
        } catch (IOException e) {
            return reply.body();
        }
    }

    /** Returns indented JSON with a final line feed. */
    static String indented(String json) throws IOException {
        return JsonObject.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(JsonObject.MAPPER.readTree(json))
                + "\n";
    }

    /** A running Slotwise in a cluster of the kubeconfig. */
    static final class KubeconfigRemote implements Remote {
        private final ClusterAccess cluster;
        private final @Nullable TokenFile token;

        KubeconfigRemote(ClusterAccess cluster, @Nullable TokenFile token) {
            this.cluster = cluster;
            this.token = token;
        }

        @Override
        public Reply ask(String path, @Nullable String body) {
            return cluster.ask(path, body);
        }

        @Override
        public @Nullable String tokenOf() {
            return token != null ? token.toString() : cluster.token() == null ? null : "the kubeconfig";
        }

        @Override
        public String namespace() {
            return cluster.namespace();
        }

        @Override
        public List<GangRecord> records(@Nullable String namespace) {
            return cluster.records(namespace);
        }

        @Override
        public Board board(int port) {
            return new Board(cluster.forward(port).toString(), true);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
