package io.slotwise.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.config.InvalidInput;
import io.slotwise.kubernetes.kubectl.ClusterAccess;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.Standing;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The options of commands that ask a running Slotwise, and how they ask it. */
final class RemoteOptions {
    static final String SERVER = "--server";
    static final String NAMESPACE = "--namespace";

    /** Where it is looked for, for the help of commands. */
    static final String WHERE =
            "Slotwise is found at --server, or as kubectl finds the cluster (KUBECONFIG): by its Service, through the API"
                    + " server.";

    /** A replica that does not plan sends its callers on; the next call reaches another one. */
    private static final int CALLS = 8;

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final CommandSpec spec;
    private final Remote.Finder finder;

    /** Adds {@code --server} to a command. */
    RemoteOptions(CommandSpec spec, Remote.Finder finder) {
        this.spec = spec;
        this.finder = finder;
        spec.addOption(Options.value(SERVER, "URL", "The address of a running Slotwise, such as http://127.0.0.1:8080.")
                .build());
    }

    /** Adds {@code --namespace}. */
    static OptionSpec namespace() {
        return OptionSpec.builder("-n", NAMESPACE)
                .type(String.class)
                .paramLabel("NAMESPACE")
                .description("The namespace. Default: kubectl's; with --server: all.")
                .build();
    }

    /** By address, or by kubeconfig. */
    static Remote find(@Nullable String url) {
        return url == null ? new KubeconfigRemote(ClusterAccess.open()) : new HttpRemote(url);
    }

    /** The Slotwise that the command line means. */
    Remote open() {
        String url = Options.given(spec, SERVER, String.class);
        if (url != null && !isAddress(url)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--server (%s) is no address; expected one such as http://127.0.0.1:8080".formatted(url));
        }
        return finder.find(url);
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Asks until a replica answers that plans.
     *
     * @param body JSON to send; null: it is only read
     * @return what it says; empty: what is asked about is not known
     * @throws InvalidInput if the question is wrong
     * @throws Unreachable if there is no answer
     */
    static Optional<String> ask(Remote remote, String path, @Nullable String body) {
        Reply reply = remote.ask(path, body);
        for (int calls = 1; calls < CALLS && reply.status() == HttpURLConnection.HTTP_UNAVAILABLE; calls++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            reply = remote.ask(path, body);
        }
        return switch (reply.status()) {
            case HttpURLConnection.HTTP_OK -> Optional.of(reply.body());
            case HttpURLConnection.HTTP_NOT_FOUND -> Optional.empty();
            case HttpURLConnection.HTTP_BAD_REQUEST -> throw new InvalidInput(message(reply));
            default ->
                throw new Unreachable("Slotwise answers with status %d: %s".formatted(reply.status(), message(reply)));
        };
    }

    /**
     * What the Reservations say, where the running Slotwise does not answer; it is said why.
     *
     * @throws Unreachable the one that is handed in, if they cannot be read either
     */
    static List<Standing> reserved(Remote remote, @Nullable String namespace, Unreachable why, PrintWriter err) {
        List<Standing> standings;
        try {
            standings = remote.standings(namespace);
        } catch (Unreachable e) {
            why.addSuppressed(e);
            throw why;
        }
        err.println("slotwise: %s; this is what the Reservations say".formatted(why.getMessage()));
        return standings;
    }

    private static String message(Reply reply) {
        try {
            JsonNode message = MAPPER.readTree(reply.body()).path("message");
            return message.isTextual() ? message.asText() : reply.body();
        } catch (IOException e) {
            return reply.body();
        }
    }

    /** Indented, with a line feed at its end. */
    static String indented(String json) throws IOException {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(MAPPER.readTree(json)) + "\n";
    }
}
