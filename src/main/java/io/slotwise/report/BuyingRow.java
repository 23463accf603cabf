package io.slotwise.report;

import io.slotwise.core.money.Money;
import io.slotwise.core.plan.PurchaseAdvice;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.window.Window;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a gang would have with nodes that are bought, as shown.
 *
 * @param gang {@code namespace/name}
 * @param start first second, since the epoch
 * @param end first second after the last pod's planned end
 * @param cost of the whole gang, rounded up to a millionth
 * @param expected the cost with what is to be expected of nodes that are taken away, rounded up to a millionth
 * @param nodes that are bought for it, by name
 * @param placement one for each pod, by pod name
 * @param waiting what it has without purchases; null: no window
 */
public record BuyingRow(
        String gang,
        long start,
        long end,
        Money cost,
        Money expected,
        List<NodeRow> nodes,
        List<WindowRow.PodRow> placement,
        @Nullable WaitingRow waiting) {
    /**
     * A node that is bought.
     *
     * @param node its name in the plan
     * @param offer what is bought
     * @param bought the second of the purchase, since the epoch
     * @param ready the first second in which pods can be on it
     * @param gone the first second for which it is not paid
     * @param bill all that is paid for it, rounded up to a millionth
     */
    public record NodeRow(String node, String offer, long bought, long ready, long gone, Money bill) {
        static NodeRow of(Purchase purchase) {
            return new NodeRow(
                    purchase.node(),
                    purchase.offer().name(),
                    purchase.bought(),
                    purchase.ready(),
                    purchase.gone(),
                    purchase.bill().roundedUp());
        }
    }

    /**
     * A window on nodes that are there.
     *
     * @param start first second, since the epoch
     * @param end first second after the last pod's planned end
     * @param cost rounded up to a millionth
     */
    public record WaitingRow(long start, long end, Money cost) {}

    public BuyingRow {
        nodes = List.copyOf(nodes);
        placement = List.copyOf(placement);
    }

    /** The row of a gang. */
    public static BuyingRow of(PurchaseAdvice buying) {
        Window window = buying.acquisition().window();
        Window waiting = buying.waiting();
        return new BuyingRow(
                buying.gang().id().toString(),
                window.start(),
                window.end(),
                window.cost().roundedUp(),
                buying.acquisition().expected().roundedUp(),
                buying.acquisition().purchases().stream().map(NodeRow::of).toList(),
                WindowRow.pods(window),
                waiting == null
                        ? null
                        : new WaitingRow(
                                waiting.start(), waiting.end(), waiting.cost().roundedUp()));
    }

    /**
     * What is bought in words: {@code 2 x g5.xlarge}; of a gang that only uses what others leave idle, on whose nodes.
     */
    String bought() {
        return nodes.isEmpty()
                ? "uses "
                        + placement.stream()
                                .map(WindowRow.PodRow::node)
                                .distinct()
                                .sorted()
                                .collect(Collectors.joining(" "))
                : bought(nodes.stream().map(NodeRow::offer).toList());
    }

    /** The number of each offer in words. */
    static String bought(List<String> offers) {
        Map<String, Integer> counts = new TreeMap<>();
        offers.forEach(offer -> counts.merge(offer, 1, Integer::sum));
        return counts.entrySet().stream()
                .map(offer -> offer.getValue() + " x " + offer.getKey())
                .collect(Collectors.joining(", "));
    }
}
