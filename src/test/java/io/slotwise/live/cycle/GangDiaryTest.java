package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.port.EventRecorder;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GangDiaryTest {
    private static final GangId GANG = new GangId("team", "g");

    private final List<String> passedOn = new ArrayList<>();
    private long now = 100;
    private final GangDiary diary = new GangDiary(
            new EventRecorder() {
                @Override
                public void announce(GangRecord record, Announcement announcement) {
                    passedOn.add(record.gang() + " " + announcement.message());
                }

                @Override
                public void notice(ClusterView.Notice notice) {
                    passedOn.add(notice.message());
                }
            },
            () -> Instant.ofEpochSecond(now));

    private void tell(GangId gang, String what) {
        diary.announce(GangRecord.first(gang, now), new Announcement(Reason.WINDOW_PROMISED, what));
    }

    @Test
    void eventsArePassedOnAndRemembered() {
        tell(GANG, "first");
        now = 160;
        tell(GANG, "second");

        assertThat(passedOn).containsExactly("team/g first", "team/g second");
        assertThat(diary.of(GANG))
                .extracting(entry -> entry.second() + " " + entry.announcement().message())
                .containsExactly("100 first", "160 second");
        assertThat(diary.of(new GangId("team", "other"))).isEmpty();
    }

    @Test
    void onlyTheLastEventsOfAGangAreKept() {
        for (int i = 0; i < 1000; i++) {
            tell(GANG, "thing " + i);
        }

        assertThat(diary.of(GANG)).hasSize(30);
        assertThat(diary.of(GANG).getLast().announcement().message()).isEqualTo("thing 999");
    }

    @Test
    void onlyGangsWithTheLatestEventsAreKept() {
        tell(GANG, "early");
        for (int i = 0; i < 4000; i++) {
            tell(new GangId("team", "g" + i), "later");
        }

        assertThat(diary.of(GANG)).isEmpty();
        assertThat(diary.of(new GangId("team", "g3999"))).hasSize(1);
    }

    @Test
    void aNamespaceWithManyGangsTakesThePlacesOfItsOwn() {
        tell(GANG, "early");
        tell(new GangId("crowd", "first"), "early");
        for (int i = 0; i < 10_000; i++) {
            tell(new GangId("crowd", "g" + i), "later");
        }

        assertThat(diary.of(GANG)).hasSize(1);
        assertThat(diary.of(new GangId("crowd", "first"))).isEmpty();
        assertThat(diary.of(new GangId("crowd", "g9999"))).hasSize(1);
    }
}
