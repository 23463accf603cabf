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

/** What happened to a gang: what its record knows on every replica, and between that what was told of it. */
public final class GangStory {
    private static final String SEEN = "Seen";
    private static final String ENDED = "GangEnded";

    private GangStory() {}

    private record Step(long second, Event event) {}

    /**
     * Something that happened.
     *
     * @param at an RFC 3339 instant
     * @param reason in the word of the cluster's events
     * @param message the same in one sentence
     */
    public record Event(String at, String reason, String message) {
        private static Event of(long second, String reason, String message) {
            return new Event(Instant.ofEpochSecond(second).toString(), reason, message);
        }
    }

    /**
     * The story of a gang, oldest first. O(n log n).
     *
     * @param told what was told of it
     * @param seen namespaces of which the reader may see the gangs
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
        // What happened in one second stays in the order in which it was told.
        return steps.stream()
                .sorted(Comparator.comparingLong(Step::second))
                .map(Step::event)
                .toList();
    }

    private static void add(List<Step> steps, long second, String reason, String message) {
        steps.add(new Step(second, Event.of(second, reason, message)));
    }
}
