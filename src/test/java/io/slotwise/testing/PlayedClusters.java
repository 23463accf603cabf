package io.slotwise.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.slotwise.kubernetes.kubectl.ClusterAccess.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** API servers that each forward to a Slotwise with the answer of a test, and a kubeconfig with a context for each. */
public final class PlayedClusters implements AutoCloseable {
    private final List<PlayedCluster> all = new ArrayList<>();

    /** Starts a cluster, which is also the name of its context. */
    public PlayedCluster add(String name) {
        PlayedCluster cluster = new PlayedCluster(name);
        all.add(cluster);
        return cluster;
    }

    /** Adds a context with the address of no API server. */
    public void addWrong(String name, String address) {
        add(name).address = address;
    }

    /** Adds a context whose API server has ended. */
    public void addSilent(String name) {
        add(name).close();
    }

    public Path kubeconfig(Path folder) {
        String clusters = all.stream()
                .map(one -> "{name: %1$s, cluster: {server: \"%2$s\"}}".formatted(one.name, one.address))
                .collect(Collectors.joining(", "));
        String contexts = all.stream()
                .map(one -> "{name: %1$s, context: {cluster: %1$s, user: %1$s}}".formatted(one.name))
                .collect(Collectors.joining(", "));
        String users = all.stream()
                .map(one -> "{name: %1$s, user: {token: of-%1$s}}".formatted(one.name))
                .collect(Collectors.joining(", "));
        try {
            return Files.writeString(
                    folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: %s
                    clusters: [%s]
                    contexts: [%s]
                    users: [%s]
                    """.formatted(all.getFirst().name, clusters, contexts, users));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        all.forEach(PlayedCluster::close);
    }

    /** An API server with a Slotwise behind it. */
    public static final class PlayedCluster {
        private static final String SERVICE = """
                {"metadata": {"namespace": "slotwise-system", "name": "slotwise"},
                 "spec": {"ports": [{"name": "http", "port": 8080}]}}""";

        private static final int NO_ANSWER = 0;

        private final String name;
        private final HttpServer server;
        private String address;
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final List<String> tokens = new CopyOnWriteArrayList<>();
        private volatile String service = SERVICE;
        private volatile int status = 404;
        private volatile String answer = "";
        private final Map<String, Reply> answers = new ConcurrentHashMap<>();
        private volatile @Nullable CountDownLatch latch;
        private final AtomicInteger busy = new AtomicInteger();

        private PlayedCluster(String name) {
            this.name = name;
            try {
                server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server.createContext("/", this::serve);
            server.setExecutor(threads);
            server.start();
            address = "http://127.0.0.1:" + server.getAddress().getPort();
        }

        /** Makes Slotwise answer every question so. */
        public PlayedCluster answering(int newStatus, String newAnswer) {
            status = newStatus;
            answer = newAnswer;
            return this;
        }

        /** Makes Slotwise answer questions about the gang of this name so. */
        public PlayedCluster answeringAbout(String gang, int itsStatus, String itsAnswer) {
            answers.put(gang, new Reply(itsStatus, itsAnswer));
            return this;
        }

        /** Makes Slotwise say so often that it is busy before it answers. */
        public PlayedCluster busyFor(int questions) {
            busy.set(questions);
            return this;
        }

        /** Makes Slotwise answer no question about the gang of this name. */
        public void silentAbout(String gang) {
            answers.put(gang, new Reply(NO_ANSWER, ""));
        }

        /** Makes each question count the latch down, and wait until it is zero. */
        public PlayedCluster waitingFor(CountDownLatch newLatch) {
            latch = newLatch;
            return this;
        }

        public PlayedCluster withoutService() {
            service = "";
            return this;
        }

        /** Returns the bodies of all questions to Slotwise. */
        public List<String> asked() {
            return asked;
        }

        /** Returns the tokens for Slotwise of all questions. */
        public List<String> tokens() {
            return tokens;
        }

        private void serve(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().getPath();
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (path.equals("/api/v1/services")) {
                send(
                        exchange,
                        200,
                        "{\"apiVersion\": \"v1\", \"kind\": \"ServiceList\", \"items\": [" + service + "]}");
            } else if (path.startsWith("/api/v1/namespaces/slotwise-system/services/slotwise:http/proxy/")) {
                String question = new String(body, StandardCharsets.UTF_8);
                asked.add(question);
                tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Slotwise-Authorization")));
                if (busy.getAndUpdate(questions -> Math.max(0, questions - 1)) > 0) {
                    send(exchange, 503, "{\"message\": \"try again in a minute\"}");
                    return;
                }
                await(latch);
                Reply reply = answers.entrySet().stream()
                        .filter(entry -> question.contains("\"name\":\"" + entry.getKey() + "\""))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(new Reply(status, answer));
                if (reply.status() == NO_ANSWER) {
                    await(new CountDownLatch(2));
                }
                send(exchange, reply.status(), reply.body());
            } else {
                send(exchange, 404, "{}");
            }
        }

        private static void await(@Nullable CountDownLatch awaited) {
            if (awaited != null) {
                awaited.countDown();
                try {
                    awaited.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private static void send(HttpExchange exchange, int status, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        private void close() {
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
