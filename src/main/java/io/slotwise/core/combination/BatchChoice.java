package io.slotwise.core.combination;

import java.util.List;

/** The index of each group's item, and an upper bound of the excess of the sum of values over the least one. */
public record BatchChoice(List<Integer> items, long error) {
    public BatchChoice {
        items = List.copyOf(items);
        if (error < 0) {
            throw new IllegalArgumentException("The error (%d) must not be negative.".formatted(error));
        }
    }
}
