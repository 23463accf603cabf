package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;

/**
 * The window that a gang has with nodes that are bought.
 *
 * @param expectedCost the cost with what is to be expected of spot nodes that are taken away; without any the window's
 */
public record Acquisition(Window window, List<Purchase> purchases, Cost expectedCost) {
    public Acquisition {
        purchases = List.copyOf(purchases);
    }

    /** The same in which nodes that are bought have other names. */
    public Acquisition named(Map<String, String> names) {
        return new Acquisition(
                window.on(names),
                purchases.stream()
                        .map(purchase -> purchase.named(names.getOrDefault(purchase.node(), purchase.node())))
                        .toList(),
                expectedCost);
    }
}
