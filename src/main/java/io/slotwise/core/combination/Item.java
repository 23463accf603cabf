package io.slotwise.core.combination;

import org.jspecify.annotations.Nullable;

/**
 * An item of a group: an alternative of a gang.
 *
 * @param value to be summed and minimized, possibly negative
 * @param weight to be summed and limited, not negative
 * @param account the account that pays, or null
 * @param charge to be summed per account and kept within its balance, 1/3600 millionths, not negative
 */
public record Item(long value, long weight, @Nullable Account account, long charge) {
    public Item {
        if (weight < 0 || charge < 0) {
            throw new IllegalArgumentException(
                    "The weight (%d) and the charge (%d) of an item must not be negative.".formatted(weight, charge));
        }
    }

    public static Item of(long value, long weight) {
        return new Item(value, weight, null, 0);
    }
}
