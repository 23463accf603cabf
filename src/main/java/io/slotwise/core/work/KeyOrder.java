package io.slotwise.core.work;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Puts many things in the order of a number that each has to be asked for through others: each is asked once, not with
 * every comparison.
 */
public final class KeyOrder {
    private KeyOrder() {}

    private record Keyed<T>(long key, T what) {}

    /**
     * These by their keys, the least first; not to be changed. O(n log n).
     *
     * @param ties the order of those whose keys are the same
     */
    public static <T> List<T> of(
            Collection<? extends T> things, ToLongFunction<? super T> key, Comparator<? super T> ties) {
        List<Keyed<T>> keyed = new ArrayList<>(things.size());
        things.forEach(thing -> keyed.add(new Keyed<>(key.applyAsLong(thing), thing)));
        keyed.sort((one, other) ->
                one.key == other.key ? ties.compare(one.what, other.what) : Long.compare(one.key, other.key));
        return keyed.stream().map(Keyed::what).toList();
    }
}
