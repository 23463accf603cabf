package io.slotwise.cli.server;

import io.quarkus.vertx.http.HttpServer;
import io.quarkus.vertx.http.HttpServerStart;
import io.slotwise.cli.console.Browser;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.io.PrintWriter;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Prints the address of this process's board once it answers, if a user waits for it. */
@Singleton
final class BoardAnnouncement {
    /** The property that says whether to open the board in a browser. Without it no user waits for the board. */
    static final String OPEN = "slotwise.board.open";

    private final HttpServer server;
    private final Optional<Boolean> open;

    BoardAnnouncement(HttpServer server, @ConfigProperty(name = OPEN) Optional<Boolean> open) {
        this.server = server;
        this.open = open;
    }

    void listening(@ObservesAsync HttpServerStart event) {
        if (open.isEmpty()) {
            return;
        }
        String url = "http://127.0.0.1:%d/".formatted(server.getPort());
        System.out.printf("The board: %s   metrics: %smetrics   Ctrl-C ends it.%n%n", url, url);
        if (open.get()) {
            Browser.open(url, new PrintWriter(System.err, true, System.err.charset()));
        }
    }
}
