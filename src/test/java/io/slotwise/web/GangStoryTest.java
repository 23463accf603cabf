package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord.History;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GangStoryTest {
    private static List<String> story(History history, GangDiary.Entry... told) {
        return GangStory.of(history, List.of(told), _ -> true).stream()
                .map(event -> event.at() + " " + event.reason())
                .toList();
    }

    @Test
    void everyReplicaTellsTheStoryOfARecord() {
        assertThat(story(History.seen(0).started(60, new TreeMap<>()).ended(120)))
                .containsExactly(
                        "1970-01-01T00:00:00Z Seen",
                        "1970-01-01T00:01:00Z GangStarted",
                        "1970-01-01T00:02:00Z GangEnded");
    }

    @Test
    void eventsAreInOrderAndTheStartComesOnlyOnce() {
        GangDiary.Entry promised = new GangDiary.Entry(10, new Announcement(Reason.WINDOW_PROMISED, "a window"));
        GangDiary.Entry started =
                new GangDiary.Entry(61, new Announcement(Reason.GANG_STARTED, "all 2 pods started together"));

        assertThat(story(History.seen(0).started(60, new TreeMap<>()).ended(120), promised, started))
                .containsExactly(
                        "1970-01-01T00:00:00Z Seen",
                        "1970-01-01T00:00:10Z WindowPromised",
                        "1970-01-01T00:01:01Z GangStarted",
                        "1970-01-01T00:02:00Z GangEnded");
    }
}
