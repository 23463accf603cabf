package io.slotwise.it.browser;

import io.quarkus.test.common.http.TestHTTPResource;
import io.slotwise.web.board.BoardFeed;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;

/** Tests of pages of the program that shows the example cluster, in one browser for all tests of a class. */
abstract class ExampleClusterPages {
    private static final SharedChromium BROWSER = new SharedChromium();

    final ExampleCluster cluster;
    final BoardFeed feed;

    @TestHTTPResource("/")
    private URI root = URI.create("http://127.0.0.1");

    ExampleClusterPages(ExampleCluster cluster, BoardFeed feed) {
        this.cluster = cluster;
        this.feed = feed;
    }

    final Chromium browser() {
        return BROWSER.on(root);
    }

    @AfterAll
    static void close() {
        BROWSER.close();
    }
}
