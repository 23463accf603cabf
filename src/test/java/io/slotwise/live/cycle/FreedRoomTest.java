package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.live.record.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Room that is free because the pods there have ended, while the turnover is three seconds. */
class FreedRoomTest extends OneReplica {
    /** The next gang is promised the room for the turnover after the expected end. */
    @Test
    void aGangWithAPromiseForLaterStartsInTheSecondInWhichItsRoomIsFree() {
        GangId first = starts("first");
        GangId next = host.arrives("next", 2, 100);
        host.goesDirect(next);
        loop.cycle();
        assertThat(host.window(next).start()).isEqualTo(FakeHost.BEGIN + 100 + TURNOVER);
        host.passTo(FakeHost.BEGIN + 97);
        loop.cycle();
        host.pass(Duration.ofSeconds(4));

        host.window(first).pods().forEach(pod -> host.succeed(pod, host.second()));
        loop.cycle();

        assertThat(host.startedDirectly).containsExactly("next");
        assertThat(host.known(next).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aGangWithoutAPromiseStartsInTheSecondInWhichItsRoomIsFree() {
        GangId first = starts("first");
        loop.cycle();
        host.passTo(FakeHost.BEGIN + 101);
        loop.cycle();

        host.window(first).pods().forEach(pod -> host.succeed(pod, host.second()));
        GangId next = host.arrives("next", 3, 100);
        host.goesDirect(next);
        loop.cycle();

        assertThat(host.startedDirectly).containsExactly("next");
    }
}
