package io.slotwise.core.combination;

import java.util.List;

/** The index of the item of each group, and how far the sum of values may lie above the least one at most. */
public record BatchChoice(List<Integer> items, long error) {
    public BatchChoice {
        items = List.copyOf(items);
        if (error < 0) {
            throw new IllegalArgumentException("The error (%d) must not be negative.".formatted(error));
        }
    }
}
