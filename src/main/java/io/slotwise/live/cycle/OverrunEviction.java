package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.PodNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Evicts members that have run too long. A disruption budget that refuses is respected for {@link MoveStops#PATIENCE},
 * with retries, as when a gang makes way. Then the members are deleted. Thread-safe.
 */
final class OverrunEviction {
    /** The pause between two evictions of a gang's members, seconds. */
    static final long REPEATED_SECONDS = 10;

    private final PodReleaser releaser;
    private final Map<GangId, Asked> asked = new ConcurrentHashMap<>();

    /**
     * An eviction that was tried.
     *
     * @param refusedSince when budgets first refused it; null if they did not
     */
    private record Asked(@Nullable Long refusedSince, long last) {}

    OverrunEviction(PodReleaser releaser) {
        this.releaser = releaser;
    }

    /** Forgets all other gangs: a further run of a gang starts from scratch. */
    void retain(Set<GangId> gangs) {
        asked.keySet().retainAll(gangs);
    }

    /** Evicts members of a gang unless that was just tried. Returns the announcements. */
    List<Announcement> end(GangId gang, List<Member> overdue, long now) {
        asked.values().removeIf(knownAsked -> knownAsked.last() > now);
        Asked knownAsked = asked.get(gang);
        if (overdue.isEmpty() || (knownAsked != null && now < knownAsked.last() + REPEATED_SECONDS)) {
            return List.of();
        }
        SortedMap<String, String> refused = releaser.evictIfAllowed(gang, overdue);
        Long refusedSince =
                knownAsked == null || knownAsked.refusedSince() == null ? (Long) now : knownAsked.refusedSince();
        asked.put(gang, new Asked(refused.isEmpty() ? null : refusedSince, now));
        List<String> evicted = overdue.stream()
                .map(Member::pod)
                .filter(pod -> !refused.containsKey(pod))
                .toList();
        List<Announcement> told = new ArrayList<>();
        if (!evicted.isEmpty()) {
            told.add(new Announcement(
                    Reason.OVERRUN_EVICTED,
                    "%s ran past the promised end: evicted".formatted(PodNames.shortly(evicted))));
        }
        if (!refused.isEmpty() && now >= refusedSince + MoveStops.PATIENCE) {
            releaser.evict(
                    gang,
                    overdue.stream()
                            .filter(member -> refused.containsKey(member.pod()))
                            .toList());
            told.add(new Announcement(
                    Reason.OVERRUN_EVICTED,
                    "%s ran past the promised end and could not be evicted for %d s (%s): deleted"
                            .formatted(
                                    PodNames.shortly(List.copyOf(refused.keySet())),
                                    MoveStops.PATIENCE,
                                    refused.values().iterator().next())));
        } else if (!refused.isEmpty()) {
            told.add(new Announcement(
                    Reason.EVICTION_REFUSED,
                    "%s ran past the promised end and cannot be evicted now (%s); retrying for %d s"
                            .formatted(
                                    PodNames.shortly(List.copyOf(refused.keySet())),
                                    refused.values().iterator().next(),
                                    MoveStops.PATIENCE)));
        }
        return told;
    }
}
