package io.slotwise.core.provision;

import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

    /** The same in which nodes that are bought have other names. */
    public Acquisition named(Map<String, String> names) {
        return new Acquisition(
                window.on(names),
                purchases.stream()
                        .map(purchase -> purchase.named(names.getOrDefault(purchase.node(), purchase.node())))
                        .toList(),
                expected);
    }

    /**
     * The same where some nodes are paid with other amounts, each split as the pods on the node were charged before;
     * the last pod takes what rounding leaves.
     */
    public Acquisition paying(Map<String, Cost> amounts) {
        if (amounts.isEmpty()) {
            return this;
        }
        Map<String, Cost> before = new HashMap<>();
        Map<String, String> last = new HashMap<>();
        for (Placement seat : window.placements()) {
            before.merge(seat.node(), seat.cost(), Cost::plus);
            last.put(seat.node(), seat.pod());
        }
        Map<String, Cost> left = new HashMap<>(amounts);
        List<Placement> seats = new ArrayList<>();
        for (Placement seat : window.placements()) {
            Cost amount = amounts.get(seat.node());
            if (amount == null) {
                seats.add(seat);
                continue;
            }
            BigInteger whole = Objects.requireNonNull(before.get(seat.node())).exact();
            Cost rest = Objects.requireNonNull(left.get(seat.node()));
            Cost part = seat.pod().equals(last.get(seat.node())) || whole.signum() == 0
                    ? rest
                    : Cost.of(amount.exact().multiply(seat.cost().exact()).divide(whole));
            left.put(seat.node(), rest.minus(part));
            seats.add(new Placement(seat.pod(), seat.node(), seat.start(), seat.end(), part));
        }
        Window paid = Window.of(window.gang(), window.start(), seats, window.energy());
        return new Acquisition(paid, purchases, expected.minus(window.cost()).plus(paid.cost()));
    }
}
