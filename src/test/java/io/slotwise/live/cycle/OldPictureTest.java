package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The actions of a leader while nothing proves that its view of the cluster is current. Starts read what they need. */
class OldPictureTest {
    private final FakeHost host = new FakeHost().withNodes("a", "b");
    private final ChangingSettings settings = new ChangingSettings(LoopSettings.EXACT);
    private final GangStarter starter = host.starter(settings);
    private final PlanningLoop loop = host.replica(settings);

    @Test
    void noGangIsSentToKubeScheduler() {
        GangId gang = host.arrivesLater("g", 2, 100);
        loop.cycle();
        host.passTo(host.window(gang).start());
        host.current = false;

        assertThat(starter.look(host.instant()))
                .as("it is looked at again soon")
                .isBefore(host.instant().plusSeconds(1));
        assertThat(starter.isForNow(host.known(gang))).isFalse();
        assertThat(host.released).isEmpty();

        host.current = true;
        starter.look(host.instant());
        assertThat(host.released).hasSize(2);
    }

    /** The program was suspended for ten seconds, and a busy API server lets the proofs of the watches wait. */
    @Test
    void afterAStandstillPromisedAndNewGangsStart() {
        GangId promised = host.arrivesLater("promised", 1, 100);
        host.goesDirect(promised);
        loop.cycle();
        host.startedDirectly.clear();
        host.pass(Duration.ofSeconds(10));
        host.current = false;
        for (int i = 0; i < 3; i++) {
            host.goesDirect(host.arrives("new" + i, 1, 5));
        }

        loop.cycle();
        assertThat(host.startedDirectly)
                .as("the new gangs for which there is room")
                .containsExactly("new0", "new1");

        host.passTo(host.window(promised).start());
        starter.look(host.instant());
        assertThat(host.startedDirectly).contains("promised");
        assertThat(host.broken).isEmpty();
    }

    @Test
    void newGangsArePlannedAndARunningGangWithUnseenPodsStays() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        loop.cycle();
        GangRecord running = host.known(gang);
        host.pods.clear();
        host.arrives("late", 1, 100);
        host.current = false;
        host.pass(Duration.ofSeconds(30));

        assertThat(loop.cycle()).isTrue();

        assertThat(host.known(gang)).isEqualTo(running);
        assertThat(host.records).hasSize(2);
    }

    @Test
    void aLeaderThatHasNotSeenTheClusterLooksAgainSoonAndAnotherReplicaDoesNot() {
        host.arrives("g", 2, 100);
        host.ready = false;

        assertThat(loop.cycle()).as("nothing is owed").isTrue();
        assertThat(host.records).isEmpty();
        assertThat(loop.deadline()).isEqualTo(host.instant().plusSeconds(1));

        host.leads = false;
        loop.cycle();
        assertThat(loop.deadline()).isNull();

        host.leads = true;
        host.ready = true;
        loop.cycle();
        assertThat(host.records).hasSize(1);
    }
}
