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
        assertThat(lead.firstStart(NOON)).isEqualTo(1003);
    }

    @Test
    void onceItIsWarmTheNextSecondButOneIsEarlyEnough() {
        for (int i = 0; i < 8; i++) {
            lead.took(Duration.ofMillis(50));
            lead.released(Duration.ofMillis(100));
        }

        assertThat(lead.firstStart(NOON)).isEqualTo(1001);
        assertThat(lead.firstStart(NOON.plusMillis(200))).isEqualTo(1002);
    }

    @Test
    void slowCyclesLengthenTheLeadWithinBounds() {
        lead.took(Duration.ofSeconds(30));

        assertThat(lead.firstStart(NOON)).isEqualTo(1030);
    }
}
