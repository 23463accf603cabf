package io.slotwise.it.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.slotwise.it.load.BareWrites.Gang;
import io.slotwise.it.load.BareWrites.Rank;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The limit of starts through kube-scheduler: an extender that makes only the calls that gangs with durable records and
 * gates cannot avoid. When all pods of a gang have come and have places, a record is created and the gates are removed.
 * kube-scheduler is told the node of each pod at once. When kube-scheduler has called bind for all pods, the record is
 * marked as running and the pods are bound. kube-scheduler writes the pods' events.
 */
final class BareExtender {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BACKLOG = 1024;

    private final BareWrites writes;
    private final Map<String, Started> pods = new ConcurrentHashMap<>();

    private BareExtender(BareWrites writes) {
        this.writes = writes;
    }

    /** Runs until it is killed, on the port that is its only argument. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        try (KubernetesClient client = BareWrites.client()) {
            BareWrites writes = new BareWrites(client);
            BareExtender program = new BareExtender(writes);
            program.listen(Integer.parseInt(arguments[0]));
            writes.watch(
                    (name, placed) -> writes.call(Rank.START, () -> program.send(BareWrites.gang(name, placed))),
                    (name, ended) -> writes.call(
                            Rank.START,
                            () -> writes.end(ended.getFirst().getMetadata().getNamespace(), name)));
            new CountDownLatch(1).await();
        }
    }

    /** A gang on its way through kube-scheduler. */
    private record Started(Gang gang, Reservation record, AtomicInteger missing, CompletableFuture<Boolean> durable) {}

    private void send(Gang gang) {
        Started started = new Started(
                gang, writes.create(gang), new AtomicInteger(gang.members().size()), new CompletableFuture<>());
        for (BindRequest member : gang.members()) {
            pods.put(member.podName(), started);
            writes.call(Rank.BINDING, () -> writes.ungate(member));
        }
    }

    private void listen(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        server.createContext("/scheduler/v1/filter", exchange -> answer(exchange, this::filter));
        server.createContext("/scheduler/v1/bind", exchange -> answer(exchange, this::bind));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    private interface Verb {
        Map<String, Object> answer(JsonNode question);
    }

    private static void answer(HttpExchange exchange, Verb verb) throws IOException {
        try (exchange) {
            byte[] answer = JSON.writeValueAsBytes(
                    verb.answer(JSON.readTree(exchange.getRequestBody().readAllBytes())));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Map<String, Object> filter(JsonNode question) {
        JsonNode metadata = question.path("Pod").path("metadata");
        String pod = metadata.path("namespace").asText() + "/"
                + metadata.path("name").asText();
        return Map.of("NodeNames", List.of(member(pod).node()), "Error", "");
    }

    private BindRequest member(String pod) {
        return Objects.requireNonNull(pods.get(pod), pod).gang().members().stream()
                .filter(one -> one.podName().equals(pod))
                .findFirst()
                .orElseThrow();
    }

    /** Waits for the gang's other members. */
    private Map<String, Object> bind(JsonNode question) {
        String pod = question.path("PodNamespace").asText() + "/"
                + question.path("PodName").asText();
        Started started = Objects.requireNonNull(pods.get(pod), pod);
        CompletableFuture<Boolean> bound = new CompletableFuture<>();
        if (started.missing().decrementAndGet() == 0) {
            writes.call(Rank.START, () -> {
                writes.start(started.gang(), started.record());
                started.durable().complete(true);
                writes.tell(started.gang(), started.record());
            });
        }
        var _ = started.durable()
                .thenAccept(durable -> writes.call(Rank.BINDING, () -> {
                    writes.bind(started.gang(), member(pod));
                    bound.complete(true);
                }));
        bound.join();
        return Map.of("Error", "");
    }
}
