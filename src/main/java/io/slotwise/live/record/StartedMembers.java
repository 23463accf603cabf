package io.slotwise.live.record;

import io.slotwise.core.window.Placement;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pods that a gang started with, and the placements that its late pods may still take.
 *
 * @param startedAt when the start was made durable, seconds since the epoch; empty before the start
 * @param uids the UIDs of the pods by name; empty before the start, or in a record that was written before they were
 *     stored
 * @param late the placements of late pods, which their controller creates only when the first pods are ready
 */
public record StartedMembers(OptionalLong startedAt, SortedMap<String, String> uids, List<Placement> late) {
    /** The time from the start for which the room of late pods is kept, seconds. */
    public static final long LATE_SECONDS = 600;

    public static final StartedMembers NONE = new StartedMembers(OptionalLong.empty(), Collections.emptySortedMap());

    public StartedMembers(OptionalLong startedAt, SortedMap<String, String> uids) {
        this(startedAt, uids, List.of());
    }

    public StartedMembers {
        late = List.copyOf(late);
        uids = Collections.unmodifiableSortedMap(new TreeMap<>(uids));
    }

    /** Returns whether the UIDs of the members are known. */
    public boolean areKnown() {
        return startedAt.isPresent() && !uids.isEmpty();
    }

    /** Returns the placements that are kept for late pods at this second. */
    public List<Placement> keptAt(long now) {
        return startedAt.isPresent() && now < startedAt.getAsLong() + LATE_SECONDS ? late : List.of();
    }

    /**
     * Returns whether a pod is a late one: its name is that of a late placement, except perhaps for the random suffix
     * after the last hyphen.
     */
    public boolean isLate(String pod) {
        return late.stream()
                .map(Placement::pod)
                .anyMatch(latePod ->
                        pod.equals(latePod) || pod.startsWith(latePod.substring(0, latePod.lastIndexOf('-') + 1)));
    }

    /** Returns whether the pod is a member, which requires {@link #areKnown}. */
    public boolean has(String pod, String uid) {
        String known = uids.get(pod);
        return known != null && known.equals(uid);
    }
}
