package io.slotwise.core.migration;

/**
 * How long the pods of a gang are away when it is stopped: seconds from the moment of their eviction.
 *
 * @param gone until the last of them has left its room for certain, not negative
 * @param back until all of them are there again, made by whoever made them, not less than {@code gone}
 */
public record Stop(long gone, long back) {
    public Stop {
        if (gone < 0 || back < gone) {
            throw new IllegalArgumentException(
                    "The time (%d s) until pods are gone must not be negative, and that (%d s) until they are there again must not be less."
                            .formatted(gone, back));
        }
    }
}
