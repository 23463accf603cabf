package io.slotwise.cli.remote;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.record.GangRecord;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A running Slotwise at an address. It is sent the token of a file where one is given; otherwise, once it has asked who
 * calls, the kubeconfig's, but over TLS or the loopback interface only: no third party is to read it.
 */
final class HttpRemote implements Remote {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127\\.[0-9.]+|\\[::1]");

    private final String url;
    private final Supplier<@Nullable String> kubeconfig;
    private @Nullable String token;
    private @Nullable String tokenOf;
    private final HttpClient client;

    /**
     * An address, such as {@code http://127.0.0.1:8080}.
     *
     * @param token what it is sent; null: the kubeconfig's where it asks
     * @param kubeconfig the token of the kubeconfig, or null
     */
    HttpRemote(String url, @Nullable TokenFile token, Supplier<@Nullable String> kubeconfig) {
        this.url = url.replaceAll("/+$", "");
        this.kubeconfig = kubeconfig;
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).version(HttpClient.Version.HTTP_1_1);
        if (!url.startsWith("https:")) {
            // Reading all certificates that this machine trusts takes longer than the question.
            builder.sslContext(trustingNobody());
        }
        this.client = builder.build();
        if (token != null) {
            this.token = token.token();
            this.tokenOf = token.toString();
        }
    }

    private static SSLContext trustingNobody() {
        try {
            SSLContext nobody = SSLContext.getInstance("TLS");
            nobody.init(null, new TrustManager[0], null);
            return nobody;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no TLS", e);
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
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(e);
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
    public List<GangRecord> standings(@Nullable String namespace) {
        throw new Unreachable("no Slotwise answers at " + url);
    }

    @Override
    public Board board(int port) {
        return new Board(url + "/", false);
    }

    @Override
    public void close() {
        client.close();
    }
}
