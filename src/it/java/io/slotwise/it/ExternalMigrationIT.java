package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** Proves that running gangs move to another resource domain under {@code migration: external}. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalMigrationIT {
    private static final int RUNTIME = 600;

    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    ExternalMigrationIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.planner.cycle", "2s",
                        "policy.running.migration.reach", "external",
                        "policy.running.min-run", "10s",
                        "policy.running.migration.overhead", "5s"));
    }

    @StoryTest
    void aGangMovesToAnotherDomainAndALargeOneStarts() {
        Scenario scenario = new Scenario(cluster, "abroad");
        cluster.nodeIn("a", "abroad-big", 8, "0.80", "abroad");
        GangSpec small = scenario.gang("small", 2, 4000, RUNTIME).stoppingIn(1).with("migratable", "true");
        cluster.submitAsIndexedJob(small);
        scenario.awaitWhole(small, 60);
        MovedGang moved = new MovedGang(cluster, small);
        Set<String> before = moved.uids();
        cluster.nodeIn("b", "abroad-b1", 4, "0.40", "abroad");
        cluster.nodeIn("b", "abroad-b2", 4, "0.40", "abroad");

        GangSpec large = scenario.gang("large", 1, 8000, RUNTIME).stoppingIn(1);
        cluster.submitAsJob(large);

        scenario.awaitWhole(large, 90);
        scenario.awaitWhole(small, 60);
        assertThat(new MovedGang(cluster, large).nodes()).containsExactly("abroad-big");
        assertThat(moved.nodes()).containsExactlyInAnyOrder("abroad-b1", "abroad-b2");
        assertThat(moved.uids()).hasSize(2).doesNotContainAnyElementsOf(before);
        moved.awaitBrokenOnce("migration: moved to make room for abroad/large");
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"external\",reason=\"start\"}"))
                .isEqualTo(1);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aGangMovesToAnotherDomainThatHasBecomeCheaper() {
        Scenario scenario = new Scenario(cluster, "cheaper");
        cluster.nodeIn("a", "cheaper-a", 4, "1.00", "cheaper");
        cluster.nodeIn("b", "cheaper-b", 4, "2.00", "cheaper");
        GangSpec gang = scenario.gang("gang", 2, 1000, RUNTIME)
                .stoppingIn(1)
                .with("migratable", "true")
                .with("criterion", "cost");
        cluster.submitAsIndexedJob(gang);
        scenario.awaitWhole(gang, 60);
        MovedGang moved = new MovedGang(cluster, gang);
        assertThat(moved.nodes()).containsOnly("cheaper-a");

        cluster.price("cheaper-b", "0.10");

        Scenario.within("the gang to run in the cheap domain", 90)
                .untilAsserted(() -> assertThat(moved.nodes()).hasSize(2).containsOnly("cheaper-b"));
        scenario.awaitWhole(gang, 30);
        moved.awaitBrokenOnce("migration: moved to save");
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"external\",reason=\"saving\"}"))
                .isEqualTo(1);
    }
}
