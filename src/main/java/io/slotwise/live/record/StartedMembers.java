package io.slotwise.live.record;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pods that a gang has started with.
 *
 * @param startedAt when the start was made durable, seconds since the epoch; empty: it has not started
 * @param uids of the pods by name, as the record has them; empty: a record from before they were kept, or no start
 */
public record StartedMembers(OptionalLong startedAt, SortedMap<String, String> uids) {
    /** A gang that has not started. */
    public static final StartedMembers NONE = new StartedMembers(OptionalLong.empty(), Collections.emptySortedMap());

    public StartedMembers {
        uids = Collections.unmodifiableSortedMap(new TreeMap<>(uids));
    }

    /** Whether it is known by UID who is a member. */
    public boolean areKnown() {
        return startedAt.isPresent() && !uids.isEmpty();
    }

    /** Whether the pod with this name and UID is one of them; only if they {@link #areKnown}. */
    public boolean has(String pod, String uid) {
        String known = uids.get(pod);
        return known != null && known.equals(uid);
    }
}
