package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Proves that running gangs are stopped and start again elsewhere, on the real control plane. The Job controller makes
 * their pods again.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MigrationIT {
    private static final int RUNTIME = 600;
    private static final int OVERHEAD = 5;

    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    MigrationIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.planner.cycle", "2s",
                        "policy.running.migration.reach", "local",
                        "policy.running.min-run", "10s",
                        "policy.running.migration.overhead", OVERHEAD + "s"));
    }

    @StoryTest
    void aGangOnTheOnlyBigNodeMovesToSmallOnesAndALargeGangStarts() {
        Scenario scenario = new Scenario(cluster, "fragments");
        cluster.node("fragments-big", 8, "0.80", "fragments");
        GangSpec small = scenario.gang("small", 4, 2000, RUNTIME).with("migratable", "true");
        cluster.submitAsIndexedJob(small);
        scenario.awaitWhole(small, 60);
        MovedGang moved = new MovedGang(cluster, small);
        Set<String> before = moved.uids();
        for (int i = 1; i <= 4; i++) {
            cluster.node("fragments-s" + i, 2, "0.20", "fragments");
        }

        GangSpec large = scenario.gang("large", 1, 8000, RUNTIME);
        cluster.submitAsJob(large);

        scenario.awaitWhole(large, 120);
        scenario.awaitEvent(
                "WindowBroken",
                event -> assertThat(event).contains("migration: moved to make room for fragments/large"));
        scenario.awaitWhole(small, 90);
        assertThat(new MovedGang(cluster, large).nodes()).containsExactly("fragments-big");
        assertThat(moved.nodes())
                .containsExactlyInAnyOrder("fragments-s1", "fragments-s2", "fragments-s3", "fragments-s4");
        assertThat(moved.uids()).hasSize(4).doesNotContainAnyElementsOf(before);
        Map<String, Object> past = moved.past();
        assertThat(((Number) Objects.requireNonNull(past.get("workSeconds"))).intValue())
                .isBetween(RUNTIME - 60, RUNTIME - 10);
        assertThat(past.get("overheadSeconds")).isEqualTo(OVERHEAD);
        assertThat(moved.runs()).hasSize(1);
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"local\",reason=\"start\"}"))
                .isEqualTo(1);
        assertThat(moved.brokenPromises()).hasSize(1);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aGangMovesWhenANodeBecomesCheapAndABareOneStays() {
        Scenario scenario = new Scenario(cluster, "bargains");
        cluster.node("bargains-a", 4, "1.00", "bargains");
        cluster.node("bargains-b", 4, "2.00", "bargains");
        GangSpec gang = movable(scenario.gang("gang", 2, 1000, RUNTIME));
        GangSpec bare = movable(scenario.gang("bare", 1, 1000, RUNTIME));
        cluster.submitAsJob(gang);
        cluster.submitAsPods(bare);
        scenario.awaitWhole(gang, 60);
        scenario.awaitWhole(bare, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        assertThat(moved.nodes()).containsOnly("bargains-a");

        cluster.price("bargains-b", "0.10");

        Scenario.within("the gang to run on the cheap node", 120)
                .untilAsserted(() -> assertThat(moved.nodes()).containsOnly("bargains-b"));
        scenario.awaitWhole(gang, 60);
        moved.awaitBrokenOnce("migration: moved to save");
        assertThat(new MovedGang(cluster, bare).nodes()).containsOnly("bargains-a");
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"local\",reason=\"saving\"}"))
                .isPositive();
    }

    @StoryTest
    void aGangStaysInItsDomainThoughAnotherOneIsCheaper() {
        Scenario scenario = new Scenario(cluster, "home");
        cluster.nodeIn("a", "home-a1", 4, "1.00", "home");
        cluster.nodeIn("a", "home-a2", 4, "2.00", "home");
        cluster.nodeIn("b", "home-b", 4, "2.00", "home");
        GangSpec gang = movable(scenario.gang("gang", 2, 1000, RUNTIME));
        cluster.submitAsIndexedJob(gang);
        scenario.awaitWhole(gang, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        assertThat(moved.nodes()).containsOnly("home-a1");

        cluster.price("home-b", "0.05");
        cluster.price("home-a2", "0.50");

        Scenario.within("the gang to run on the cheap node of its domain", 90)
                .untilAsserted(() -> assertThat(moved.nodes()).hasSize(2).containsOnly("home-a2"));
        scenario.awaitWhole(gang, 30);
        assertThat(moved.moves()).isEqualTo(1);
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"external\",reason=\"saving\"}"))
                .isZero();
    }

    /**
     * Three pods of one Job that counts all failures together, and makes the pods again 40 s after the last one has
     * stopped.
     */
    @StoryTest
    void aPromiseLeavesTheTimeThatAPlainJobTakesToMakeItsPodsAgain() {
        Scenario scenario = new Scenario(cluster, "backoff");
        cluster.node("backoff-a", 4, "1.00", "backoff");
        cluster.node("backoff-b", 4, "2.00", "backoff");
        GangSpec gang = movable(scenario.gang("gang", 3, 1000, RUNTIME));
        cluster.submitAsJob(gang);
        scenario.awaitWhole(gang, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        Set<String> before = moved.uids();

        cluster.price("backoff-b", "0.10");

        Scenario.within("the gang to be stopped", 60)
                .untilAsserted(() -> assertThat(moved.moves()).isEqualTo(1));
        scenario.awaitWhole(gang, 120);
        assertThat(moved.uids()).hasSize(3).doesNotContainAnyElementsOf(before);
        assertThat(moved.nodes()).containsOnly("backoff-b");
        moved.awaitBrokenOnce("migration: moved to save");
        Instant stopped = moved.stoppedAt();
        assertThat(moved.promisedAfterTheMove()).first().satisfies(promised -> {
            assertThat(promised).isAfterOrEqualTo(stopped.plusSeconds(40));
            assertThat(moved.startedAt()).isBeforeOrEqualTo(promised.plusSeconds(1));
        });
        assertThat(moved.startedAt()).isAfterOrEqualTo(stopped.plusSeconds(40));
    }

    @StoryTest
    void aGangIsMovedOnceItsDisruptionBudgetAllowsIt() {
        Scenario scenario = new Scenario(cluster, "protected");
        cluster.node("protected-a", 4, "1.00", "protected");
        cluster.node("protected-b", 4, "2.00", "protected");
        GangSpec gang = movable(scenario.gang("gang", 2, 1000, RUNTIME));
        GangSpec free = movable(scenario.gang("free", 2, 1000, RUNTIME));
        cluster.submitAsIndexedJob(gang);
        cluster.submitAsIndexedJob(free);
        cluster.protect(gang);
        scenario.awaitWhole(gang, 60);
        scenario.awaitWhole(free, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        MovedGang beside = new MovedGang(cluster, free);

        cluster.price("protected-b", "0.10");
        Scenario.within("the gang beside it to run on the cheap node", 90)
                .untilAsserted(() -> assertThat(beside.nodes()).hasSize(2).containsOnly("protected-b"));
        assertThat(moved.nodes()).hasSize(2).containsOnly("protected-a");
        assertThat(moved.brokenPromises()).isEmpty();

        cluster.protectNoLonger(gang);
        Scenario.within("the gang to run on the cheap node", 90)
                .untilAsserted(() -> assertThat(moved.nodes()).hasSize(2).containsOnly("protected-b"));
        scenario.awaitWhole(gang, 30);
        moved.awaitBrokenOnce("migration: moved to save");
    }

    /** A pod takes a quarter of a node, which is 250,000 or 25,000 millionths an hour. */
    @StoryTest
    void theLedgerChargesEachRunOfAMovedGangToTheMicroUnit() {
        Scenario scenario = new Scenario(cluster, "ledgered");
        NamespaceLedger ledger = new NamespaceLedger(cluster, "ledgered");
        ledger.setBudget("1/month");
        cluster.node("ledgered-a", 4, "1.00", "ledgered");
        cluster.node("ledgered-b", 4, "2.00", "ledgered");
        GangSpec gang = movable(scenario.gang("gang", 2, 1000, RUNTIME)).runningFor(30);
        cluster.submitAsIndexedJob(gang);
        scenario.awaitWhole(gang, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        Instant firstStart = moved.startedAt();
        Scenario.within("the ledger to hold the whole run", 10)
                .untilAsserted(() -> assertThat(ledger.held()).isEqualTo(2L * 250_000 * RUNTIME));

        cluster.price("ledgered-b", "0.10");
        Scenario.within("the gang to be stopped", 60)
                .untilAsserted(() -> assertThat(moved.moves()).isEqualTo(1));
        long ran = moved.stoppedAt().getEpochSecond() - firstStart.getEpochSecond();
        long left = RUNTIME - ran + OVERHEAD;
        Scenario.within("the ledger to charge the first run and to hold the second", 20)
                .untilAsserted(() -> {
                    assertThat(ledger.spent()).isEqualTo(2 * 250_000 * ran);
                    assertThat(ledger.held()).isEqualTo(2 * 25_000 * left);
                });

        scenario.awaitWhole(gang, 60);
        Instant secondStart = moved.startedAt();
        Scenario.within("the gang to end", 60)
                .untilAsserted(() -> assertThat(cluster.phase(gang)).isEqualTo("Completed"));
        long both = 2 * 250_000 * ran
                + moved.ends().stream()
                        .mapToLong(end -> 25_000 * (end.getEpochSecond() - secondStart.getEpochSecond()))
                        .sum();
        Scenario.within("the ledger to charge the second run and to hold nothing", 20)
                .untilAsserted(() -> {
                    assertThat(ledger.held()).isZero();
                    assertThat(ledger.spent()).isEqualTo(both).isEqualTo(ledger.charged());
                });
        assertThat(moved.ends()).hasSize(2);
        assertThat(ledger.entries())
                .hasSize(2)
                .allSatisfy(
                        entry -> assertThat(entry).containsEntry("gang", "gang").containsKey("endedAt"));
    }

    /** Returns the gang with the criterion cost, movable, and with pods that stop at once. */
    private static GangSpec movable(GangSpec gang) {
        return gang.with("migratable", "true").with("criterion", "cost").stoppingIn(1);
    }
}
