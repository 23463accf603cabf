package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.port.PodReleaser;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.PodNames;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stops running gangs that make way, each as a whole. The planner only chooses gangs whose disruption budgets allow it,
 * so a budget that refuses has changed since. It is respected for {@link #PATIENCE}, with retries after growing pauses,
 * while the whole gang keeps running. Then the gang is stopped anyway: its run is over by its record and its room is
 * promised to others. The extra time is charged as overrun ({@link MigrationHistory#stayed}). A new leader starts
 * without known refusals. Thread-safe.
 */
final class MoveStops {
    /** The time for which a refusal is respected, seconds. */
    static final long PATIENCE = MigrationHistory.KEPT_SECONDS;
    /** The first pause in seconds; each further one is twice as long. */
    static final long PAUSE = 5;
    /** The time after which a refusal that is not asked again is forgotten, seconds. */
    private static final long REMEMBERED = 10 * PATIENCE;

    private final PodReleaser releaser;
    private final Map<GangId, Refused> refusals = new ConcurrentHashMap<>();

    /**
     * A gang that disruption budgets keep.
     *
     * @param since when a budget first refused
     */
    private record Refused(long since, long next, long pause) {
        static Refused first(long now) {
            return new Refused(now, now + PAUSE, PAUSE);
        }

        Refused again(long now) {
            return new Refused(since, Math.min(now + 2 * pause, since + PATIENCE), 2 * pause);
        }
    }

    MoveStops(PodReleaser releaser) {
        this.releaser = releaser;
    }

    /** Stops the members unless a pause is running. Returns the announcements. */
    List<Announcement> end(GangId gang, List<Member> leaving, long now) {
        refusals.values()
                .removeIf(knownRefused -> knownRefused.since() > now || now > knownRefused.since() + REMEMBERED);
        if (leaving.isEmpty()) {
            refusals.remove(gang);
            return List.of();
        }
        Refused knownRefused = refusals.get(gang);
        if (knownRefused != null && now < knownRefused.next()) {
            return List.of();
        }
        SortedMap<String, String> kept = releaser.evictTogether(gang, leaving);
        if (kept.isEmpty()) {
            refusals.remove(gang);
            return List.of();
        }
        String pods = PodNames.shortly(List.copyOf(kept.keySet()));
        String why = kept.values().iterator().next();
        if (knownRefused != null && now >= knownRefused.since() + PATIENCE) {
            refusals.remove(gang);
            releaser.evict(gang, leaving);
            return told(("%s had to make room and could not be evicted for %d s (%s): the whole gang is deleted, "
                            + "since its room is promised to others")
                    .formatted(pods, PATIENCE, why));
        }
        refusals.put(gang, knownRefused == null ? Refused.first(now) : knownRefused.again(now));
        return knownRefused != null
                ? List.of()
                : told(("%s has to make room and cannot be evicted now (%s): the whole gang keeps running; "
                                + "retrying for %d s")
                        .formatted(pods, why, PATIENCE));
    }

    /** Forgets all refusals, as a replica does that no longer leads. */
    void forget() {
        refusals.clear();
    }

    /** Returns whether disruption budgets kept a gang that was to be stopped. */
    boolean isKept(GangId gang) {
        return refusals.containsKey(gang);
    }

    private static List<Announcement> told(String words) {
        return List.of(new Announcement(Reason.EVICTION_REFUSED, words));
    }
}
