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

    private record Scene(long second, Event event) {}

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
        List<Scene> scenes = new ArrayList<>();
        add(scenes, history.seen(), SEEN, "Slotwise sees it for the first time");
        boolean startTold = false;
        for (GangDiary.Entry entry : told) {
            Announcement what = entry.what().asSeen(seen);
            startTold |= what.reason() == Reason.GANG_STARTED;
            add(scenes, entry.second(), what.reason().key(), what.message());
        }
        if (!startTold && history.startedAt().isPresent()) {
            add(scenes, history.startedAt().getAsLong(), Reason.GANG_STARTED.key(), "its pods started together");
        }
        if (history.endedAt().isPresent()) {
            add(scenes, history.endedAt().getAsLong(), ENDED, "its last pod ended");
        }
        // What happened in one second stays in the order in which it was told.
        return scenes.stream()
                .sorted(Comparator.comparingLong(Scene::second))
                .map(Scene::event)
                .toList();
    }

    private static void add(List<Scene> scenes, long second, String reason, String message) {
        scenes.add(new Scene(second, Event.of(second, reason, message)));
    }
}
