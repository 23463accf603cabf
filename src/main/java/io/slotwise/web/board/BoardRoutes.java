package io.slotwise.web.board;

import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.web.access.AccessDenied;
import io.slotwise.web.access.Bulkhead;
import io.slotwise.web.access.CallerAccess;
import io.slotwise.web.access.CallerTurns;
import io.slotwise.web.access.NamespaceScope;
import io.slotwise.web.board.BoardFeed.Place;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Serves the board's document and its events. */
@Singleton
final class BoardRoutes {
    private static final String DOCUMENT = "/api/v1/board";
    private static final String EVENTS = "/api/v1/board/events";
    private static final String JSON = "application/json";
    private static final String GZIP = "gzip";

    private final BoardFeed feed;
    private final CallerTurns turns;

    BoardRoutes(BoardFeed feed, CallerTurns turns) {
        this.feed = feed;
        this.turns = turns;
    }

    void register(@Observes Router router) {
        router.get(DOCUMENT).blockingHandler(this::document, false);
        router.get(EVENTS).handler(this::events);
    }

    private void document(RoutingContext call) {
        try {
            CallerAccess access = CallerAccess.of(call);
            NamespaceScope scope = access.scope();
            send(call, turns.take(access.share(), () -> feed.versionFor(scope)));
        } catch (AccessDenied e) {
            e.answer(call);
        } catch (Bulkhead.Busy e) {
            AccessDenied.busy(e).answer(call);
        }
    }

    private static void send(RoutingContext call, BoardVersion version) {
        String accepted = call.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        boolean gzip = accepted != null && accepted.contains(GZIP);
        HttpServerResponse response = call.response();
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.VARY, "Accept-Encoding");
        if (gzip) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, GZIP);
        }
        var _ = response.end(Buffer.buffer(version.bytes(gzip)));
    }

    private void events(RoutingContext call) {
        Context context = call.vertx().getOrCreateContext();
        Thread.startVirtualThread(() -> {
            try {
                CallerAccess access = CallerAccess.of(call);
                NamespaceScope scope = access.scope();
                context.runOnContext(_ -> listen(call, access, scope));
            } catch (AccessDenied e) {
                context.runOnContext(_ -> e.answer(call));
            }
        });
    }

    private void listen(RoutingContext call, CallerAccess access, NamespaceScope scope) {
        HttpServerResponse response = call.response();
        if (response.closed()) {
            return;
        }
        String since = call.request().getParam("since", "");
        Place place = feed.join(new Connection(response, access.share()), since, scope);
        if (place == null) {
            var _ = response.setStatusCode(HttpURLConnection.HTTP_UNAVAILABLE)
                    .putHeader("Retry-After", "60")
                    .end("Too many boards are open; close some of them.\n");
            return;
        }
        long looks =
                call.vertx().setPeriodic(CallerReview.HOLDS.toMillis(), timer -> lookAgain(call, access, place, timer));
        response.closeHandler(_ -> {
            call.vertx().cancelTimer(looks);
            place.leave();
        });
        response.exceptionHandler(_ -> place.leave());
    }

    /**
     * Checks the access of a listener again: it must not outlive its token or its rights. If that fails, the page has
     * to reconnect.
     */
    private static void lookAgain(RoutingContext call, CallerAccess access, Place place, long timer) {
        Context context = call.vertx().getOrCreateContext();
        Thread.startVirtualThread(() -> {
            try {
                place.see(access.renewed().scope());
            } catch (AccessDenied e) {
                place.leave();
                context.runOnContext(_ -> {
                    call.vertx().cancelTimer(timer);
                    if (!call.response().closed() && !call.response().ended()) {
                        var _ = call.response().end();
                    }
                });
            }
        });
    }

    private static final class Connection implements BoardFeed.Listener {
        private final HttpServerResponse response;
        private final @Nullable String caller;

        private Connection(HttpServerResponse response, @Nullable String caller) {
            this.response = response;
            this.caller = caller;
            response.setChunked(true)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    // A buffering proxy would deliver events late.
                    .putHeader("X-Accel-Buffering", "no");
        }

        @Override
        public CompletionStage<?> send(String event, String data) {
            return response.write("event: " + event + "\ndata: " + data + "\n\n")
                    .toCompletionStage();
        }

        @Override
        public @Nullable String caller() {
            return caller;
        }

        @Override
        public void close() {
            var _ = response.reset();
        }
    }
}
