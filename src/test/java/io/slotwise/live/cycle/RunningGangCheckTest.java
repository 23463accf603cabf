package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gang of two pods runs for an hour, each pod on a node of its own at one unit an hour. The overrun grace is a
 * minute.
 */
class RunningGangCheckTest {
    private static final long HOUR = 3600;
    private static final long GRACE = 60;
    private static final long UNIT = 3_600_000_000L;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final ChangingSettings current = new ChangingSettings(PolicyFile.read(
            new StringReader("{running.member-loss: restart, running.overrun.then: evict}"), "policy.yaml"));
    private final PlanningLoop loop = host.replica(current, () -> host.leads);
    private GangId gang = new GangId("user", "g");
    private long startedAt;

    @Test
    void aGangThatLosesAMemberIsStoppedAndPlannedAgainWithItsWholeRuntime() {
        runs();
        host.passTo(startedAt + 600);
        host.endAt("g-1", startedAt + 590);

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.broken).containsExactly(Cause.MEMBER_LOSS);
        assertThat(host.told)
                .contains("g WindowBroken: member-loss: g-1 was lost while the gang ran: all of its pods are "
                        + "evicted, to be recreated and planned again");
        GangRecord stopped = host.known(gang);
        assertThat(stopped.phase()).isEqualTo(Phase.PENDING);
        MigrationHistory history = Objects.requireNonNull(stopped.history().history());
        assertThat(history.work()).isEqualTo(HOUR);
        assertThat(history.leaving()).containsExactly("uid-g-0");
        assertThat(history.spent())
                .as("600 s of one pod and 590 s of the other")
                .isEqualTo(new Cost(1190 * UNIT / HOUR));

        host.pass(Duration.ofSeconds(20));
        made("g-2", "g-3");
        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.STARTING);
        assertThat(host.window(gang).runtime()).isEqualTo(HOUR);
        assertThat(host.window(gang).pods()).containsExactlyInAnyOrder("g-2", "g-3");
    }

    @Test
    void aMemberThatVanishesIsLostToo() {
        runs();
        host.passTo(startedAt + 600);
        host.pods.remove("g-1");

        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
    }

    @Test
    void aMemberThatHasDoneItsWorkIsNotLostWhetherItsPodIsThereOrNot() {
        runs();
        host.passTo(startedAt + 600);
        host.succeed("g-1", startedAt + 590);
        loop.cycle();
        host.pods.remove("g-1");
        host.pass(Duration.ofSeconds(10));
        loop.cycle();

        assertThat(host.evicted).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aMemberThatIsBeingDeletedIsLostWhenItsTimeForThatIsOver() {
        runs();
        host.passTo(startedAt + 600);
        host.deleteUntil("g-1", startedAt + 630);
        loop.cycle();
        assertThat(host.evicted).isEmpty();

        host.passTo(startedAt + 630);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
    }

    @Test
    void aGangOfWhichAllPodsHaveEndedHasEnded() {
        runs();
        host.passTo(startedAt + 600);
        host.endAt("g-0", startedAt + 600);
        host.endAt("g-1", startedAt + 600);

        loop.cycle();

        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
        assertThat(host.broken).isEmpty();
    }

    @Test
    void aGangWithoutAControllerContinuesWithoutTheMember() {
        runs();
        host.madeAgain = false;
        host.passTo(startedAt + 600);
        host.pods.remove("g-1");

        loop.cycle();

        assertThat(host.evicted).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void underContinueTheOthersGoOn() {
        current.write(LoopSettings.EXACT);
        runs();
        host.passTo(startedAt + 600);
        host.pods.remove("g-1");

        loop.cycle();

        assertThat(host.evicted).isEmpty();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void membersThatRunPastTheirEndAreEvictedAfterTheGrace() {
        runs();
        host.passTo(startedAt + HOUR + GRACE - 1);
        loop.cycle();
        assertThat(host.evicted).isEmpty();
        assertThat(loop.deadline()).isEqualTo(Instant.ofEpochSecond(startedAt + HOUR + GRACE));

        host.passTo(startedAt + HOUR + GRACE);
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0", "g-1");
        assertThat(host.told).contains("g OverrunEvicted: g-0, g-1 ran past the promised end: evicted");
        host.pass(Duration.ofSeconds(1));
        loop.cycle();
        assertThat(host.broken).as("who had his time is not lost").isEmpty();
    }

    @Test
    void anEvictionThatADisruptionBudgetRefusesIsTriedAgainAndTold() {
        runs();
        host.refusedEvictions.put("g-1", "a PodDisruptionBudget does not allow it");
        host.passTo(startedAt + HOUR + GRACE);
        loop.cycle();
        host.pass(Duration.ofSeconds(9));
        loop.cycle();

        assertThat(host.evicted).containsExactly("g-0");
        assertThat(host.asked).isEqualTo(1);
        assertThat(host.told)
                .contains("g EvictionRefused: g-1 ran past the promised end and cannot be evicted now (a "
                        + "PodDisruptionBudget does not allow it); retrying for 60 s");

        host.refusedEvictions.clear();
        host.pass(Duration.ofSeconds(1));
        loop.cycle();

        assertThat(host.asked).isEqualTo(2);
        assertThat(host.evicted).containsExactly("g-0", "g-1");
        assertThat(host.known(gang).phase()).isEqualTo(Phase.RUNNING);
        loop.cycle();
        assertThat(host.known(gang).phase()).isEqualTo(Phase.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 30, 60})
    void aDisruptionBudgetKeepsAnOverrunningMemberForAtMostAMinute(long cycle) {
        runs();
        host.refusedEvictions.put("g-1", "a PodDisruptionBudget does not allow it");
        host.passTo(startedAt + HOUR + GRACE);
        loop.cycle();

        for (long waited = cycle; waited < 60; waited += cycle) {
            host.pass(Duration.ofSeconds(cycle));
            loop.cycle();
        }
        assertThat(host.evicted).containsOnly("g-0");

        host.pass(Duration.ofSeconds(cycle));
        loop.cycle();

        assertThat(host.evicted).contains("g-1");
        assertThat(host.told)
                .contains("g OverrunEvicted: g-1 ran past the promised end and could not be evicted for 60 s (a "
                        + "PodDisruptionBudget does not allow it): deleted");
    }

    private void runs() {
        gang = host.arrives("g", 2, HOUR);
        loop.cycle();
        host.openBarrier(gang);
        startedAt = host.known(gang).history().startedAt().orElseThrow();
        host.pass(Duration.ofSeconds(1));
        loop.cycle();
    }

    private void made(String... pods) {
        for (String pod : pods) {
            host.pods.put(pod, FakeHost.waiting(pod));
        }
        host.gangs.put(gang, FakeHost.gang(gang, List.of(pods), HOUR, Budget.UNLIMITED, Criterion.START));
    }
}
