package io.slotwise.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeadTest {
    private static final Instant NOON = Instant.ofEpochSecond(1000);

    private final Lead lead = new Lead();

    @Test
    void aReplicaThatHasJustBegunPlansFurtherAhead() {
        assertThat(lead.firstStart(NOON)).isEqualTo(1007);
        assertThat(lead.ready(NOON)).isEqualTo(NOON.plusMillis(2700));
    }

    @Test
    void onceItIsWarmTheNextSecondIsEarlyEnough() {
        becomeWarm();

        assertThat(lead.firstStart(NOON)).isEqualTo(1001);
        assertThat(lead.firstStart(NOON.plusMillis(400))).isEqualTo(1002);
    }

    @Test
    void slowCyclesLengthenTheLeadWithinBounds() {
        lead.took(Duration.ofSeconds(30));

        assertThat(lead.firstStart(NOON)).isEqualTo(1030);
    }

    @Test
    void asManyPodsStartInASecondAsCanBeBroughtToTheirNodes() {
        Throughput guess = lead.throughput();
        assertThat(guess.perPod()).isEqualTo(Duration.ofMillis(20));
        assertThat(guess.mostPerSecond()).isEqualTo(75);

        becomeWarm();
        Throughput learnt = lead.throughput();
        assertThat(learnt.perPod()).isEqualTo(Duration.ofMillis(4));
        assertThat(learnt.mostPerSecond()).isEqualTo(375);
    }

    @Test
    void everyPodOnItsWayLengthensTheLaunchWithinBounds() {
        becomeWarm();

        assertThat(lead.launch(0)).isEqualTo(Duration.ofMillis(400));
        assertThat(lead.launch(50)).isEqualTo(Duration.ofMillis(600));
        assertThat(lead.launch(100_000)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aLateArrivalLengthensTheNextLaunches() {
        becomeWarm();
        lead.late(20, Duration.ofMillis(2400));

        assertThat(lead.launch(20)).isEqualTo(Duration.ofMillis(2400));
    }

    @Test
    void whereGangsDoNotArriveAtAllFewerAreSent() {
        becomeWarm();
        lead.failed();

        assertThat(lead.throughput().perPod()).isEqualTo(Duration.ofMillis(200));
        assertThat(lead.launch(1)).isEqualTo(Duration.ofMillis(600));
    }

    @Test
    void whatManyPodsTookIsNotTheFaultOfTheNextFew() {
        becomeWarm();
        lead.late(200, Duration.ofSeconds(8));

        assertThat(lead.launch(2)).isEqualTo(Duration.ofMillis(476));
        assertThat(lead.throughput().perPod()).isEqualTo(Duration.ofMillis(38));
    }

    @Test
    void aLateArrivalIsForgottenAfterPunctualOnes() {
        lead.late(20, Duration.ofMillis(2400));
        becomeWarm();

        assertThat(lead.launch(20)).isEqualTo(Duration.ofMillis(480));
    }

    private void becomeWarm() {
        for (int i = 0; i < 8; i++) {
            lead.took(Duration.ofMillis(50));
            lead.sent(50, Duration.ofMillis(100));
        }
    }
}
