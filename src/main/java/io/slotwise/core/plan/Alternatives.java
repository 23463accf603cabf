package io.slotwise.core.plan;

import io.slotwise.core.window.Window;
import java.util.List;

/**
 * The windows of one gang that its batch may choose from.
 *
 * @param contender which gang
 * @param windows the best first by its own criterion, a promise at the head; empty: none was found
 */
record Alternatives(Contender contender, List<Window> windows) {
    Alternatives {
        windows = List.copyOf(windows);
    }

    /** The promise of a gang that looks for nothing else. */
    static Alternatives promised(Contender contender) {
        return new Alternatives(contender, List.of(contender.promisedWindow()));
    }
}
