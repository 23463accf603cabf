package io.slotwise.core.combination;

import java.util.List;

/**
 * One item of every group.
 *
 * @param items for each group the index of its item
 * @param error how far the sum of values may lie above the least one at most; 0: it is the least
 */
public record BatchChoice(List<Integer> items, long error) {
    public BatchChoice {
        items = List.copyOf(items);
        if (error < 0) {
            throw new IllegalArgumentException("The error (%d) must not be negative.".formatted(error));
        }
    }
}
