package io.slotwise.core.combination;

import java.util.List;

/**
 * The end of the batch from which the recursion starts. Both ends give the same optimum; they differ in the length of
 * the lists on the way.
 *
 * <p>A list grows with every folded group, and each of its entries is combined with every item of the next group. So
 * the direction that comes last to the groups with many items is cheaper: those items are tried once against a list
 * that they did not lengthen. {@link #cheaper} adds up the products, with each list counted as long as it could get.
 *
 * <p>Source: the paper on the cyclic scheme, section 1.1, equations (6) and (7).
 */
public enum Direction {
    /** Equation (7): f_i is the best of the groups i, i - 1, ..., 1. The first group is folded in first. */
    FORWARD,
    /** Equation (6): f_i is the best of the groups i, i + 1, ..., n. The last group is folded in first. */
    BACKWARD;

    /** Returns the direction with less work, {@link #FORWARD} if they are equal. O(groups). */
    static Direction cheaper(int[] sizes, int most) {
        long forward = 0;
        long backward = 0;
        long head = 1;
        long tail = 1;
        for (int i = 0; i < sizes.length; i++) {
            int last = sizes[sizes.length - 1 - i];
            forward += head * sizes[i];
            backward += tail * last;
            head = Math.min(most, head * sizes[i]);
            tail = Math.min(most, tail * last);
        }
        return backward < forward ? BACKWARD : FORWARD;
    }

    <T> List<T> order(List<T> groups) {
        return switch (this) {
            case FORWARD -> groups;
            case BACKWARD -> groups.reversed();
        };
    }
}
