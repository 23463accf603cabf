package io.slotwise.live.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord.History;
import io.slotwise.live.record.MigrationHistory.Rest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MigrationHistoryTest {
    private static final GangId GANG = new GangId("user", "g");
    private static final long NOON = 1_893_499_200;
    private static final Window WINDOW = Window.of(
            GANG,
            NOON,
            List.of(
                    new Placement("g-0", "a", NOON, NOON + 3600, Cost.ZERO),
                    new Placement("g-1", "b", NOON, NOON + 3600, Cost.ZERO)));

    /** Two pods that have run for these seconds since the last move. */
    private static MigrationHistory stopped(History before, long seconds, long work, long overhead) {
        GangRecord run = GangRecord.first(GANG, NOON)
                .withPhase(Phase.RUNNING)
                .withTerms(new RecordedTerms("start", 3600, null, "", 0, false))
                .with(new Promise(WINDOW, WindowOrigin.CYCLIC, true))
                .withHistory(before.started(NOON, before.members()));
        return MigrationHistory.of(
                run,
                WINDOW,
                Map.of(),
                new Rest(work, overhead, Resources.NONE, NOON),
                Collections.emptySortedSet(),
                NOON + seconds);
    }

    @Test
    void theWorkThatIsLostAddsUpOverAllMoves() {
        History first = History.seen(NOON).moved(stopped(History.seen(NOON), 600, 3600, 0));
        MigrationHistory second = stopped(first, 300, 3600, 0);

        assertThat(second.times()).isEqualTo(2);
        assertThat(second.lost()).isEqualTo(2 * (600 + 300));
    }

    @Test
    void aGangThatKeepsItsWorkLosesItsRestart() {
        assertThat(stopped(History.seen(NOON), 600, 3000, 60).lost()).isEqualTo(2 * 60);
    }
}
