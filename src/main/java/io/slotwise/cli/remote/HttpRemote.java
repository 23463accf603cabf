package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A running Slotwise at an address. A given token file is always sent. Otherwise the kubeconfig's token is sent once
 * Slotwise asks for one, but only over TLS or loopback, so that no third party can read it.
 *
 * <p>A command makes one or two calls, for which {@code HttpURLConnection} starts in less than half the time of {@code
 * java.net.http}.
 */
final class HttpRemote implements Remote {
    /** The timeout of a connection, and of each part of the answer, ms. */
    private static final int TO_CONNECT = 5_000;

    private static final int PATIENCE = 30_000;

    static {
        // A request for a change is sent once, even if the connection ends before the answer.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]");

    private final String url;
    private final Supplier<@Nullable String> kubeconfig;
    private @Nullable String token;
    private @Nullable String tokenOf;

    /** Creates a remote; a null {@code token} means that of the {@code kubeconfig}, if Slotwise asks for one. */
    HttpRemote(String url, @Nullable TokenFile token, Supplier<@Nullable String> kubeconfig) {
        this.url = url.replaceAll("/+$", "");
        this.kubeconfig = kubeconfig;
        if (token != null) {
            this.token = token.token();
            this.tokenOf = token.toString();
        }
    }

    @Override
    public Reply ask(String path, @Nullable String body) {
        Reply reply = send(path, body);
        if (reply.status() == HttpURLConnection.HTTP_UNAUTHORIZED && token == null && isPrivate()) {
            token = kubeconfig.get();
            if (token != null) {
                tokenOf = "the kubeconfig";
                return send(path, body);
            }
        }
        return reply;
    }

    private boolean isPrivate() {
        URI uri = URI.create(url);
        return "https".equals(uri.getScheme())
                || (uri.getHost() != null && THIS_MACHINE.matcher(uri.getHost()).matches());
    }

    @Override
    public @Nullable String tokenOf() {
        return tokenOf;
    }

    private Reply send(String path, @Nullable String body) {
        try {
            HttpURLConnection call =
                    (HttpURLConnection) URI.create(url + path).toURL().openConnection();
            call.setConnectTimeout(TO_CONNECT);
            call.setReadTimeout(PATIENCE);
            call.setInstanceFollowRedirects(false);
            if (token != null) {
                call.setRequestProperty("Authorization", "Bearer " + token);
            }
            if (body != null) {
                call.setRequestMethod("POST");
                call.setRequestProperty("Content-Type", "application/json");
                call.setDoOutput(true);
                try (OutputStream to = call.getOutputStream()) {
                    to.write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
            int status = call.getResponseCode();
            return new Reply(status, text(status < HttpURLConnection.HTTP_BAD_REQUEST, call));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static String text(boolean isSuccess, HttpURLConnection call) throws IOException {
        try (InputStream from = isSuccess ? call.getInputStream() : call.getErrorStream()) {
            return from == null ? "" : new String(from.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Unreachable unreachable(Exception why) {
        return new Unreachable("no Slotwise answers at %s (%s)"
                .formatted(url, why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage()));
    }

    @Override
    public @Nullable String namespace() {
        return null;
    }

    @Override
    public List<GangRecord> records(@Nullable String namespace) {
        throw new Unreachable("no Slotwise answers at " + url);
    }

    @Override
    public Board board(int port) {
        return new Board(url + "/", false);
    }

    @Override
    public void close() {}
}
