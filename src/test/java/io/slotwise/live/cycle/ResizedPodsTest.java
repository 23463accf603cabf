package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.settings.CurrentSettings;
import java.io.StringReader;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Running pods that are resized in place, on nodes of four cores for 36 an hour. */
class ResizedPodsTest {
    private static final long HOUR = 3600;
    /** The cost of a core for a second, 1/3600 millionths. */
    private static final long SECOND = 9_000_000L;

    private final FakeHost host = new FakeHost().withNode("a", "36").withNode("b", "36");
    private PlanningLoop loop = newLoop("extend", "dominant-share");

    @Test
    void aResizeIsPaidFromTheSecondInWhichItIsSeen() {
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 2, HOUR, 1000);
        long start = start(gang);

        cycleAt(start + 600);
        host.resized.put("g-0", 4000L);
        cycleAt(start + 1000);
        loop = newLoop("extend", "dominant-share");
        host.resized.put("g-0", 500L);
        cycleAt(start + 1500);
        host.resized.put("g-0", 2000L);
        cycleAt(start + HOUR - 100);
        end("g-0", start + HOUR + 50);
        end("g-1", start + HOUR + 50);

        long inside = 1000 + 500 + (HOUR - 1600) / 2 + 100 + HOUR;
        long beyond = 500 * 3 + 100 + 50 * 2 + 50;
        assertThat(host.spent()).isEqualTo(new Charge(new Cost(inside * SECOND), new Cost(beyond * SECOND)));
        assertThat(host.known(gang).history().sizes().parts()).containsOnlyKeys("g-0");
    }

    @Test
    void aPodThatTakesMoreIsHeldForItAsItRunsAndLeavesItsNamespaceLess() {
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 1, HOUR, 1000);
        long start = start(gang);
        host.resized.put("g-0", 4000L);
        cycleAt(start + 100);

        cycleAt(start + 1100);

        Cost left = host.ledger().statement().balances().getFirst().left();
        assertThat(left)
                .isLessThanOrEqualTo(new Cost(100 * 3_600_000_000L - (HOUR + 3 * 1000) * SECOND))
                .isGreaterThan(new Cost(100 * 3_600_000_000L - (HOUR + 3 * 2200) * SECOND));
    }

    @Test
    void amountsBeyondTheBudgetAreADebtOfTheNextPeriod() {
        budget("10/day");
        GangId gang = host.arrivesSmall("g", 1, HOUR, 1000);
        long start = start(gang);
        host.resized.put("g-0", 4000L);
        cycleAt(start + 1);
        cycleAt(start + HOUR);

        end("g-0", start + HOUR);
        cycleAt(start + 25 * HOUR);

        Cost all = new Cost((1 + 4 * (HOUR - 1)) * SECOND);
        assertThat(host.ledger().debt().owedCost()).isEqualTo(all.minus(new Cost(10 * 3_600_000_000L)));
    }

    @Test
    void aPodThatItsNamespaceCannotPayIsEvictedIfThePolicySaysSo() {
        loop = newLoop("evict", "dominant-share");
        budget("10/month");
        GangId gang = host.arrivesSmall("g", 2, HOUR, 500);
        long start = start(gang);
        host.resized.put("g-0", 4000L);
        cycleAt(start + 1);
        assertThat(host.evicted).isEmpty();

        cycleAt(start + 900);

        assertThat(host.evicted).containsOnly("g-0");
        assertThat(host.told).anyMatch(told -> told.contains("past its promised end or size"));
    }

    @Test
    void aPodThatPaysForItsWholeNodePaysTheSameWhateverItTakes() {
        loop = newLoop("extend", "whole-node");
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 1, HOUR, 1000);
        long start = start(gang);

        host.resized.put("g-0", 4000L);
        cycleAt(start + 600);
        end("g-0", start + HOUR);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(4 * HOUR * SECOND), Cost.ZERO));
        assertThat(host.known(gang).history().sizes()).isEqualTo(PodSizes.NONE);
    }

    @Test
    void anUnresizedPodPaysItsPromiseWhateverHappensToItsNode() {
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 1, HOUR, 1000);
        long start = start(gang);
        host.resized.put("g-0", 1000L);

        host.cores = 1000;
        cycleAt(start + 600);
        host.cores = 100;
        cycleAt(start + 1200);
        end("g-0", start + HOUR);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(HOUR * SECOND), Cost.ZERO));
        assertThat(host.known(gang).history().sizes()).isEqualTo(PodSizes.NONE);
    }

    @Test
    void aPodOfUnknownSizeIsChargedAsBefore() {
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 2, HOUR, 1000);
        long start = start(gang);
        host.resized.put("g-0", 2000L);
        cycleAt(start + 600);

        host.resized.put("g-0", -1L);
        cycleAt(start + 1200);
        end("g-0", start + HOUR);
        end("g-1", start + HOUR);

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(2 * HOUR * SECOND), new Cost((HOUR - 600) * SECOND)));
    }

    @Test
    void aStoppedGangKeepsTheSizesOfItsPods() {
        budget("100/month");
        GangId gang = host.arrivesSmall("g", 1, HOUR, 1000);
        long start = start(gang);
        host.resized.put("g-0", 3000L);
        cycleAt(start + 600);

        GangRecord record = host.known(gang);
        MigrationHistory history = MigrationHistory.of(
                record,
                Objects.requireNonNull(record.promise()).window(),
                record.history().ends(),
                new MigrationHistory.Rest(1, 0, Resources.NONE, 0),
                new TreeSet<>(),
                start + 1000);

        assertThat(history.legs().getFirst().charge())
                .isEqualTo(new Charge(new Cost(1000 * SECOND), new Cost(2 * 400 * SECOND), 1000));
        assertThat(history.cost()).isEqualTo(new Cost(3 * SECOND));
        assertThat(record.history().moved(history).sizes()).isEqualTo(PodSizes.NONE);
    }

    private long start(GangId gang) {
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.openBarrier(gang);
        loop.cycle();
        return host.second();
    }

    private void cycleAt(long second) {
        host.passTo(second);
        loop.cycle();
        loop.cycle();
    }

    private void end(String pod, long second) {
        host.passTo(Math.max(host.second(), second));
        host.endAt(pod, second);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
    }

    private void budget(String text) {
        host.grants.put("user", new Grant.Given(Allotment.parse(text)));
    }

    private PlanningLoop newLoop(String unpaid, String charge) {
        return host.replica(CurrentSettings.fixed(PolicyFile.read(
                new StringReader("{running.turnover: 3s, running.overrun.unpaid: %s, money.charge: %s}"
                        .formatted(unpaid, charge)),
                "policy.yaml")));
    }
}
