package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.port.Leadership;
import io.slotwise.live.port.RecordStore.Outcome;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.live.start.GangStarter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The actions of a leader while nothing proves that its view of the cluster is current. */
class OldPictureTest {
    private final FakeHost host = new FakeHost().withNodes("a", "b");
    private final ChangingSettings settings = new ChangingSettings(LoopSettings.EXACT);
    private final GangStarter starter = host.starter(settings);
    private final PlanningLoop loop = host.replica(settings);

    @Test
    void noGangStarts() {
        GangId gang = host.arrives("g", 2, 100);
        host.goesDirect(gang);
        loop.cycle();
        host.startedDirectly.clear();
        host.current = false;

        assertThat(starter.look(host.instant()))
                .as("it is looked at again soon")
                .isBefore(host.instant().plusSeconds(1));
        Leadership.Reign reign = ((Leadership) () -> true).reign();
        assertThat(starter.startNow(host.known(gang), host.known(gang), reign))
                .isCompletedWithValue(new Outcome.Conflict());
        assertThat(host.startedDirectly).isEmpty();

        host.current = true;
        starter.look(host.instant());
        assertThat(host.startedDirectly).containsExactly("g");
    }

    @Test
    void nothingIsPlannedAndARunningGangWithUnseenPodsIsNotRolledBack() {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        loop.cycle();
        GangRecord running = host.known(gang);
        host.pods.clear();
        host.arrives("late", 1, 100);
        host.current = false;
        host.pass(Duration.ofSeconds(30));

        assertThat(loop.cycle()).as("a cycle is owed").isFalse();

        assertThat(host.known(gang)).isEqualTo(running);
        assertThat(host.records).hasSize(1);
        assertThat(loop.deadline()).isNotNull();

        host.current = true;
        assertThat(loop.cycle()).isTrue();
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
