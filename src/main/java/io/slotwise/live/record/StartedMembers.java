package io.slotwise.live.record;

import io.slotwise.core.window.Placement;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pods that a gang has started with.
 *
 * @param startedAt when the start was made durable, seconds since the epoch; empty: it has not started
 * @param uids of the pods by name, as the record has them; empty: a record from before they were kept, or no start
 * @param late the seats of the window whose pods come only when those are ready, by name
 */
public record StartedMembers(OptionalLong startedAt, SortedMap<String, String> uids, List<Placement> late) {
    /** How long the seats of late pods are kept for them from the start on, seconds. */
    public static final long LATE_SECONDS = 600;

    /** A gang that has not started. */
    public static final StartedMembers NONE = new StartedMembers(OptionalLong.empty(), Collections.emptySortedMap());

    /** A gang whose pods all have started. */
    public StartedMembers(OptionalLong startedAt, SortedMap<String, String> uids) {
        this(startedAt, uids, List.of());
    }

    public StartedMembers {
        late = List.copyOf(late);
        uids = Collections.unmodifiableSortedMap(new TreeMap<>(uids));
    }

    /** Whether it is known by UID who is a member. */
    public boolean areKnown() {
        return startedAt.isPresent() && !uids.isEmpty();
    }

    /** The seats that are kept at this second for pods that come late. */
    public List<Placement> keptAt(long now) {
        return startedAt.isPresent() && now < startedAt.getAsLong() + LATE_SECONDS ? late : List.of();
    }

    /** Whether a pod of this name has come late: it has the name of a seat, or another end than that. */
    public boolean isLate(String pod) {
        return late.stream()
                .map(Placement::pod)
                .anyMatch(seat -> pod.equals(seat) || pod.startsWith(seat.substring(0, seat.lastIndexOf('-') + 1)));
    }

    /** Whether the pod with this name and UID is one of them; only if they {@link #areKnown}. */
    public boolean has(String pod, String uid) {
        String known = uids.get(pod);
        return known != null && known.equals(uid);
    }
}
