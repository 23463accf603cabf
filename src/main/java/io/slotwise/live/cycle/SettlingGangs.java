package io.slotwise.live.cycle;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.WindowOwnership;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gangs whose records need not be written yet. Most gangs that arrived a moment ago lack a pod that is about to come.
 * Users rely on the latest start and end and the highest cost that are promised, not on the window that is expected.
 * A window that moves within its promise is shown at once. It is written with the next write of the gang. If its start
 * differs from the written one by {@link #INTERVAL}, it is written at most once in this time. A gang that starts within
 * this time is started first and then recorded. Not thread-safe.
 */
final class SettlingGangs {
    /** The shortest time between two writes of a window that moves within its promise. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Duration patience;
    private final Map<GangId, Instant> seen = new HashMap<>();
    private final Map<GangId, Shown> shown = new HashMap<>();

    /**
     * A record that is shown and not written.
     *
     * @param since when it was first shown, or last written
     * @param version of the record that is written
     * @param start the start of the window that is written, seconds since the epoch
     * @param unannounced what is announced when it is written
     */
    private record Shown(Instant since, String version, long start, List<Announcement> unannounced) {
        boolean isFor(GangRecord record) {
            return version.equals(record.version()) && !record.phase().started();
        }

        /** Returns whether this record has to be written by now. */
        boolean isDue(GangRecord record, Instant now) {
            return !now.isBefore(since.plus(INTERVAL))
                    && (version.isEmpty()
                            || Math.abs(record.windowStart().orElse(start) - start) >= INTERVAL.toSeconds());
        }
    }

    SettlingGangs(Duration patience) {
        this.patience = patience;
    }

    /** Returns the updates without those of new gangs that wait. Those of records that are only shown are marked. */
    List<RecordUpdate> withoutSettling(Collection<RecordUpdate> updates, Instant now) {
        List<RecordUpdate> others = new ArrayList<>();
        Set<GangId> waiting = new HashSet<>();
        Set<GangId> known = new HashSet<>();
        for (RecordUpdate update : updates) {
            GangId gang = update.before().gang();
            known.add(gang);
            boolean isNew = update.before().version().isEmpty()
                    && !update.isFrozen()
                    && update.after().phase() == Phase.PENDING
                    && !shown.containsKey(gang);
            if (isNew) {
                waiting.add(gang);
                Instant first = seen.computeIfAbsent(gang, _ -> now);
                if (now.isBefore(first.plus(patience))) {
                    continue;
                }
            }
            show(update, now);
            others.add(update);
        }
        seen.keySet().retainAll(waiting);
        shown.keySet().retainAll(known);
        return others;
    }

    /** Marks an update that need not be written now, or has a record written that was shown long enough. */
    private void show(RecordUpdate update, Instant now) {
        GangRecord record = update.before();
        Shown before = shown.get(record.gang());
        if (before != null && !before.isFor(record)) {
            before = null;
            shown.remove(record.gang());
        }
        if (update.isFrozen() || (before == null && !update.changed())) {
            return;
        }
        long start = (before == null ? record : update.after()).windowStart().orElse(0);
        List<Announcement> unannounced =
                before == null || !update.announcements().isEmpty()
                        ? List.copyOf(update.announcements())
                        : before.unannounced();
        boolean isDue = before != null && before.isDue(update.after(), now);
        if (!isDue && isWithinPromise(update, before != null, now.getEpochSecond())) {
            update.markShown(true);
            shown.put(
                    record.gang(),
                    new Shown(
                            before == null ? now : before.since(),
                            record.version(),
                            before == null ? start : before.start(),
                            unannounced));
        } else if (before != null) {
            update.writeShown(unannounced);
            shown.put(record.gang(), new Shown(now, record.version(), start, unannounced));
        }
    }

    /** Returns whether nothing changes on which users rely, and the window does not begin yet. */
    private static boolean isWithinPromise(RecordUpdate update, boolean isShown, long now) {
        GangRecord before = update.before();
        Promise next = update.after().promise();
        if (next == null
                || update.after().phase() != Phase.PROMISED
                || next.window().start() <= now
                || !next.orders().isEmpty()
                || !update.after().ownership().equals(WindowOwnership.own())
                || !update.isQuiet()) {
            return false;
        }
        if (before.version().isEmpty()) {
            return isShown || next.window().start() <= now + INTERVAL.toSeconds();
        }
        Promise promise = before.promise();
        return promise != null
                && before.phase() == Phase.PROMISED
                && next.promiseBound() != null
                && next.promiseBound().equals(promise.promiseBound())
                && next.window().cost().equals(promise.window().cost());
    }

    /** Returns when the first of the gangs has waited long enough. Null if there is none. */
    @Nullable
    Instant deadline() {
        return seen.values().stream()
                .min(Instant::compareTo)
                .map(first -> first.plus(patience))
                .orElse(null);
    }
}
