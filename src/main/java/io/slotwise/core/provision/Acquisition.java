package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;

/**
 * A gang's window, with the nodes that are bought for it.
 *
 * @param expectedCost the cost including the expected loss of spot nodes, or the window's cost without spot nodes
 */
public record Acquisition(Window window, List<Purchase> purchases, Cost expectedCost) {
    public Acquisition {
        purchases = List.copyOf(purchases);
    }

    public Acquisition named(Map<String, String> names) {
        return new Acquisition(
                window.on(names),
                purchases.stream()
                        .map(purchase -> purchase.named(names.getOrDefault(purchase.node(), purchase.node())))
                        .toList(),
                expectedCost);
    }
}
