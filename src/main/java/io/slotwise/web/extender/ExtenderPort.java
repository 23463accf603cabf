package io.slotwise.web.extender;

import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.extender.SchedulerJson;
import io.slotwise.web.extender.ExtenderVerbs.Answer;
import io.slotwise.web.extender.ExtenderVerbs.Verb;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SSLOptions;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A port for kube-scheduler. It accepts only TLS, only clients whose certificates its folder trusts, and only the
 * extender's verbs. A renewed certificate in the folder applies to new connections once it is read again. An unusable
 * one leaves the previous one in force.
 *
 * <p>Calls share a connection (HTTP/2), so a gang of hundreds of pods with a waiting call each costs one handshake.
 */
final class ExtenderPort {
    private static final Logger LOG = Logger.getLogger(ExtenderPort.class);
    private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
    private static final int IDLE_MINUTES = 30;
    private static final int MOST_CALLS = 100_000;

    private final Vertx vertx;
    private final ExtenderVerbs verbs;
    private final Opened opened;
    private final HttpServer server;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private KeyFolder folder;

    /**
     * The settings of a port.
     *
     * @param port 0 for a free one
     * @param folder with the {@link KeyFolder}
     * @param reread how often the folder is read again
     * @param knows whether a client with a trusted certificate may call
     */
    record Opened(String host, int port, Path folder, Duration reread, Predicate<SSLSession> knows) {}

    private ExtenderPort(Vertx vertx, ExtenderVerbs verbs, Opened opened) {
        this.vertx = vertx;
        this.verbs = verbs;
        this.opened = opened;
        this.folder = KeyFolder.read(opened.folder());
        this.server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost(opened.host())
                        .setPort(opened.port())
                        .setSsl(true)
                        .setUseAlpn(true)
                        .setClientAuth(ClientAuth.REQUIRED)
                        .setEnabledSecureTransportProtocols(PROTOCOLS)
                        .setKeyCertOptions(folder.keys())
                        .setTrustOptions(folder.trust())
                        .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MOST_CALLS))
                        // Many cancelled calls after a pause of this process are no attack: the client is known.
                        .setHttp2RstFloodMaxRstFramePerWindow(MOST_CALLS)
                        .setIdleTimeoutUnit(TimeUnit.MINUTES)
                        .setIdleTimeout(IDLE_MINUTES))
                .connectionHandler(connection -> {
                    connections.add(connection);
                    connection.closeHandler(_ -> connections.remove(connection));
                })
                .requestHandler(this::handle);
    }

    /**
     * Opens a port.
     *
     * @throws IllegalArgumentException if the folder or the port cannot be used
     */
    static ExtenderPort open(Vertx vertx, ExtenderVerbs verbs, Opened opened) {
        try {
            ExtenderPort port = new ExtenderPort(vertx, verbs, opened);
            port.server.listen().toCompletionStage().toCompletableFuture().join();
            vertx.setPeriodic(
                    opened.reread().toMillis(),
                    _ -> vertx.executeBlocking(() -> {
                        port.reread();
                        return "read";
                    }));
            LOG.infof(
                    "kube-scheduler can call https://%s:%d with a certificate of %s",
                    opened.host(), port.port(), opened.folder().resolve(KeyFolder.TRUSTED));
            return port;
        } catch (UncheckedIOException | CompletionException e) {
            throw new IllegalArgumentException(
                    ("The extender cannot answer at %s:%d with the keys in %s (%s); expected a free port and "
                                    + "a folder with %s, %s and %s, PEM.")
                            .formatted(
                                    opened.host(),
                                    opened.port(),
                                    opened.folder(),
                                    Objects.requireNonNullElse(e.getCause(), e),
                                    KeyFolder.CERTIFICATE,
                                    KeyFolder.KEY,
                                    KeyFolder.TRUSTED),
                    e);
        }
    }

    int port() {
        return server.actualPort();
    }

    void close() {
        server.close();
    }

    /**
     * Shuts down the connections of clients with other certificates. Their running calls are answered within the
     * patience.
     */
    void leave(Predicate<Certificate> stays, Duration patience) {
        for (HttpConnection connection : others(stays)) {
            try {
                connection.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS);
            } catch (UnsupportedOperationException e) {
                LOG.debug("an HTTP/1 connection cannot be shut down gracefully; it is closed", e);
            }
        }
    }

    void cut(Predicate<Certificate> stays) {
        others(stays).forEach(HttpConnection::close);
    }

    private List<HttpConnection> others(Predicate<Certificate> stays) {
        return connections.stream()
                .filter(connection -> !hasShown(connection, stays))
                .toList();
    }

    private static boolean hasShown(HttpConnection connection, Predicate<Certificate> one) {
        try {
            List<Certificate> shown = connection.peerCertificates();
            return shown != null && !shown.isEmpty() && one.test(shown.getFirst());
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /** Applies the current content of the folder if it is valid. */
    synchronized void reread() {
        try {
            KeyFolder currentFolder = KeyFolder.read(opened.folder());
            if (!currentFolder.equals(folder)) {
                server.updateSSLOptions(new SSLOptions()
                                .setUseAlpn(true)
                                .setEnabledSecureTransportProtocols(PROTOCOLS)
                                .setKeyCertOptions(currentFolder.keys())
                                .setTrustOptions(currentFolder.trust()))
                        .toCompletionStage()
                        .toCompletableFuture()
                        .join();
                folder = currentFolder;
                LOG.infof("the keys in %s were reloaded", opened.folder());
            }
        } catch (UncheckedIOException | CompletionException e) {
            LOG.warnf(
                    "the keys in %s are not valid, and the previous ones stay in use: %s",
                    opened.folder(), SafeText.line(String.valueOf(e.getCause())));
        }
    }

    private void handle(HttpServerRequest request) {
        Verb verb = verbs.at(request.path());
        if (!opened.knows().test(request.sslSession())) {
            refuse(
                    request,
                    HttpURLConnection.HTTP_FORBIDDEN,
                    "The certificate's common name is not one of slotwise.extender.client-names.");
        } else if (verb == null) {
            refuse(request, HttpURLConnection.HTTP_NOT_FOUND, "Expected a verb of kube-scheduler's extender.");
        } else if (!request.method().equals(HttpMethod.POST)) {
            refuse(request, HttpURLConnection.HTTP_BAD_METHOD, "Expected POST.");
        } else if (isTooLong(request.getHeader(HttpHeaders.CONTENT_LENGTH))) {
            refuse(
                            request,
                            HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
                            "Expected a body of at most %d bytes.".formatted(SchedulerJson.LONGEST))
                    .onComplete(_ -> request.connection().close());
        } else {
            read(request, verb);
        }
    }

    private static boolean isTooLong(@Nullable String length) {
        try {
            return length != null && Long.parseLong(length) > SchedulerJson.LONGEST;
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static Future<Void> refuse(HttpServerRequest request, int status, String why) {
        return request.response().setStatusCode(status).end(why + "\n");
    }

    private void read(HttpServerRequest request, Verb verb) {
        Context context = vertx.getOrCreateContext();
        Buffer body = Buffer.buffer();
        Runnable answer = () -> Thread.startVirtualThread(() -> {
            Answer readyAnswer = answer(verb, body.getBytes());
            context.runOnContext(_ -> send(request.response(), readyAnswer));
        });
        request.handler(piece -> {
            if (body.length() <= SchedulerJson.LONGEST) {
                body.appendBuffer(piece);
                if (body.length() > SchedulerJson.LONGEST) {
                    // The parser refuses the body with its own message, and the rest is dropped.
                    answer.run();
                }
            }
        });
        request.endHandler(_ -> {
            if (body.length() <= SchedulerJson.LONGEST) {
                answer.run();
            }
        });
    }

    private static Answer answer(Verb verb, byte[] body) {
        try {
            return verb.answer(body);
        } catch (RuntimeException | Error e) {
            LOG.error("a call of kube-scheduler could not be answered", e);
            return new Answer(HttpURLConnection.HTTP_INTERNAL_ERROR, Buffer.buffer());
        }
    }

    private static void send(HttpServerResponse response, Answer answer) {
        if (!response.closed()) {
            response.setStatusCode(answer.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(answer.body());
        }
    }
}
