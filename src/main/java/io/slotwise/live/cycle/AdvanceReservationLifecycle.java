package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of an advance reservation's life that needs no planning. It keeps its room until the start of a gang that
 * took it over has been recorded, until a user deletes it, or until it expires: at its end, or the grace after its
 * start while no gang is promised a part of it. It is charged from its start to that second. A pure function of the
 * records and the second, so a replica that repeats it after a crash comes to the same end.
 */
final class AdvanceReservationLifecycle {
    private static final String CLAIMED = "Claimed";

    private final LoopSettings settings;
    private final Predicate<GangRecord> whole;
    private final Map<GangId, GangRecord> guests = new HashMap<>();

    /**
     * The life of reservations beside these records.
     *
     * @param standings of all gangs
     * @param whole whether all members of a gang that has started were seen on their nodes
     */
    AdvanceReservationLifecycle(LoopSettings settings, Collection<GangRecord> standings, Predicate<GangRecord> whole) {
        this.settings = settings;
        this.whole = whole;
        for (GangRecord standing : standings) {
            GangId host = standing.host();
            if (host != null && standing.promise() != null) {
                guests.merge(host, standing, (one, other) -> one.phase().started() ? one : other);
            }
        }
    }

    /** Takes one reservation on to {@code now}. */
    void settle(RecordUpdate draft, long now) {
        GangRecord standing = draft.before();
        if (!(standing.tenure() instanceof WindowOwnership.Held(OptionalLong deletedAt))) {
            throw new IllegalArgumentException("A gang (%s) is not an advance reservation.".formatted(standing.gang()));
        }
        Promise promise = standing.promise();
        GangRecord guest = guests.get(standing.gang());
        if (standing.phase() == Phase.COMPLETED) {
            long endedAt = standing.history().endedAt().orElse(now);
            if (deletedAt.isPresent() || now >= endedAt + settings.reservationTtl()) {
                draft.remove();
            }
        } else if (promise == null) {
            if (deletedAt.isPresent()) {
                draft.remove();
            } else {
                draft.become(standing.withPhase(Phase.PENDING));
            }
        } else if (guest != null && hasStarted(guest, deletedAt.isPresent())) {
            long startedAt = guest.history().startedAt().orElse(now);
            end(draft, promise.window(), startedAt, "TakenOver", "gang %s took it over".formatted(guest.gang()), now);
        } else if (deletedAt.isPresent()) {
            delete(draft, promise.window(), deletedAt.getAsLong(), now);
        } else if (now >= expiry(promise.window(), guest)) {
            long second = expiry(promise.window(), guest);
            end(draft, promise.window(), second, "Expired", "it expired: no gang took it over", now);
        } else {
            draft.become(claimed(standing, guest, now));
        }
    }

    /** The second at which this reservation needs a cycle whatever happens; empty: none. */
    OptionalLong deadline(GangRecord standing) {
        Promise promise = standing.promise();
        if (standing.phase() == Phase.COMPLETED) {
            OptionalLong endedAt = standing.history().endedAt();
            return endedAt.isPresent() ? OptionalLong.of(endedAt.getAsLong() + settings.reservationTtl()) : endedAt;
        }
        return promise == null
                ? OptionalLong.empty()
                : OptionalLong.of(expiry(promise.window(), guests.get(standing.gang())));
    }

    /** A gang that was let go may still be rolled back until its start is recorded; then it needs the room again. */
    private boolean hasStarted(GangRecord guest, boolean deleted) {
        return guest.phase() == Phase.COMPLETED || (guest.phase() == Phase.RUNNING && (deleted || whole.test(guest)));
    }

    private long expiry(Window window, @Nullable GangRecord guest) {
        return guest == null ? Math.min(window.end(), window.start() + settings.holdGrace()) : window.end();
    }

    /** Before its start there is nothing to charge, and the record may go at once. */
    private static void delete(RecordUpdate draft, Window window, long deletedAt, long now) {
        if (deletedAt <= window.start()) {
            draft.remove();
        } else {
            end(draft, window, deletedAt, "Deleted", "it was deleted", now);
        }
    }

    private static void end(RecordUpdate draft, Window window, long second, String reason, String how, long now) {
        long endedAt = Math.clamp(second, window.start(), window.end());
        TreeMap<String, Long> ends = new TreeMap<>();
        for (Placement place : window.placements()) {
            if (place.end() < endedAt) {
                ends.put(place.pod(), place.end());
            }
        }
        String message = "%s at %s".formatted(how, Instant.ofEpochSecond(endedAt));
        GangRecord standing = draft.after();
        draft.end(standing.withPhase(Phase.COMPLETED)
                .withHistory(standing.history().ended(endedAt).withEnds(ends))
                .started(false, reason, message, now));
    }

    private static GangRecord claimed(GangRecord standing, @Nullable GangRecord guest, long now) {
        GangRecord promised = standing.withPhase(Phase.PROMISED);
        if (guest == null || guest.promise() == null) {
            return promised.started().reason().equals(CLAIMED)
                    ? promised.started(false, "NotStarted", "not started", now)
                    : promised;
        }
        return promised.started(
                false,
                CLAIMED,
                "gang %s takes it over at %s"
                        .formatted(
                                guest.gang(),
                                Instant.ofEpochSecond(guest.promise().window().start())),
                now);
    }
}
