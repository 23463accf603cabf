package io.slotwise.core.provision;

import java.util.List;

/**
 * The earlier purchases that count against limits.
 *
 * @param orders the nodes that exist or are on their way, or whose purchase is promised
 * @param others the number of bought nodes in no order: given up, but not gone yet
 * @param expenses the expenses of all purchases that count, including {@code orders}
 */
public record NodeHoldings(List<PurchaseOrder> orders, int others, List<Expense> expenses) {
    public static final NodeHoldings NONE = new NodeHoldings(List.of(), 0, List.of());

    public NodeHoldings {
        orders = List.copyOf(orders);
        expenses = List.copyOf(expenses);
        if (others < 0) {
            throw new IllegalArgumentException(
                    "The number of other nodes (%d) must not be negative.".formatted(others));
        }
    }

    public int nodes() {
        return orders.size() + others;
    }
}
