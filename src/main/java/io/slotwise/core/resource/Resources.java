package io.slotwise.core.resource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of named resources, immutable and sorted by name: {@code cpu} in milli-cores, {@code memory} and storage in
 * bytes, everything else in whole units. A missing name counts as zero, and zero amounts are not kept. Names that are
 * no resource are {@link Place}s.
 */
public final class Resources {
    /** Milli-cores. */
    public static final String CPU = "cpu";
    /** Bytes. */
    public static final String MEMORY = "memory";
    /** The number of pods that a node takes. Every pod uses one. */
    public static final String PODS = "pods";

    public static final Resources NONE = new Resources(new String[0], new long[0]);

    private final String[] names;
    private final long[] amounts;

    private Resources(String[] names, long[] amounts) {
        this.names = names;
        this.amounts = amounts;
    }

    /** Returns the given amounts, none of which may be negative. */
    public static Resources of(Map<String, Long> amounts) {
        TreeMap<String, Long> sorted = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            if (amount < 0) {
                throw new IllegalArgumentException(
                        "The amount (%d) of %s must not be negative.".formatted(amount, name));
            }
            if (amount > 0) {
                sorted.put(name, amount);
            }
        });
        return new Resources(
                sorted.keySet().toArray(String[]::new),
                sorted.values().stream().mapToLong(Long::longValue).toArray());
    }

    public static Resources most(List<Resources> of) {
        TreeMap<String, Long> most = new TreeMap<>();
        of.forEach(resources -> resources.asMap().forEach((name, amount) -> most.merge(name, amount, Math::max)));
        return of(most);
    }

    public int size() {
        return names.length;
    }

    /** Returns the {@code i}-th name in alphabetical order. */
    public String name(int i) {
        return names[i];
    }

    /** Returns the amount of the {@code i}-th name. */
    public long amount(int i) {
        return amounts[i];
    }

    /** Returns the amount of {@code name}, zero if it is missing; O(log size). */
    public long get(String name) {
        int i = indexOf(name);
        return i < 0 ? 0 : amounts[i];
    }

    /** Returns the position of {@code name}, or a negative number; O(log size). */
    public int indexOf(String name) {
        return Arrays.binarySearch(names, name);
    }

    /** Returns the sum by name, for display: {@link Long#MAX_VALUE} where it overflows. */
    public Resources plus(Resources other) {
        return plus(other, 1);
    }

    /** Returns the sum with {@code count} times the others by name: {@link Long#MAX_VALUE} where it overflows. */
    public Resources plus(Resources other, long count) {
        SortedMap<String, Long> sum = asMap();
        for (int i = 0; i < other.names.length; i++) {
            long all = other.amounts[i] > Long.MAX_VALUE / count ? Long.MAX_VALUE : other.amounts[i] * count;
            sum.merge(other.names[i], all, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b);
        }
        return of(sum);
    }

    /** Returns these resources with {@code amount} under {@code name}. */
    public Resources with(String name, long amount) {
        SortedMap<String, Long> changed = asMap();
        changed.put(name, amount);
        return of(changed);
    }

    /** Returns the amounts without places and marks; O(size). */
    public Resources amounts() {
        return without(Place::is);
    }

    /** Returns the resources without marks; O(size). */
    public Resources withoutMarks() {
        return without(Place::isMark);
    }

    /** Returns whether there is a mark; O(size). */
    public boolean hasMarks() {
        for (String name : names) {
            if (Place.isMark(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the places and marks alone; O(size). */
    public Resources places() {
        return without(name -> !Place.is(name));
    }

    private Resources without(Predicate<String> left) {
        if (Arrays.stream(names).noneMatch(left)) {
            return this;
        }
        SortedMap<String, Long> changed = asMap();
        changed.keySet().removeIf(left);
        return of(changed);
    }

    /** Returns the largest share of this request in the amounts of {@code allocatable}, except {@link #PODS}. */
    public Share dominantShareOf(Resources allocatable) {
        Share largestShare = Share.NONE;
        for (int i = 0; i < names.length; i++) {
            long whole = allocatable.get(names[i]);
            if (whole > 0 && !names[i].equals(PODS) && !Place.is(names[i])) {
                Share share = new Share(amounts[i], whole);
                largestShare = share.compareTo(largestShare) > 0 ? share : largestShare;
            }
        }
        return largestShare;
    }

    /** Returns {@code count} times these resources, or null on overflow. */
    public @Nullable Resources copies(long count) {
        long[] all = amounts.clone();
        for (int i = 0; i < all.length; i++) {
            if (all[i] > Long.MAX_VALUE / count) {
                return null;
            }
            all[i] *= count;
        }
        return new Resources(names, all);
    }

    /** Returns how many times {@code request} fits into these resources. */
    public long times(Resources request) {
        long most = Integer.MAX_VALUE;
        for (int i = 0; i < request.names.length; i++) {
            most = Math.min(most, get(request.names[i]) / request.amounts[i]);
        }
        return most;
    }

    public SortedMap<String, Long> asMap() {
        TreeMap<String, Long> map = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], amounts[i]);
        }
        return map;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Resources resources
                && Arrays.equals(names, resources.names)
                && Arrays.equals(amounts, resources.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(amounts);
    }

    @Override
    public String toString() {
        return asMap().toString();
    }
}
