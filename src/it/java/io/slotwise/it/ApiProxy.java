package io.slotwise.it;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A proxy on loopback in front of the API server, which can do to single calls what networks and busy servers do. It
 * ends TLS with the API server's own certificate, and speaks HTTP/1.1 on both sides, so that a broken connection
 * affects one call only.
 */
public final class ApiProxy implements AutoCloseable {
    private static final int CALLS_AT_ONCE = 2000;
    private static final int SWITCHING_PROTOCOLS = 101;
    /** Headers that are not forwarded. */
    private static final Set<String> OF_A_CONNECTION =
            Set.of("connection", "content-length", "host", "keep-alive", "transfer-encoding");

    private static final List<Integer> ERRORS = List.of(409, 429, 500);
    private static final Map<Integer, String> REASONS =
            Map.of(403, "Forbidden", 409, "Conflict", 410, "Expired", 429, "TooManyRequests");

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final RandomGenerator random;
    private final HttpClient client;
    private final HttpServer server;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final List<Weather> weather = new CopyOnWriteArrayList<>();
    /** The resources whose new watches hang, too. */
    private final Set<String> hanging = ConcurrentHashMap.newKeySet();

    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> bindings = new ConcurrentHashMap<>();
    private volatile Treatment treatment = (method, path) -> Turn.PASSES;
    private volatile boolean away;

    /** A trouble that may hit a call. */
    public enum Trouble {
        ERROR,
        /** 429 with a Retry-After of one second. */
        BUSY,
        /** 410 for lists and watches. */
        FORGOTTEN,
        SLOW,
        DROP,
        TRUNCATE,
        LOSE_REPLY,
        BIND_TWICE
    }

    /**
     * The trouble that hits some of the calls from {@link #begin} to {@link #end}.
     *
     * @param percent of the calls
     * @param most the longest delay
     */
    public record Weather(Trouble trouble, int percent, Duration most) {}

    /** The treatment of one call. */
    public enum Turn {
        /** Forwards the call, whatever the weather does to it. */
        PASSES,
        /** Holds the call until it is released or forgotten. */
        HELD,
        /** The call has its effect, and its connection breaks instead of an answer. */
        UNANSWERED,
        /** 403; the call has no effect. */
        REFUSED,
        /** 429; the call has no effect, as an eviction that a disruption budget forbids. */
        PUT_OFF
    }

    /** Decides about each call. */
    @FunctionalInterface
    public interface Treatment {
        Turn of(String method, String path);
    }

    private record Held(Context context, Runnable onward) {}

    /** Starts a proxy that forwards every call. The calls that trouble hits are drawn from {@code seed}. */
    public ApiProxy(ControlPlane plane, long seed) {
        random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setVerifyHost(false)
                        .setDefaultHost("127.0.0.1")
                        .setDefaultPort(plane.port()),
                new PoolOptions().setHttp1MaxSize(CALLS_AT_ONCE));
        String certificates = plane.folder().resolve("certs").toString();
        server = vertx.createHttpServer(new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(0)
                .setSsl(true)
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertPath(certificates + "/apiserver.crt")
                        .setKeyPath(certificates + "/apiserver.key"))
                .setMaxInitialLineLength(1 << 16)
                .setMaxHeaderSize(1 << 16));
        server.connectionHandler(this::connected);
        server.requestHandler(in -> {
            if (in.headers().contains(HttpHeaderNames.UPGRADE)) {
                in.pause();
                upgrade(in);
            } else {
                in.body().onSuccess(body -> take(in, body));
            }
        });
        await(server.listen());
    }

    public String url() {
        return "https://127.0.0.1:" + server.actualPort();
    }

    public void begin(Weather some) {
        weather.add(some);
    }

    public void end(Weather some) {
        weather.remove(some);
    }

    /** Treats calls like this from now on. */
    public void treat(Treatment other) {
        treatment = other;
    }

    /** The number of bindings by what happened to them. */
    public Map<String, Integer> bindings() {
        return new TreeMap<>(bindings);
    }

    private void count(HttpServerRequest in, String what) {
        if (in.uri().endsWith("/binding")) {
            bindings.merge(what, 1, Integer::sum);
        }
    }

    public int held() {
        return held.size();
    }

    /** Forwards all further calls. Held calls stay held. */
    public void pass() {
        treatment = (method, path) -> Turn.PASSES;
    }

    /** Forwards the held calls in the order of their arrival, and all further calls. */
    public void release() {
        treatment = (method, path) -> Turn.PASSES;
        for (Held one = held.poll(); one != null; one = held.poll()) {
            Runnable onward = one.onward();
            one.context().runOnContext(ignored -> onward.run());
        }
    }

    /** Drops the held calls, whose caller has died. Further calls are forwarded. */
    public void forget() {
        treatment = (method, path) -> Turn.PASSES;
        held.clear();
    }

    /** Cuts the API server off: all connections break, and new ones break at once. */
    public void cut() {
        away = true;
        connections.forEach(HttpConnection::close);
    }

    public void restore() {
        away = false;
    }

    /** Ends every watch in the middle of its stream. */
    public void breakWatches() {
        watches.forEach(Watch::breakOff);
    }

    /** Stalls the present watches: they deliver nothing from now on. */
    public void stallWatches() {
        watches.forEach(watch -> watch.stall(true));
    }

    /** Resumes the stalled watches. They deliver what has happened meanwhile, as far as the API server has kept it. */
    public void resumeWatches() {
        watches.forEach(watch -> watch.stall(false));
    }

    /**
     * Hangs the watches of a resource such as {@code pods}: they deliver nothing from now on.
     *
     * @param newOnes whether watches that begin later hang, too
     */
    public void hangWatches(String resource, boolean newOnes) {
        if (newOnes) {
            hanging.add(resource);
        }
        watches.stream().filter(watch -> watch.resource.equals(resource)).forEach(watch -> watch.stall(true));
    }

    /** Resumes the watches of a resource, as {@code resumeWatches}. New watches do not hang. */
    public void unhangWatches(String resource) {
        hanging.remove(resource);
        watches.stream().filter(watch -> watch.resource.equals(resource)).forEach(watch -> watch.stall(false));
    }

    @Override
    public void close() {
        await(vertx.close());
    }

    private static void await(Future<?> future) {
        future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    private void connected(HttpConnection connection) {
        if (away) {
            connection.close();
            return;
        }
        connections.add(connection);
        connection.closeHandler(closed -> connections.remove(connection));
    }

    private boolean hits(Trouble trouble) {
        return weather.stream().anyMatch(some -> some.trouble() == trouble && random.nextInt(100) < some.percent());
    }

    private void take(HttpServerRequest in, Buffer body) {
        boolean watch = "true".equals(in.getParam("watch")) || "1".equals(in.getParam("watch"));
        boolean write = !in.method().equals(HttpMethod.GET);
        Turn turn = treatment.of(in.method().name(), Objects.requireNonNullElse(in.path(), ""));
        if (turn == Turn.HELD) {
            held.add(new Held(vertx.getOrCreateContext(), () -> hand(in, body, watch, write)));
        } else if (turn == Turn.REFUSED) {
            refuse(in, 403);
        } else if (turn == Turn.PUT_OFF) {
            refuse(in, 429);
        } else if (turn == Turn.UNANSWERED) {
            count(in, "answer lost");
            var _ = send(in, body)
                    .compose(HttpClientResponse::body)
                    .onComplete(answer -> in.connection().close());
        } else if (hits(Trouble.BUSY)) {
            refuse(in, 429);
        } else if ((watch || in.getParam("limit") != null) && hits(Trouble.FORGOTTEN)) {
            refuse(in, 410);
        } else if (hits(Trouble.DROP)) {
            count(in, "dropped");
            in.connection().close();
        } else if (hits(Trouble.ERROR)) {
            // A GET never conflicts.
            refuse(in, ERRORS.get(random.nextInt(write ? 0 : 1, ERRORS.size())));
        } else if (!watch && hits(Trouble.SLOW)) {
            long most = weather.stream()
                    .filter(some -> some.trouble() == Trouble.SLOW)
                    .mapToLong(some -> some.most().toMillis())
                    .max()
                    .orElse(1);
            vertx.setTimer(1 + random.nextLong(most), timer -> hand(in, body, watch, write));
        } else {
            hand(in, body, watch, write);
        }
    }

    private void refuse(HttpServerRequest in, int code) {
        count(in, "refused with " + code);
        HttpServerResponse out = in.response().setStatusCode(code).putHeader("Content-Type", "application/json");
        if (code == 429) {
            out.putHeader("Retry-After", "1");
        }
        var _ = out.end("""
                {"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":"%s","message":"a fault of the test"}""".formatted(code, REASONS.getOrDefault(code, "InternalError")));
    }

    private void hand(HttpServerRequest in, Buffer body, boolean watch, boolean write) {
        boolean twice = in.uri().endsWith("/binding") && hits(Trouble.BIND_TWICE);
        if (twice) {
            count(in, "made twice");
        }
        Future<?> first = twice ? send(in, body).compose(HttpClientResponse::body) : Future.succeededFuture();
        var _ = first.compose(ignored -> send(in, body).compose(response -> {
                    if (watch) {
                        watch(in, response);
                        return Future.succeededFuture();
                    }
                    return response.body().onSuccess(answer -> answer(in, response, answer, write));
                }))
                .onFailure(broken -> in.connection().close());
    }

    private Future<HttpClientResponse> send(HttpServerRequest in, Buffer body) {
        RequestOptions options =
                new RequestOptions().setMethod(in.method()).setURI(in.uri()).setHeaders(copy(in.headers()));
        return client.request(options).compose(request -> body.length() == 0 ? request.send() : request.send(body));
    }

    private static MultiMap copy(MultiMap headers) {
        MultiMap copy = MultiMap.caseInsensitiveMultiMap();
        headers.forEach((name, value) -> {
            if (!OF_A_CONNECTION.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                copy.add(name, value);
            }
        });
        return copy;
    }

    private void answer(HttpServerRequest in, HttpClientResponse response, Buffer answer, boolean write) {
        if (write && hits(Trouble.LOSE_REPLY)) {
            count(in, "answer lost");
            in.connection().close();
            return;
        }
        HttpServerResponse out = in.response().setStatusCode(response.statusCode());
        out.headers().addAll(copy(response.headers()));
        if (answer.length() > 1 && hits(Trouble.TRUNCATE)) {
            count(in, "answer broken off");
            out.putHeader(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(answer.length()));
            var _ = out.write(answer.slice(0, answer.length() / 2))
                    .onComplete(written -> in.connection().close());
            return;
        }
        var _ = out.end(answer);
    }

    /** Forwards a watch of a WebSocket client: bytes in both directions. */
    private void upgrade(HttpServerRequest in) {
        if (hits(Trouble.DROP)) {
            in.connection().close();
            return;
        }
        int refusal = hits(Trouble.BUSY)
                ? 429
                : hits(Trouble.FORGOTTEN)
                        ? 410
                        : hits(Trouble.ERROR) ? ERRORS.get(random.nextInt(1, ERRORS.size())) : 0;
        if (refusal != 0) {
            in.resume();
            refuse(in, refusal);
            return;
        }
        MultiMap headers = copy(in.headers()).add(HttpHeaderNames.CONNECTION, "Upgrade");
        var _ = client.request(new RequestOptions().setURI(in.uri()).setHeaders(headers))
                .compose(HttpClientRequest::connect)
                .compose(response -> {
                    if (response.statusCode() != SWITCHING_PROTOCOLS) {
                        in.resume();
                        return response.body()
                                .onSuccess(answer -> answer(in, response, answer, false))
                                .mapEmpty();
                    }
                    in.response().setStatusCode(SWITCHING_PROTOCOLS).headers().addAll(response.headers());
                    return in.toNetSocket()
                            .onSuccess(down -> join(resource(in), response.netSocket(), down))
                            .mapEmpty();
                })
                .onFailure(broken -> in.connection().close());
    }

    /** The resource of a list or watch of all namespaces, which is the last part of the path. */
    private static String resource(HttpServerRequest in) {
        String path = Objects.requireNonNullElse(in.path(), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private void begins(Watch watch) {
        watches.add(watch);
        if (hanging.contains(watch.resource)) {
            watch.stall(true);
        }
    }

    private void join(String resource, NetSocket up, NetSocket down) {
        Watch watch = new Watch(resource, vertx.getOrCreateContext(), up, down, down::close);
        begins(watch);
        up.handler(watch::bring);
        down.handler(up::write);
        up.closeHandler(closed -> watch.over());
        down.closeHandler(closed -> {
            watches.remove(watch);
            var _ = up.close();
        });
    }

    private void watch(HttpServerRequest in, HttpClientResponse response) {
        HttpServerResponse out =
                in.response().setStatusCode(response.statusCode()).setChunked(true);
        out.headers().addAll(copy(response.headers()));
        Watch watch = new Watch(
                resource(in),
                vertx.getOrCreateContext(),
                response,
                out,
                () -> in.connection().close());
        begins(watch);
        response.handler(watch::bring);
        response.endHandler(end -> {
            watches.remove(watch);
            var _ = out.end();
        });
        response.exceptionHandler(broken -> watch.breakOff());
        out.closeHandler(gone -> {
            watches.remove(watch);
            response.request().reset();
        });
        // The answer's head is sent before the first event.
        var _ = out.write(Buffer.buffer());
    }

    /** An open watch. Data comes {@code up} from the API server and goes {@code down} to the client. */
    private static final class Watch {
        private final String resource;
        private final Context context;
        private final ReadStream<Buffer> up;
        private final WriteStream<Buffer> down;
        private final Runnable end;
        private boolean stalled;
        private boolean over;

        Watch(String resource, Context context, ReadStream<Buffer> up, WriteStream<Buffer> down, Runnable end) {
            this.resource = resource;
            this.context = context;
            this.up = up;
            this.down = down;
            this.end = end;
        }

        void bring(Buffer events) {
            var _ = down.write(events);
            if (down.writeQueueFull()) {
                up.pause();
                down.drainHandler(drained -> {
                    if (!stalled) {
                        up.resume();
                    }
                });
            }
        }

        void stall(boolean now) {
            context.runOnContext(ignored -> {
                stalled = now;
                var _ = now ? up.pause() : up.resume();
                if (over && !stalled) {
                    end.run();
                }
            });
        }

        /** Called when the API server has ended the watch. A hanging watch does not tell the client. */
        void over() {
            context.runOnContext(ignored -> {
                over = true;
                if (!stalled) {
                    end.run();
                }
            });
        }

        void breakOff() {
            context.runOnContext(ignored -> end.run());
        }
    }
}
