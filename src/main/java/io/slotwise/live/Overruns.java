package io.slotwise.live;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.Announcer.Announcement;
import io.slotwise.live.Announcer.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Has members evicted that have run too long. A disruption budget that refuses is asked again after a while, for as long as they run. Safe for
 * threads.
 */
final class Overruns {
    /** How long a gang's members are left alone after they were evicted or a budget has refused that, seconds. */
    static final long REPEATED_SECONDS = 10;

    private final Gatekeeper gatekeeper;
    private final Map<GangId, Long> asked = new ConcurrentHashMap<>();

    Overruns(Gatekeeper gatekeeper) {
        this.gatekeeper = gatekeeper;
    }

    /** Evicts members of one gang, if that was not tried a moment ago; what is to be told of it. */
    List<Announcement> end(GangId gang, List<Member> overdue, long now) {
        asked.values().removeIf(second -> second > now || now >= second + REPEATED_SECONDS);
        if (overdue.isEmpty() || asked.putIfAbsent(gang, now) != null) {
            return List.of();
        }
        SortedMap<String, String> refused = gatekeeper.evictIfAllowed(gang, overdue);
        List<String> evicted = overdue.stream()
                .map(Member::pod)
                .filter(pod -> !refused.containsKey(pod))
                .toList();
        List<Announcement> told = new ArrayList<>();
        if (!evicted.isEmpty()) {
            told.add(new Announcement(
                    Reason.OVERRUN_EVICTED,
                    "%s ran past the promised end and the grace of the policy: evicted (overrun: evict)"
                            .formatted(LifeCycle.shortly(evicted))));
        }
        if (!refused.isEmpty()) {
            told.add(new Announcement(
                    Reason.EVICTION_REFUSED,
                    "%s ran past the promised end and cannot be evicted now (%s); retrying every %d s"
                            .formatted(
                                    LifeCycle.shortly(List.copyOf(refused.keySet())),
                                    refused.values().iterator().next(),
                                    REPEATED_SECONDS)));
        }
        return told;
    }
}
