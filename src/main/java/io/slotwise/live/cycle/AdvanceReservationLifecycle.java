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
 * The part of an advance reservation's life that needs no planning. An advance reservation keeps its room until the
 * start of the gang that took it over is recorded, a user deletes it, or it expires. It expires at its end, or the
 * grace after its start while no gang is promised a part of it. It is charged from its start to that second. A pure
 * function of the records and the second, so a replica that repeats it after a crash gets the same result.
 */
final class AdvanceReservationLifecycle {
    private static final String CLAIMED = "Claimed";

    private final LoopSettings settings;
    private final Predicate<GangRecord> whole;
    private final Map<GangId, GangRecord> guests = new HashMap<>();

    /** Creates a lifecycle; {@code whole} tells whether all members of a started gang were seen on their nodes. */
    AdvanceReservationLifecycle(LoopSettings settings, Collection<GangRecord> records, Predicate<GangRecord> whole) {
        this.settings = settings;
        this.whole = whole;
        for (GangRecord record : records) {
            GangId hostId = record.host();
            if (hostId != null && record.promise() != null) {
                guests.merge(hostId, record, (one, other) -> one.phase().started() ? one : other);
            }
        }
    }

    void settle(RecordUpdate update, long now) {
        GangRecord record = update.before();
        if (!(record.ownership() instanceof WindowOwnership.Held(OptionalLong deletedAt))) {
            throw new IllegalArgumentException("A gang (%s) is not an advance reservation.".formatted(record.gang()));
        }
        Promise promise = record.promise();
        GangRecord guestRecord = guests.get(record.gang());
        if (record.phase() == Phase.COMPLETED) {
            long endedAt = record.history().endedAt().orElse(now);
            if (deletedAt.isPresent() || now >= endedAt + settings.reservationTtl()) {
                update.remove();
            }
        } else if (promise == null) {
            if (deletedAt.isPresent()) {
                update.remove();
            } else {
                update.become(record.withPhase(Phase.PENDING));
            }
        } else if (guestRecord != null && hasStarted(guestRecord, deletedAt.isPresent())) {
            long startedAt = guestRecord.history().startedAt().orElse(now);
            end(
                    update,
                    promise.window(),
                    startedAt,
                    "TakenOver",
                    "gang %s took it over".formatted(guestRecord.gang()),
                    now);
        } else if (deletedAt.isPresent()) {
            delete(update, promise.window(), deletedAt.getAsLong(), now);
        } else if (now >= expiry(promise.window(), guestRecord)) {
            long second = expiry(promise.window(), guestRecord);
            end(update, promise.window(), second, "Expired", "it expired: no gang took it over", now);
        } else {
            update.become(claimed(record, guestRecord, now));
        }
    }

    /** Returns the latest second for this reservation's next cycle. */
    OptionalLong deadline(GangRecord record) {
        Promise promise = record.promise();
        if (record.phase() == Phase.COMPLETED) {
            OptionalLong endedAt = record.history().endedAt();
            return endedAt.isPresent() ? OptionalLong.of(endedAt.getAsLong() + settings.reservationTtl()) : endedAt;
        }
        return promise == null
                ? OptionalLong.empty()
                : OptionalLong.of(expiry(promise.window(), guests.get(record.gang())));
    }

    /** Until its start is recorded, a released gang may be rolled back and need the reservation's room again. */
    private boolean hasStarted(GangRecord record, boolean deleted) {
        return record.phase() == Phase.COMPLETED
                || (record.phase() == Phase.RUNNING && (deleted || whole.test(record)));
    }

    private long expiry(Window window, @Nullable GangRecord record) {
        return record == null ? Math.min(window.end(), window.start() + settings.holdGrace()) : window.end();
    }

    /** Before the start there is nothing to charge, and the record is removed at once. */
    private static void delete(RecordUpdate update, Window window, long deletedAt, long now) {
        if (deletedAt <= window.start()) {
            update.remove();
        } else {
            end(update, window, deletedAt, "Deleted", "it was deleted", now);
        }
    }

    private static void end(RecordUpdate update, Window window, long second, String reason, String how, long now) {
        long endedAt = Math.clamp(second, window.start(), window.end());
        TreeMap<String, Long> ends = new TreeMap<>();
        for (Placement placement : window.placements()) {
            if (placement.end() < endedAt) {
                ends.put(placement.pod(), placement.end());
            }
        }
        String message = "%s at %s".formatted(how, Instant.ofEpochSecond(endedAt));
        GangRecord record = update.after();
        update.end(record.withPhase(Phase.COMPLETED)
                .withHistory(record.history().ended(endedAt).withEnds(ends))
                .started(false, reason, message, now));
    }

    private static GangRecord claimed(GangRecord record, @Nullable GangRecord guestRecord, long now) {
        GangRecord promisedRecord = record.withPhase(Phase.PROMISED);
        if (guestRecord == null || guestRecord.promise() == null) {
            return promisedRecord.startedAspect().reason().equals(CLAIMED)
                    ? promisedRecord.started(false, "NotStarted", "not started", now)
                    : promisedRecord;
        }
        return promisedRecord.started(
                false,
                CLAIMED,
                "gang %s takes it over at %s"
                        .formatted(
                                guestRecord.gang(),
                                Instant.ofEpochSecond(
                                        guestRecord.promise().window().start())),
                now);
    }
}
