package io.slotwise.cli;

import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import io.slotwise.kubernetes.kubectl.Unreachable;
import io.slotwise.live.Standing;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running Slotwise at an address. */
final class HttpRemote implements Remote {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String url;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /** The address, such as {@code http://127.0.0.1:8080}. */
    HttpRemote(String url) {
        this.url = url.replaceAll("/+$", "");
    }

    @Override
    public Reply ask(String path, @Nullable String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
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
    public List<Standing> standings(@Nullable String namespace) {
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
