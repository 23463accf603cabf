package io.slotwise.core.ledger;

import io.slotwise.core.resource.Share;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many times what they were promised the pods of a gang take of their nodes, since they were resized while they
 * ran. Bounded, so that a record that has them is.
 *
 * @param byPod the sizes of a pod by the second from which on it has each, since the epoch; those of {@link #OTHERS}
 *     are those of all pods that have none of their own
 */
public record PodSizes(SortedMap<String, NavigableMap<Long, Share>> byPod) {
    /** All pods take what they were promised. */
    public static final PodSizes NONE = new PodSizes(Collections.emptySortedMap());

    /** As many sizes of a gang are kept. After that a pod is as large as it was or became since its last one. */
    public static final int MOST = 64;

    /** Stands for the pods that were resized when there were too many sizes already: as large as the largest of them. */
    public static final String OTHERS = "";

    public PodSizes {
        byPod = Collections.unmodifiableSortedMap(new TreeMap<>(byPod));
    }

    /** The sizes of a pod by second; before the first one it takes what it was promised. */
    NavigableMap<Long, Share> of(String pod) {
        return byPod.getOrDefault(pod, byPod.getOrDefault(OTHERS, Collections.emptyNavigableMap()));
    }

    /** Since when a pod takes more than it was promised, seconds since the epoch; empty: it does not. */
    public OptionalLong grownSince(String pod) {
        NavigableMap<Long, Share> sizes = of(pod);
        return sizes.isEmpty() || sizes.lastEntry().getValue().compareTo(Share.ALL) <= 0
                ? OptionalLong.empty()
                : OptionalLong.of(sizes.lastKey());
    }

    /** The same with the size of a pod at second {@code now}, which is not before its last one. */
    public PodSizes with(String pod, Share size, long now) {
        boolean full = byPod.values().stream().mapToInt(NavigableMap::size).sum() >= MOST;
        String key = full && !byPod.containsKey(pod) ? OTHERS : pod;
        NavigableMap<Long, Share> known = byPod.getOrDefault(key, Collections.emptyNavigableMap());
        Share last = known.isEmpty() ? Share.ALL : known.lastEntry().getValue();
        int change = size.compareTo(last);
        if (change == 0 || (full && change < 0)) {
            return this;
        }
        NavigableMap<Long, Share> after = new TreeMap<>(known);
        after.put(full && !known.isEmpty() ? known.lastKey() : now, size);
        SortedMap<String, NavigableMap<Long, Share>> all = new TreeMap<>(byPod);
        all.put(key, after);
        return new PodSizes(all);
    }
}
