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
 * Stops gangs that run and make way, each as a whole. The planner picks no gang whose disruption budgets do not allow
 * it; one that refuses all the same has changed since. It is respected for {@link #PATIENCE} and asked again after
 * longer and longer pauses, while the whole gang runs on. Then the gang is stopped all the same: its run is over by its
 * record and others have been promised its room. What it runs on for meanwhile is charged as overrun ({@link
 * MigrationHistory#stayed}). Who leads anew begins anew. Safe for threads.
 */
final class MoveStops {
    /** How long a refusal is respected, seconds. */
    static final long PATIENCE = MigrationHistory.KEPT_SECONDS;
    /** The first pause; each one after it is twice as long. */
    static final long PAUSE = 5;
    /** What is not asked for any more is forgotten after this, seconds. */
    private static final long REMEMBERED = 10 * PATIENCE;

    private final PodReleaser releaser;
    private final Map<GangId, Refused> refusals = new ConcurrentHashMap<>();

    /**
     * A gang that budgets keep.
     *
     * @param since when the first of them refused
     * @param next when it is asked for again
     * @param pause the last one
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

    /** Stops a gang's members, if they are not to be left alone for now; what is to be told of it. */
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

    /** Whether a gang was to be stopped and budgets have kept it. */
    boolean isKept(GangId gang) {
        return refusals.containsKey(gang);
    }

    private static List<Announcement> told(String words) {
        return List.of(new Announcement(Reason.EVICTION_REFUSED, words));
    }
}
