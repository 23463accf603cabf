package io.slotwise.live.start;

import io.slotwise.core.money.Currency;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.time.Instant;

/** A window in one line. */
public final class WindowText {
    private WindowText() {}

    /** Returns a window's start, end, number of pods and nodes, and cost. */
    public static String of(Window window, Currency currency) {
        int pods = window.placements().size();
        long nodes =
                window.placements().stream().map(Placement::node).distinct().count();
        return "%s to %s, %d %s on %d %s, cost %s"
                .formatted(
                        Instant.ofEpochSecond(window.start()),
                        Instant.ofEpochSecond(window.end()),
                        pods,
                        pods == 1 ? "pod" : "pods",
                        nodes,
                        nodes == 1 ? "node" : "nodes",
                        currency.of(window.cost().roundedUp()));
    }
}
