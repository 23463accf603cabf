package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.QueueLedgers;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.resource.Resources;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gangs that are deleted whole are charged until their pods are gone or out of grace. Each pod costs 1 an hour. */
class TerminatingPodsTest {
    private static final long UNIT = 3_600_000_000L;
    private static final long HOUR = 3600;
    private static final CurrentSettings SETTINGS =
            CurrentSettings.fixed(LoopSettings.EXACT.withPolicy(Policy.EXACT.withTurnover(3)));

    private final FakeHost host = new FakeHost().withNodes("n1", "n2", "n3");
    private PlanningLoop loop = host.replica(SETTINGS);

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
        assertThat(spent()).isZero();
        assertThat(host.ledger().statement().balances().getFirst().heldCost()).isEqualTo(new Cost(UNIT));
        host.passTo(start + 65);
        host.pods.remove("a-0");
        cycles(3);

        assertThat(spent()).isEqualTo(65);
        assertThat(host.ledger().days()).hasSize(1);
        assertThat(host.records).isEmpty();
    }

    @Test
    void theQueueOfADeletedGangIsChargedLikeItsNamespace() {
        GangId gang = host.arrives("a", 1, HOUR);
        host.gangs.computeIfPresent(
                gang, (_, waiting) -> waiting.asking(waiting.demand().withQueue("physics")));
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 60 + HOUR);
        cycles(3);
        Cost whileTerminating = left("science");
        host.passTo(start + 65);
        host.pods.remove("a-0");
        cycles(3);

        assertThat(whileTerminating).isEqualTo(new Cost(9 * UNIT));
        assertThat(left("science")).isEqualTo(new Cost(10 * UNIT - 65 * UNIT / HOUR));
        assertThat(host.ledger().queueDays())
                .isEqualTo(Map.of("physics", host.ledger().days()));
    }

    /** Returns what is left of 10 a month for the queue at this second, from the written ledgers. */
    private Cost left(String queue) {
        QueueTree tree =
                QueueTree.of(List.of(new Queue("science", null), new Queue("physics", "science")), Resources.NONE);
        return new QueueLedgers(tree, Map.of(queue, Allotment.parse("10/month")), List.of(host.ledger()))
                .accounts(Map.of(), host.second(), host.second() + 1)
                .getFirst()
                .left();
    }

    @Test
    void eachPodIsChargedUntilItIsGone() {
        GangId gang = host.arrives("a", 3, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 90);
        host.deleteUntil("a-1", start + 90);
        host.deleteUntil("a-2", start + 90);
        cycles(2);
        host.passTo(start + 70);
        host.pods.remove("a-0");
        cycles(2);
        host.passTo(start + 80);
        host.endAt("a-1", start + 76);
        cycles(2);
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        host.passTo(start + 90);
        cycles(1);
        host.passTo(start + 95);
        cycles(3);

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(spent()).isEqualTo(70 + 76 + 90);
    }

    @Test
    void aGraceThatIsShortenedIntoThePastShedsNothing() {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 86_400);
        cycles(2);
        host.passTo(start + 1800);
        // The API server subtracts the old grace period from its end and adds the new one.
        host.deleteUntil("a-0", start + 61);
        cycles(3);

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(spent()).isEqualTo(1800);
    }

    @Test
    void aNewLeaderChargesUntilItSeesThatThePodIsGone() {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 86_400);
        cycles(2);
        loop = host.replica(SETTINGS);
        cycles(2);
        assertThat(spent()).isZero();

        host.passTo(start + 70);
        host.pods.remove("a-0");
        loop = host.replica(SETTINGS);
        cycles(3);
        loop = host.replica(SETTINGS);
        cycles(3);

        assertThat(spent()).isEqualTo(70);
    }

    @Test
    void aPodThatGoesWithoutALeaderIsChargedAsPromisedAtMost() {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.deleteUntil("a-0", start + 86_400);
        cycles(2);
        host.passTo(start + 2 * HOUR);
        host.pods.remove("a-0");
        loop = host.replica(SETTINGS);
        cycles(3);

        assertThat(spent()).isEqualTo(HOUR);
    }

    @Test
    void anEndByAClockThatIsAheadIsNotLaterThanNow() {
        GangId gang = host.arrives("a", 1, HOUR);
        long start = start(gang);
        host.passTo(start + 60);
        host.endAt("a-0", start + 101 * 86_400);
        cycles(3);

        assertThat(spent()).isEqualTo(60);
    }

    private long spent() {
        Charge charge = host.spent();
        assertThat(charge.overrunCost()).isEqualTo(Cost.ZERO);
        return charge.total().microSecondsPerHour() * HOUR / UNIT;
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
