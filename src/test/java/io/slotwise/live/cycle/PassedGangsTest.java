package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes under EASY backfilling: one is in use, a wide gang has the reservation, and another one waits behind it.
 */
class PassedGangsTest {
    private static final long HOUR = 3600;

    private final FakeHost host = new FakeHost().withNodes("a", "b");
    private GangId wide = new GangId("user", "wide");

    @BeforeEach
    void aWideGangWaitsBehindAnother() {
        PlanningLoop loop = replica(2);
        starts(loop, "runner", HOUR, 0);
        arrives("head", 2, HOUR, 0);
        loop.cycle();
        wide = arrives("wide", 2, HOUR, 1);
        loop.cycle();
        assertThat(host.known(wide).phase()).isEqualTo(Phase.PENDING);
    }

    @Test
    void aGangThatTwoHavePassedIsServedFirstByAnyReplicaAndWithoutARecord() {
        PlanningLoop loop = replica(2);
        starts(loop, "first", 60, 1);
        String version = host.known(wide).version();
        loop.cycle();
        assertThat(host.known(wide).version())
                .as("nothing is written while others pass")
                .isEqualTo(version);
        goes(loop, "first");
        assertThat(host.known(wide).history().passed()).isEqualTo(1);
        assertThat(host.known(wide).promise()).isNull();

        PlanningLoop next = replica(2);
        starts(next, "second", 60, 0);
        next.cycle();

        assertThat(host.known(wide).promise()).isNotNull();
        assertThat(host.window(wide).start())
                .isGreaterThan(host.window(new GangId("user", "head")).start());
    }

    @Test
    void higherPrioritiesAndAPolicyWithoutALimitLetItWait() {
        PlanningLoop loop = replica(2);
        starts(loop, "first", 60, 2);
        goes(loop, "first");
        starts(loop, "second", 60, 2);
        loop.cycle();
        assertThat(host.known(wide).history().passed()).isZero();
        assertThat(host.known(wide).promise()).isNull();

        PlanningLoop unlimited = replica(0);
        goes(unlimited, "second");
        starts(unlimited, "third", 60, 0);
        goes(unlimited, "third");
        starts(unlimited, "fourth", 60, 0);
        goes(unlimited, "fourth");
        unlimited.cycle();
        assertThat(host.known(wide).history().passed()).isZero();
        assertThat(host.known(wide).promise()).isNull();
    }

    @Test
    void noneIsCountedBeyondTheLimit() {
        PlanningLoop loop = replica(2);
        host.lostNodes.add(host.window(new GangId("user", "runner"))
                .placements()
                .getFirst()
                .node());
        for (String name : List.of("first", "second", "third")) {
            starts(loop, name, 60, 0);
            goes(loop, name);
        }

        assertThat(host.known(wide).promise()).isNull();
        assertThat(host.known(wide).history().passed()).isEqualTo(2);
    }

    private PlanningLoop replica(int limit) {
        Policy policy = Policy.EXACT
                .withBackfill(Backfill.EASY)
                .withBatch(Policy.EXACT.batch().withSplit(new Split(1, 0, Split.Choice.ORDER)))
                .withPreemption(Policy.Preempting.NONE)
                .withQueue(Policy.EXACT.queue().passedBy(limit));
        return host.replica(CurrentSettings.fixed(LoopSettings.EXACT.withPolicy(policy)));
    }

    private GangId arrives(String name, int size, long runtime, int priority) {
        host.pass(Duration.ofSeconds(2));
        return host.arrives(name, size, runtime, priority);
    }

    private void starts(PlanningLoop loop, String name, long runtime, int priority) {
        GangId gang = arrives(name, 1, runtime, priority);
        loop.cycle();
        host.passTo(Math.max(host.second(), host.window(gang).start()));
        host.openBarrier(gang);
        loop.cycle();
    }

    /** Ends a gang and deletes its pods, so that its record goes. */
    private void goes(PlanningLoop loop, String name) {
        GangId gang = new GangId("user", name);
        host.pass(Duration.ofSeconds(60));
        host.endAt(name + "-0", host.second());
        loop.cycle();
        host.pods.remove(name + "-0");
        host.gangs.remove(gang);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }
        assertThat(host.records).doesNotContainKey(gang);
        assertThat(Objects.requireNonNull(host.records.get(wide))).isNotNull();
    }
}
