package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.List;

/**
 * The window that a gang has with nodes that are bought.
 *
 * @param window with the bills in the costs of the pods that run on the nodes bought for the gang
 * @param purchases the nodes that are bought for it, by name; none if it only uses what others leave idle
 * @param expected the cost with what is to be expected of spot nodes that are taken away; without any the window's
 */
public record Acquisition(Window window, List<Purchase> purchases, Cost expected) {
    public Acquisition {
        purchases = List.copyOf(purchases);
    }
}
