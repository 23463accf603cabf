package io.slotwise.it.browser;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A browser for all tests of a class, started when the first test needs it. */
final class SharedChromium implements AutoCloseable {
    private @Nullable Chromium started;

    /** The browser, on the pages of the program at this address. */
    Chromium on(URI root) {
        Chromium known = started;
        if (known == null) {
            known = new Chromium(root);
            started = known;
        }
        return known;
    }

    @Override
    public void close() {
        if (started != null) {
            started.close();
            started = null;
        }
    }
}
