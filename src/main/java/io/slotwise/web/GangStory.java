package io.slotwise.web;

import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord.History;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** The events of a gang: those in its record, merged with the announcements of this replica. */
public final class GangStory {
    private static final String SEEN = "Seen";
    private static final String ENDED = "GangEnded";

    private GangStory() {}

    private record Step(long second, Event event) {}

    /** An event; {@code at} is an RFC 3339 instant, {@code reason} that of the cluster's events. */
    public record Event(String at, String reason, String message) {
        private static Event of(long second, String reason, String message) {
            return new Event(Instant.ofEpochSecond(second).toString(), reason, message);
        }
    }

    /**
     * Returns the events of a gang, oldest first. O(n log n).
     *
     * @param seen tells of which namespaces the reader may see gangs
     */
    static List<Event> of(History history, List<GangDiary.Entry> told, Predicate<String> seen) {
        List<Step> steps = new ArrayList<>();
        add(steps, history.seen(), SEEN, "Slotwise sees it for the first time");
        boolean startTold = false;
        for (GangDiary.Entry entry : told) {
            Announcement announcement = entry.announcement().asSeen(seen);
            startTold |= announcement.reason() == Reason.GANG_STARTED;
            add(steps, entry.second(), announcement.reason().key(), announcement.message());
        }
        if (!startTold && history.startedAt().isPresent()) {
            add(steps, history.startedAt().getAsLong(), Reason.GANG_STARTED.key(), "its pods started together");
        }
        if (history.endedAt().isPresent()) {
            add(steps, history.endedAt().getAsLong(), ENDED, "its last pod ended");
        }
        // Stable: events of the same second keep the order of their announcements.
        return steps.stream()
                .sorted(Comparator.comparingLong(Step::second))
                .map(Step::event)
                .toList();
    }

    private static void add(List<Step> steps, long second, String reason, String message) {
        steps.add(new Step(second, Event.of(second, reason, message)));
    }
}
