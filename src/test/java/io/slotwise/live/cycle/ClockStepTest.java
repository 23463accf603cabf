package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A clock that is wrong by an hour, for a moment or for good. */
class ClockStepTest {
    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final PlanningLoop loop = host.replica(new ChangingSettings(LoopSettings.EXACT));

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void aGangThatRunsRunsOnAndEndsAsItWouldHave(int hours) {
        GangId gang = host.arrives("g", 2, 100);
        loop.cycle();
        host.openBarrier(gang);
        loop.cycle();

        host.pass(Duration.ofHours(hours));
        loop.cycle();
        loop.cycle();
        assertThat(host.evicted).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);

        host.pass(Duration.ofHours(-hours));
        loop.cycle();
        assertThat(host.evicted).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        host.pass(Duration.ofSeconds(50));
        host.end("g-0");
        host.end("g-1");
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.broken).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void aWaitingGangIsPromisedATimeOfTheSteppedClock(int hours) {
        GangId gang = host.arrives("g", 2, 100);
        host.nodes.forEach(node -> host.fullNodes.add(node.name()));
        loop.cycle();

        host.pass(Duration.ofHours(hours));
        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(gang).start()).isBetween(host.second(), host.second() + 60);

        host.pass(Duration.ofHours(-hours));
        loop.cycle();
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(gang).start()).isBetween(host.second(), host.second() + 60);
    }
}
