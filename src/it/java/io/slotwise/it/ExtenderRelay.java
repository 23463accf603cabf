package io.slotwise.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.slotwise.testing.ClientKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * An HTTP server between kube-scheduler and an extender. The relay forwards every call, unless a test answers it, lets
 * it fail or delays it. A relay without an extender is an extender itself.
 */
public final class ExtenderRelay implements AutoCloseable {
    private final String target;
    private final HttpClient http;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final AtomicReference<Behaviour> behaviour = new AtomicReference<>(Relay.INSTANCE);

    private ExtenderRelay(String target, HttpClient http) {
        this.target = target;
        this.http = http;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Starts a relay in front of an extender, which it calls with the keys of the pod's kube-scheduler. */
    public static ExtenderRelay before(SlotwiseProcess slotwise) {
        ExtenderPort extender = slotwise.extender();
        Path keys = Objects.requireNonNull(extender.keys());
        slotwise.writeKeys();
        return new ExtenderRelay(
                extender.url(),
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(ClientKeys.in(keys))
                        .build());
    }

    /** Starts an extender whose answers {@code behaviour} gives. */
    public static ExtenderRelay alone(Behaviour behaviour) {
        ExtenderRelay relay = new ExtenderRelay("", HttpClient.newHttpClient());
        relay.behave(behaviour);
        return relay;
    }

    /** A call of kube-scheduler. */
    public record Call(String verb, String body) {}

    /** An answer to kube-scheduler. */
    public record Answer(int status, String body) {}

    /** Decides about a call. */
    public interface Behaviour {
        Answer answer(Call call, Onward onward) throws IOException;
    }

    /** Forwards a call to the extender. */
    public interface Onward {
        Answer send() throws IOException;
    }

    private enum Relay implements Behaviour {
        INSTANCE;

        @Override
        public Answer answer(Call call, Onward onward) throws IOException {
            return onward.send();
        }
    }

    /** Treats calls like this from now on. */
    public void behave(Behaviour next) {
        behaviour.set(next);
    }

    public void behaveWell() {
        behaviour.set(Relay.INSTANCE);
    }

    public ExtenderPort extender() {
        return new ExtenderPort(url(), null);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Call> calls(String verb) {
        return calls.stream().filter(call -> call.verb().equals(verb)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        http.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Call call = new Call(path.substring(path.lastIndexOf('/') + 1), body);
            calls.add(call);
            Answer answer = behaviour.get().answer(call, () -> onward(path, body));
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer onward(String path, String body) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(target + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(40))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
