package io.slotwise.live.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.record.GangRecord;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoticeFilterTest {
    private static final long NOON = 1_893_499_200L;
    private static final long HOUR = NoticeFilter.FORGOTTEN_SECONDS;

    private final NoticeFilter notices = new NoticeFilter();

    @Test
    void eachNoticeIsToldOnceAsLongAsItComesUp() {
        Notice price = about("n1", "no price");
        Notice other = about("n1", "no time zone");

        assertThat(notices.fresh(List.of(price, other), NOON)).containsExactly(price, other);
        assertThat(notices.fresh(List.of(price, other), NOON + HOUR)).isEmpty();
        assertThat(notices.fresh(List.of(price), NOON + 2 * HOUR)).isEmpty();
    }

    @Test
    void aNoticeThatWasAbsentForAnHourIsGivenAgain() {
        Notice price = about("n1", "no price");
        notices.fresh(List.of(price), NOON);

        assertThat(notices.fresh(List.of(), NOON + HOUR + 1)).isEmpty();
        assertThat(notices.size()).isZero();
        assertThat(notices.fresh(List.of(price), NOON + HOUR + 2)).containsExactly(price);
    }

    @Test
    void aValueThatChangesAllTheTimeFillsNothing() {
        int told = 0;
        for (int second = 0; second < HOUR; second++) {
            told += notices.fresh(List.of(about("flips", "runtime " + second), about("n2", "no price")), NOON + second)
                    .size();
        }

        assertThat(told).isEqualTo(NoticeFilter.MOST + 1);
        assertThat(notices.size()).isEqualTo(2);
    }

    @Test
    void noticesAboutDeletedObjectsAreForgotten() {
        for (int i = 0; i < 1000; i++) {
            notices.fresh(List.of(about("pod-" + i, "too long")), NOON + 60L * i);
        }

        assertThat(notices.size()).isLessThanOrEqualTo((int) (HOUR / 60) + 1);
    }

    @Test
    void theNoticesPerNamespaceAndHourAreBounded() {
        List<Notice> many = IntStream.range(0, 2 * NoticeFilter.MOST_OF_NAMESPACE)
                .mapToObj(i -> about("pod-" + i, "too long"))
                .toList();
        Notice other = new Notice("Pod", "other", "p", "InvalidRequest", "too long");

        assertThat(notices.fresh(many, NOON)).hasSize(NoticeFilter.MOST_OF_NAMESPACE);
        assertThat(notices.fresh(many, NOON + 1)).isEmpty();
        assertThat(notices.fresh(List.of(other), NOON + 2)).containsExactly(other);
        assertThat(notices.size()).isEqualTo(NoticeFilter.MOST_OF_NAMESPACE + 1);

        assertThat(notices.fresh(List.of(), NOON + HOUR + 3)).isEmpty();
        assertThat(notices.fresh(many, NOON + HOUR + 4)).hasSize(NoticeFilter.MOST_OF_NAMESPACE);
    }

    private static Notice about(String name, String message) {
        return new Notice("Pod", "team", name, "InvalidRequest", message);
    }

    @Test
    void aGangWhoseRecordIsNeverWrittenIsToldOnceThatItIsRefused() {
        GangId gang = new GangId("user", "g");
        Announcement refused =
                new Announcement(EventRecorder.Reason.WRITE_REFUSED, new Refusal.WriteRefused("record", "no right"));

        assertThat(notices.tell(GangRecord.first(gang, 100), refused, 100)).isTrue();
        assertThat(notices.tell(GangRecord.first(gang, 101), refused, 101)).isFalse();
    }

    /** The API server's clock sets the creation time of a record, the update before it had the time of its cycle. */
    @Test
    void aRecordReadWithAnotherSecondIsTheSameGangButARemadeOneIsNot() {
        GangId gang = new GangId("user", "g");
        Announcement large = new Announcement(EventRecorder.Reason.NO_WINDOW, new Refusal.NoWindow(2, 3600));

        assertThat(notices.tell(GangRecord.first(gang, 100).withVersion("1").withUid("uid-1"), large, 100))
                .isTrue();
        assertThat(notices.tell(GangRecord.first(gang, 102).withVersion("2").withUid("uid-1"), large, 102))
                .isFalse();
        assertThat(notices.tell(GangRecord.first(gang, 102).withVersion("3").withUid("uid-2"), large, 103))
                .isTrue();
    }
}
