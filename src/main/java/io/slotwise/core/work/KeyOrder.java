package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Sorts by a key that is expensive to compute: once for each element instead of once for each comparison. */
public final class KeyOrder {
    private KeyOrder() {}

    private record Keyed<T>(long key, T what) {}

    /** Returns the elements by their keys, the least first, and by {@code ties}; read-only. O(n log n). */
    public static <T> List<T> of(
            Collection<? extends T> things, ToLongFunction<? super T> key, Comparator<? super T> ties) {
        List<T> all = new ArrayList<>(things);
        long[] keys = new long[all.size()];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int i = 0; i < keys.length; i++) {
            keys[i] = key.applyAsLong(all.get(i));
            least = Math.min(least, keys[i]);
            most = Math.max(most, keys[i]);
        }
        return most - least < 0 || most - least > Integer.MAX_VALUE
                ? byComparing(all, keys, ties)
                : byNumber(all, keys, least, ties);
    }

    /** Sorts numbers with a key above and a position below, which is faster than sorting the elements. */
    private static <T> List<T> byNumber(List<T> all, long[] keys, long least, Comparator<? super T> ties) {
        long[] numbers = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            numbers[i] = ((keys[i] - least) << Integer.SIZE) | i;
        }
        Arrays.sort(numbers);
        List<T> sorted = new ArrayList<>(keys.length);
        for (int from = 0; from < numbers.length; ) {
            int to = from;
            while (to < numbers.length && numbers[to] >>> Integer.SIZE == numbers[from] >>> Integer.SIZE) {
                sorted.add(all.get((int) numbers[to++]));
            }
            if (to - from > 1) {
                sorted.subList(from, to).sort(ties);
            }
            from = to;
        }
        return Collections.unmodifiableList(sorted);
    }

    private static <T> List<T> byComparing(List<T> all, long[] keys, Comparator<? super T> ties) {
        List<Keyed<T>> keyed = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            keyed.add(new Keyed<>(keys[i], all.get(i)));
        }
        keyed.sort((one, other) ->
                one.key == other.key ? ties.compare(one.what, other.what) : Long.compare(one.key, other.key));
        return keyed.stream().map(Keyed::what).toList();
    }
}
