package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A gang of one pod runs for an hour on one of three nodes. When 600 s are done, a large gang comes that may use its
 * node and one other. The third node is free for the rest of the first gang.
 */
class MovedGangsTest {
    private static final long HOUR = 3600;
    private static final long UNIT = 3_600_000_000L;
    private static final long RAN = 600;
    private static final long OVERHEAD = 60;

    private final FakeHost host = new FakeHost().withNodes("a", "b", "c");
    private final PlanningLoop loop = newLoop();
    private final GangId runner = new GangId("user", "runner");
    private final GangId large = new GangId("user", "large");

    @Test
    void aRunningGangIsEvictedAndItsNewWindowIsWrittenWithTheWorkThatIsLeft() {
        Window old = runs();
        comes();
        loop.cycle();

        long now = host.second();
        assertThat(host.moved).singleElement().satisfies(move -> {
            assertThat(move.purpose()).isInstanceOf(Move.Start.class);
            assertThat(move.reach()).isEqualTo(Reach.LOCAL);
        });
        assertThat(host.evicted).containsExactly("runner-0");
        assertThat(host.broken).containsExactly(Cause.MIGRATION);
        GangRecord record = host.known(runner);
        assertThat(record.phase()).isEqualTo(Phase.PROMISED);
        assertThat(record.history().startedAt()).isEmpty();
        assertThat(record.history().attempts()).isZero();
        assertThat(record.startedAspect().holds()).isFalse();
        MigrationHistory history = Objects.requireNonNull(record.history().history());
        assertThat(history.work()).isEqualTo(HOUR - RAN);
        assertThat(history.overhead()).isEqualTo(OVERHEAD);
        assertThat(history.moves()).containsExactly(now);
        assertThat(history.back()).isBetween(now + 8, now + 20);
        assertThat(history.leaving()).containsExactly("uid-runner-0");
        assertThat(history.spent()).isEqualTo(new Cost(RAN * UNIT / HOUR));
        assertThat(host.window(runner).runtime()).isEqualTo(HOUR - RAN + OVERHEAD);
        assertThat(nodes(runner))
                .doesNotContainAnyElementsOf(
                        old.placements().stream().map(Placement::node).toList());
        assertThat(host.window(large).start()).isLessThan(old.start() + HOUR);
        assertThat(Objects.requireNonNull(host.known(large).promise()).origin()).isEqualTo(WindowOrigin.MIGRATION);
        assertThat(host.told)
                .anyMatch(what -> what.startsWith("runner WindowBroken: migration: moved to make room for user/large"));
    }

    @Test
    void theNewWindowWaitsForThePodsThatAreMadeAgain() {
        runs();
        comes();
        loop.cycle();
        Window promised = host.window(runner);

        loop.cycle();
        assertThat(host.window(runner)).isEqualTo(promised);

        made("runner-x");
        loop.cycle();

        assertThat(host.known(runner).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.window(runner).start()).isLessThanOrEqualTo(promised.start());
        assertThat(host.window(runner).placements()).extracting(Placement::pod).containsExactly("runner-x");
        assertThat(host.broken).containsExactly(Cause.MIGRATION);
    }

    @Test
    void aGangWhosePodsAreNotMadeAgainIsForgottenAfterAWhile() {
        runs();
        comes();
        loop.cycle();

        host.passTo(host.window(runner).start() + 6);
        loop.cycle();
        assertThat(host.broken).filteredOn(Cause.MIGRATION::equals).hasSize(2);
        assertThat(host.told)
                .contains("runner WindowBroken: migration: not all of its pods were recreated by its start");

        host.passTo(Objects.requireNonNull(host.known(runner).history().history())
                        .legs()
                        .getLast()
                        .endedAt()
                + 899);
        loop.cycle();
        assertThat(host.records).containsKey(runner);
        host.passTo(host.second() + 1);
        loop.cycle();
        assertThat(host.records).doesNotContainKey(runner);
    }

    @Test
    void aGangWithAMissingPodAtItsStartCountsAsReleased() {
        Window promised = movedAs("runner-x", "runner-y");
        host.pods.remove("runner-y");

        host.passTo(promised.start() + 6);
        loop.cycle();

        assertThat(host.told)
                .contains("runner WindowBroken: migration: not all of its pods were recreated by its start");
    }

    @Test
    void aGangThatIsWholeAgainAndNotReleasedWasLeftByAnOutage() {
        Window promised = movedAs("runner-x", "runner-y");

        host.passTo(promised.start() + 6);
        loop.cycle();

        assertThat(host.told)
                .filteredOn(what -> what.startsWith("runner WindowBroken"))
                .last()
                .asString()
                .startsWith("runner WindowBroken: outage");
    }

    @Test
    void aPromiseLeavesTheTimeThatTheOwnerOfThePodsIsKnownToTake() {
        host.stop = new EvictionTiming(8, 1200);
        runs();
        comes();
        loop.cycle();
        long move = host.second();
        Window promised = host.window(runner);
        assertThat(promised.start()).isGreaterThanOrEqualTo(move + 1200);
        assertThat(host.window(large).start()).isLessThan(move + 60);

        host.passTo(move + 1199);
        loop.cycle();
        assertThat(host.known(runner).phase()).isEqualTo(Phase.PROMISED);
        made("runner-x");
        loop.cycle();
        host.passTo(promised.start());
        host.openBarrier(runner);
        loop.cycle();

        assertThat(host.known(runner).phase()).isEqualTo(Phase.RUNNING);
        assertThat(host.known(runner).history().startedAt()).hasValue(promised.start());
        assertThat(host.told)
                .filteredOn(what -> what.startsWith("runner WindowBroken"))
                .hasSize(1);
    }

    @Test
    void aWrittenMoveIsCarriedOutByTheNextReplica() {
        runs();
        comes();
        loop.cycle();
        host.evicted.clear();
        host.bind("runner-0", "a");

        newLoop().cycle();

        assertThat(host.evicted).containsExactly("runner-0");
        assertThat(host.known(runner).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.moved).hasSize(1);
    }

    @Test
    void aBudgetThatRefusesAMoveIsRespectedForAWhileAndTold() {
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");

        loop.cycle();
        long asked = host.second();
        assertThat(host.evicted).isEmpty();
        assertThat(told("EvictionRefused"))
                .containsExactly("runner EvictionRefused: runner-0 has to make room and cannot be evicted now (a "
                        + "PodDisruptionBudget does not allow it): the whole gang keeps running; retrying for 60 s");

        for (int second = 1; second < MoveStops.PATIENCE; second++) {
            host.passTo(asked + second);
            loop.cycle();
        }
        assertThat(host.evicted).isEmpty();
        // After 5, 15 and 35 s.
        assertThat(host.asked).isEqualTo(4);
        assertThat(told("EvictionRefused")).hasSize(1);

        host.refusedEvictions.clear();
        host.passTo(asked + MoveStops.PATIENCE);
        loop.cycle();
        assertThat(host.evicted).containsExactly("runner-0");
        assertThat(told("EvictionRefused")).hasSize(1);
    }

    @Test
    void aBudgetThatGoesOnRefusingIsPassedInTheEnd() {
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();

        host.passTo(host.second() + MoveStops.PATIENCE);
        loop.cycle();

        assertThat(host.evicted).containsExactly("runner-0");
        assertThat(told("EvictionRefused"))
                .last()
                .isEqualTo("runner EvictionRefused: runner-0 had to make room and could not be evicted for 60 s (a "
                        + "PodDisruptionBudget does not allow it): the whole gang is deleted, since its room is "
                        + "promised to others");
    }

    @Test
    void aReplicaThatLeadsAgainRespectsABudgetForTheWholeTimeAnew() {
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();
        long asked = host.second();

        host.leads = false;
        loop.cycle();
        host.leads = true;
        host.passTo(asked + MoveStops.PATIENCE);
        loop.cycle();
        assertThat(host.evicted).isEmpty();

        host.passTo(asked + 2 * MoveStops.PATIENCE);
        loop.cycle();
        assertThat(host.evicted).containsExactly("runner-0");
    }

    @Test
    void aGangKeptByADisruptionBudgetPaysForEachSecondUntilItGoes() {
        host.grants.put("user", new Grant.Given(Allotment.parse("100/month")));
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();
        long asked = host.second();
        for (int second : new int[] {2, 5, 9}) {
            host.passTo(asked + second);
            loop.cycle();
        }

        host.refusedEvictions.clear();
        host.passTo(asked + 15);
        loop.cycle();
        assertThat(host.evicted).containsExactly("runner-0");
        for (int second : new int[] {16, 40}) {
            host.passTo(asked + second);
            loop.cycle();
        }

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(RAN * UNIT / HOUR), new Cost(15 * UNIT / HOUR)));
        MigrationHistory history =
                Objects.requireNonNull(host.known(runner).history().history());
        assertThat(history.moves()).containsExactly(asked);
        assertThat(history.spent()).isEqualTo(new Cost((RAN + 15) * UNIT / HOUR));
        assertThat(history.legs()).extracting(MigrationHistory.Leg::start).doesNotHaveDuplicates();
    }

    @Test
    void aDeletedRecordStaysAndChargesWhileABudgetKeepsTheGangThatHasToMakeRoom() {
        host.grants.put("user", new Grant.Given(Allotment.parse("100/month")));
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();
        long asked = host.second();
        host.deletesRecord(runner);
        for (int second : new int[] {5, 10}) {
            host.passTo(asked + second);
            loop.cycle();
        }
        assertThat(host.records).containsKey(runner);

        host.passTo(asked + MoveStops.PATIENCE);
        loop.cycle();
        assertThat(host.evicted).containsExactly("runner-0");
        host.gangs.remove(runner);
        for (int second : new int[] {1, 2, 3}) {
            host.passTo(asked + MoveStops.PATIENCE + second);
            loop.cycle();
        }

        assertThat(host.records).doesNotContainKey(runner);
        assertThat(host.spent())
                .isEqualTo(new Charge(
                        new Cost(RAN * UNIT / HOUR),
                        new Cost(MoveStops.PATIENCE * UNIT / HOUR),
                        host.spent().processorTime()));
    }

    @Test
    void aGangThatABudgetKeepsAndThatEndsMeanwhilePaysUntilItsEnd() {
        host.grants.put("user", new Grant.Given(Allotment.parse("100/month")));
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();
        long asked = host.second();

        host.endAt("runner-0", asked + 3);
        for (int second : new int[] {5, 10, 20}) {
            host.passTo(asked + second);
            loop.cycle();
        }

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(RAN * UNIT / HOUR), new Cost(3 * UNIT / HOUR)));
    }

    @Test
    void aClockThatIsSetBackRestartsTheWaitForABudget() {
        runs();
        comes();
        host.refusedEvictions.put("runner-0", "a PodDisruptionBudget does not allow it");
        loop.cycle();

        host.pass(Duration.ofHours(-1));
        loop.cycle();

        assertThat(host.asked).isEqualTo(2);
        assertThat(host.evicted).isEmpty();
    }

    private List<String> told(String reason) {
        return host.told.stream()
                .filter(what -> what.startsWith("runner " + reason))
                .toList();
    }

    @Test
    void noGangIsEvictedWhoseMoveCouldNotBeWritten() {
        runs();
        comes();
        host.conflicts = true;

        loop.cycle();

        assertThat(host.evicted).isEmpty();
        assertThat(host.moved).isEmpty();
        assertThat(host.known(runner).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void theLargeGangIsWrittenAfterTheOneThatMakesRoom() {
        runs();
        comes();
        host.writesLeft = 1;

        loop.cycle();

        assertThat(host.known(runner).phase()).isEqualTo(Phase.PROMISED);
        assertThat(host.records).doesNotContainKey(large);
    }

    @Test
    void theLedgerChargesEachSecondThatItRanOnce() {
        host.grants.put("user", new Grant.Given(Allotment.parse("100/month")));
        runs();
        comes();
        long ran = RAN;
        loop.cycle();
        loop.cycle();

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(ran * UNIT / HOUR), Cost.ZERO));

        made("runner-x");
        loop.cycle();
        long start = host.window(runner).start();
        host.passTo(start);
        host.openBarrier(runner);
        host.passTo(start + HOUR - RAN);
        host.endAt("runner-x", start + HOUR - RAN);
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }

        assertThat(host.spent()).isEqualTo(new Charge(new Cost(UNIT), Cost.ZERO));
        assertThat(host.ledger().entries())
                .filteredOn(entry -> entry.gang().equals("runner"))
                .hasSize(2)
                .noneMatch(entry -> entry.isOpen());
    }

    /** The moments at which a tenant deletes the record of the moved gang. */
    enum Deleted {
        BEFORE_IT_IS_MADE_AGAIN,
        WHEN_IT_WAS_NOT_MADE_AGAIN_IN_TIME,
        BEFORE_IT_RUNS_AGAIN,
        WHILE_IT_RUNS_AGAIN,
        AFTER_ITS_END
    }

    @ParameterizedTest
    @EnumSource
    void theDeletedRecordOfAGangThatMovedStaysUntilEachOfItsRunsIsCharged(Deleted when) {
        host.grants.put("user", new Grant.Given(Allotment.parse("100/month")));
        runs();
        comes();
        loop.cycle();
        long ran = RAN;
        if (when == Deleted.WHEN_IT_WAS_NOT_MADE_AGAIN_IN_TIME) {
            host.passTo(host.window(runner).start() + 6);
            loop.cycle();
            assertThat(host.known(runner).promise()).isNull();
        } else if (when != Deleted.BEFORE_IT_IS_MADE_AGAIN) {
            made("runner-x");
            loop.cycle();
        }
        if (when.compareTo(Deleted.WHILE_IT_RUNS_AGAIN) >= 0) {
            host.passTo(host.window(runner).start());
            host.openBarrier(runner);
            loop.cycle();
        }
        if (when == Deleted.AFTER_ITS_END) {
            ran = HOUR;
            endsItsSecondRun();
            loop.cycle();
            assertThat(host.known(runner).phase()).isEqualTo(Phase.COMPLETED);
        }
        assertThat(host.known(runner).isKept()).isTrue();

        host.deletesRecord(runner);
        if (when == Deleted.WHILE_IT_RUNS_AGAIN) {
            ran = HOUR;
            loop.cycle();
            assertThat(host.records).containsKey(runner);
            endsItsSecondRun();
        }
        host.gangs.remove(runner);
        host.pass(Duration.ofSeconds(LoopSettings.LEAST_RECORD_TTL + 1));
        for (int i = 0; i < 3; i++) {
            loop.cycle();
        }

        assertThat(host.records).doesNotContainKey(runner);
        assertThat(host.spent()).isEqualTo(new Charge(new Cost(ran * UNIT / HOUR), Cost.ZERO));
    }

    private void endsItsSecondRun() {
        long end = host.window(runner).start() + HOUR - RAN;
        host.passTo(end);
        host.endAt("runner-x", end);
    }

    @Test
    void aGangIsMovedNoOftenerThanTheLimitSaysAlsoInItsSecondRun() {
        runs();
        comes();
        loop.cycle();
        made("runner-x");
        loop.cycle();
        long start = host.window(runner).start();
        host.passTo(start);
        host.openBarrier(runner);
        host.pods.remove("large-0");
        host.pods.remove("large-1");
        host.gangs.remove(large);
        loop.cycle();

        host.passTo(start + 400);
        host.arrives("other", 3, 300);
        loop.cycle();
        assertThat(host.moved).hasSize(1);

        newLoop(2).cycle();

        assertThat(host.moved).hasSize(2);
        MigrationHistory history =
                Objects.requireNonNull(host.known(runner).history().history());
        assertThat(history.legs()).hasSize(2);
        assertThat(history.times()).isEqualTo(2);
        assertThat(history.work()).isEqualTo(HOUR - RAN - (400 - OVERHEAD));
        assertThat(history.spent()).isEqualTo(new Cost((RAN + 400) * UNIT / HOUR));
    }

    private Window runs() {
        return runs(1);
    }

    private Window runs(int pods) {
        host.arrives("runner", pods, HOUR);
        host.migratable.add(runner);
        loop.cycle();
        Window window = host.window(runner);
        host.passTo(window.start());
        host.openBarrier(runner);
        loop.cycle();
        return window;
    }

    /** Adds a gang that needs the node of the runner and another one. The third node is free for the runner only. */
    private void comes() {
        host.passTo(host.known(runner).history().startedAt().orElseThrow() + RAN);
        String where = nodes(runner).getFirst();
        String other = where.equals("a") ? "b" : "a";
        host.arrives("large", 2, HOUR);
        Gang gang = Objects.requireNonNull(host.gangs.get(large));
        host.gangs.put(large, host.on(gang, Set.of(where, other)));
    }

    private void made(String... pods) {
        for (String pod : pods) {
            host.pods.put(pod, FakeHost.waiting(pod));
        }
        host.gangs.put(runner, FakeHost.gang(runner, List.of(pods), HOUR, Budget.UNLIMITED, Criterion.START));
    }

    /** Moves the runner, which gets two pods of these names. Returns its new window. */
    private Window movedAs(String... pods) {
        host.withNodes("d");
        runs(2);
        host.passTo(host.known(runner).history().startedAt().orElseThrow() + RAN);
        host.arrives("large", 2, HOUR);
        Gang gang = Objects.requireNonNull(host.gangs.get(large));
        host.gangs.put(large, host.on(gang, Set.copyOf(nodes(runner))));
        loop.cycle();
        assertThat(host.moved).hasSize(1);
        made(pods);
        loop.cycle();
        return host.window(runner);
    }

    private List<String> nodes(GangId gang) {
        return host.window(gang).placements().stream().map(Placement::node).toList();
    }

    private PlanningLoop newLoop() {
        return newLoop(1);
    }

    private PlanningLoop newLoop(int movesPerHour) {
        return host.replica(CurrentSettings.fixed(LoopSettings.EXACT.withPolicy(Policy.EXACT
                .withTurnover(3)
                .withMigration(new MigrationPolicy(Reach.EXTERNAL, movesPerHour, 300, OVERHEAD)))));
    }
}
