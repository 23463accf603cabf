package io.slotwise.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.web.GangAnswer.MovedAnswer;
import io.slotwise.web.GangAnswer.RunAnswer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangAnswerTest {
    private static final long NOON = 1_893_499_200;
    private static final long UNIT = 3_600_000_000L;

    private final GangRecord record = GangRecord.first(new GangId("user", "train"), NOON);

    @Test
    void aGangThatWasMovedTellsItsRunsAndWhatTheyCost() {
        MigrationHistory history = new MigrationHistory(
                List.of(new MigrationHistory.Leg(
                        NOON, NOON + 600, new Cost(2 * UNIT), new Charge(new Cost(UNIT), Cost.ZERO), NOON + 300)),
                300,
                60,
                new Cost(3 * UNIT),
                Resources.of(Map.of(Resources.CPU, 1000L)),
                Collections.emptySortedSet(),
                NOON + 345,
                2,
                Cost.ZERO,
                0);

        MovedAnswer moved = GangAnswer.of(record.withHistory(record.history().moved(history)))
                .moved();

        assertThat(moved)
                .isEqualTo(new MovedAnswer(
                        2,
                        "3.000000",
                        300,
                        60,
                        List.of(new RunAnswer("2030-01-01T12:00:00Z", "2030-01-01T12:05:00Z", "1.000000"))));
    }

    @Test
    void anAnswerForAnUnmovedGangHasNoMoves() {
        assertThat(GangAnswer.of(record).moved()).isNull();
    }
}
