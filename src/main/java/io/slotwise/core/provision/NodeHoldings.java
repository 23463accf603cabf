package io.slotwise.core.provision;

import java.util.List;

/**
 * What was bought before a plan is made, as far as it counts against limits.
 *
 * @param orders nodes that are there or are on their way, or whose purchase is promised
 * @param others nodes that are bought and in no order: given up, and not gone yet; not negative
 * @param expenses of all purchases that count, those of {@code orders} among them
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
