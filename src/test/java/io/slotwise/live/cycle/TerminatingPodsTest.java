package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that are deleted run, and are charged, until they are gone. Each pod costs 1 an hour. */
class TerminatingPodsTest {
    private static final long UNIT = 3_600_000_000L;
    private static final long HOUR = 3600;

    private final FakeHost host = new FakeHost().withNodes("n1", "n2", "n3");
    private final PlanningLoop loop =
            host.replica(CurrentSettings.fixed(LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(3))));

    TerminatingPodsTest() {
        host.grants.put("user", new Grant.Given(Allotment.parse("1000/month")));
    }

    @ParameterizedTest
    @ValueSource(longs = {30, HOUR, 86_400, 9_000_000_000L})
    void aDeletedPodIsChargedUntilItIsGoneWhateverItsGrace(long grace) {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 60 + grace);
        cycles(3);

        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        assertThat(host.spent()).isEqualTo(new Charge(Cost.ZERO, Cost.ZERO));
        host.passTo(start + 65);
        host.pods.remove("a-0");
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(65 * UNIT / HOUR), Cost.ZERO));
        assertThat(host.ledger().days()).hasSize(1);
    }

    @Test
    void aPodThatOutlivesItsGraceIsChargedUntilItHasEnded() {
        GangId gang = host.arrives("a", 2, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 90);
        host.deleteUntil("a-1", start + 90);
        host.passTo(start + 100);
        cycles(2);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);

        host.passTo(start + 200);
        host.endAt("a-0", start + 110);
        host.endAt("a-1", start + 200);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(310 * UNIT / HOUR), Cost.ZERO));
    }

    @Test
    void anEndByAClockThatIsAheadIsNotLaterThanNow() {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);

        host.endAt("a-0", start + 101 * 86_400);
        cycles(3);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(60 * UNIT / HOUR), Cost.ZERO));
    }

    private long start(GangId gang) {
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.openBarrier(gang);
        long start = host.second();
        loop.cycle();
        return start;
    }

    private void cycles(int count) {
        for (int i = 0; i < count; i++) {
            loop.cycle();
        }
    }
}
