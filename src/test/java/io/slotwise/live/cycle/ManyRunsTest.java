package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** More runs of a namespace than its ledger holds. */
class ManyRunsTest {
    private static final Cost COST = new Cost(60);

    private final FakeHost host = new FakeHost().withNodes("a");
    private final PlanningLoop loop = host.replica(CurrentSettings.fixed(LoopSettings.EXACT));

    ManyRunsTest() {
        host.grants.put("user", new Grant.Given(Allotment.parse("1000/month")));
    }

    @Test
    void fiveThousandGangsAnHourAreAllChargedAndTheirLedgerIsAlwaysWritten() {
        int gangs = 0;
        for (int minute = 0; minute < 90; minute++) {
            for (int i = 0; i < 84; i++) {
                ran(gangs++, Phase.COMPLETED);
            }
            loop.cycle();
            host.passTo(host.second() + 60);
            assertThat(Serialization.asJson(Ledgers.object(host.ledger())).length())
                    .isLessThan(1_500_000);
        }

        assertThat(host.records).hasSizeBetween(1500, 2000);
        assertThat(charged()).isEqualTo(new Charge(new Cost(60L * gangs), Cost.ZERO, 60L * gangs));
    }

    @Test
    void runsThatEndAllAtOnceAreAllChargedWhateverRoomThereIs() {
        for (int i = 0; i < 8000; i++) {
            ran(i, Phase.COMPLETED);
        }

        Charge all = new Charge(new Cost(60L * 8000), Cost.ZERO, 60L * 8000);
        int cycles = 0;
        do {
            loop.cycle();
            host.passTo(host.second() + 10);
            assertThat(Serialization.asJson(Ledgers.object(host.ledger())).length())
                    .isLessThan(1_500_000);
        } while (!charged().equals(all) && ++cycles < 60);

        assertThat(charged()).isEqualTo(all);
        assertThat(host.records).hasSizeBetween(1500, 2000);
    }

    @Test
    void aNamespaceWithMoreOpenRunsThanItsLedgerHoldsPaysForAll() {
        for (int i = 0; i < 3000; i++) {
            ran(i, Phase.RUNNING);
        }
        GangId gang = host.arrives("next", 1, 60);

        loop.cycle();

        assertThat(host.ledger().entries()).hasSizeLessThan(1000);
        assertThat(host.ledger().statement().balances().getFirst().heldCost()).isEqualTo(new Cost(60L * 3000));
        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);

        host.passTo(host.second() + 3600);
        for (int i = 0; i < 3000; i++) {
            host.endAt("g" + i + "-0", host.second());
        }
        loop.cycle();
        loop.cycle();

        assertThat(charged()).isEqualTo(new Charge(new Cost(60L * 3000), Cost.ZERO, 3600L * 3000));
    }

    /** Adds a gang of one pod that was to run for a minute and has, or that has just started to run for an hour. */
    private void ran(int number, Phase phase) {
        GangId gang = new GangId("user", "g" + number);
        String pod = "g" + number + "-0";
        long length = phase == Phase.COMPLETED ? 60 : 3600;
        long start = phase == Phase.COMPLETED ? host.second() - 60 : host.second();
        Placement placement = new Placement(pod, "a", start, start + length, COST);
        GangRecord record = GangRecord.first(gang, start)
                .withUid("01234567-89ab-cdef-0123-%012d".formatted(number))
                .withVersion("1")
                .promised(
                        new Promise(Window.of(gang, start, List.of(placement)), WindowOrigin.CYCLIC, true),
                        PromiseTariff.CONSTANT)
                .withPhase(phase);
        GangRecord.History history = record.history().started(start, new TreeMap<>());
        if (phase == Phase.COMPLETED) {
            host.endAt(pod, start + 60);
            host.records.put(gang, record.withHistory(history.ended(start + 60)));
        } else {
            host.bind(pod, "a");
            host.records.put(gang, record.withHistory(history));
        }
    }

    private Charge charged() {
        return host.ledger().days().values().stream().reduce(Charge.NOTHING, Charge::plus);
    }
}
