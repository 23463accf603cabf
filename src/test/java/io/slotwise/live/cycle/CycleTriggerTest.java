package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Usual;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CycleTriggerTest {
    private static final Instant BEGIN = Instant.ofEpochSecond(1000);

    private final ChangingSettings settings = new ChangingSettings(LoopSettings.EXACT);
    private final CycleTrigger pace = new CycleTrigger(settings);

    @Test
    void theFirstCycleBeginsAtOnce() {
        assertThat(pace.next(BEGIN)).isBefore(BEGIN);
    }

    @Test
    void withoutChangesACycleComesAfterTheLongestWait() {
        pace.begins(BEGIN);

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(10));
    }

    @Test
    void aChangeIsPlannedAtOnceWhereThePlannerHasRested() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(20));

        pace.changed(BEGIN.plusMillis(200));
        pace.changed(BEGIN.plusMillis(900));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(200));
    }

    @Test
    void aBurstIsCollectedForAsLongAsThePlannerRests() {
        pace.begins(BEGIN);
        pace.changed(BEGIN.plusMillis(10));
        pace.ends(BEGIN.plusMillis(50));

        pace.changed(BEGIN.plusMillis(60));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(250));
    }

    /** The first pod of a burst begins a cycle, and the others wait no longer for that. */
    @Test
    void aRestBeforeACycleCountsForTheOneAfterIt() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(50));
        // It is to rest for 200 ms and does so for 500.
        Instant burst = BEGIN.plusMillis(550);
        pace.begins(burst);
        pace.ends(burst.plusMillis(100));
        pace.changed(burst.plusMillis(10));

        assertThat(pace.next(burst)).isEqualTo(burst.plusMillis(200));

        pace.begins(burst.plusMillis(200));
        pace.ends(burst.plusMillis(300));
        pace.changed(burst.plusMillis(250));
        assertThat(pace.next(burst.plusMillis(300))).isEqualTo(burst.plusMillis(700));
    }

    /** This holds after the program was stopped too. */
    @Test
    void noMoreOfARestCountsThanIsCollected() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(50));
        Instant woken = BEGIN.plusSeconds(60);
        pace.begins(woken);
        pace.ends(woken.plusMillis(300));
        pace.changed(woken.plusMillis(10));

        assertThat(pace.next(woken)).isEqualTo(woken.plusMillis(500));
    }

    @Test
    void changesAreCollectedNoLongerThanThePolicySays() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(800));

        pace.changed(BEGIN.plusMillis(900));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(1900));
    }

    @Test
    void plannedChangesWaitLongerOrForTheNextOtherChange() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(30));

        pace.wentAsPlanned(BEGIN.plusMillis(60));
        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(600));

        pace.changed(BEGIN.plusMillis(70));
        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(150));

        pace.begins(BEGIN.plusMillis(150));
        assertThat(pace.next(BEGIN.plusMillis(300))).isEqualTo(BEGIN.plusMillis(10_150));
    }

    @Test
    void plannedChangesWaitNoLongerThanAnyChangeMay() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(800));

        pace.wentAsPlanned(BEGIN.plusMillis(900));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusMillis(1900));
    }

    @Test
    void aDeadlineBringsTheCycleForward() {
        pace.begins(BEGIN);

        pace.needs(BEGIN.plusSeconds(4));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(4));
    }

    @Test
    void aNewPaceHoldsFromTheCycleThatReadIt() {
        pace.begins(BEGIN);
        settings.write(Usual.settings(
                LoopSettings.EXACT.policy(),
                30,
                4,
                3600,
                LoopSettings.Overrun.EXTEND,
                60,
                10,
                LoopSettings.MemberLoss.CONTINUE,
                3600,
                900,
                LoopSettings.EXACT.defaultCriterion(),
                LoopSettings.EXACT.searchTime()));
        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(10));

        settings.renewed();

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(30));
        pace.ends(BEGIN.plusSeconds(2));
        pace.changed(BEGIN.plusSeconds(2));
        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(6));
    }

    @Test
    void aClockThatWasSetBackDelaysNoGang() {
        pace.begins(BEGIN);
        pace.ends(BEGIN.plusMillis(20));

        assertThat(pace.next(BEGIN.minusSeconds(3600))).isBefore(BEGIN.minusSeconds(3600));
        pace.begins(BEGIN.minusSeconds(3600));
        assertThat(pace.next(BEGIN.minusSeconds(3600))).isEqualTo(BEGIN.minusSeconds(3590));
    }

    @Test
    void aDeadlineThatHasPassedDoesNotMakeCyclesSpin() {
        pace.begins(BEGIN);

        pace.needs(BEGIN.minusSeconds(1));

        assertThat(pace.next(BEGIN)).isEqualTo(BEGIN.plusSeconds(10));
    }
}
