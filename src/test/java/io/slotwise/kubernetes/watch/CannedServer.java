package io.slotwise.kubernetes.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An API server on loopback with the answers of a test. Answers may hang until the server is closed. */
final class CannedServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch over = new CountDownLatch(1);
    private final HttpServer server;

    CannedServer(HttpHandler answers) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", answers);
        server.start();
    }

    /** The least configuration of its clients. Watches are plain HTTP. */
    ConfigBuilder config() {
        return new ConfigBuilder()
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withOnlyHttpWatches(true);
    }

    /** Answers with a text. The content type is JSON if the text begins like JSON. */
    static void send(HttpExchange call, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.getResponseHeaders().add("Content-Type", body.startsWith("{") ? "application/json" : "text/plain");
        call.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = call.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** Begins an answer like that to a watch, and sends nothing until the server is closed. */
    void beginAndHang(HttpExchange call) throws IOException {
        call.sendResponseHeaders(200, 0);
        try (OutputStream silent = call.getResponseBody()) {
            silent.flush();
            hang();
        }
    }

    /** Blocks until the server is closed. */
    void hang() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
