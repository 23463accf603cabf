package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Gangs that run are stopped and start again elsewhere, on the real control plane: the Job controller makes their pods again. */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MigrationIT {
    private static final int RUNTIME = 600;

    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    MigrationIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart = Installation.install(
                plane,
                Map.of(
                        "policy.turnover", "3s",
                        "policy.cycle", "2s",
                        "policy.migration", "local",
                        "policy.min-run", "10s",
                        "policy.migration-overhead", "5s"));
        slotwise = chart.startSlotwise();
        scheduler = chart.startScheduler(slotwise.url());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @Test
    void aGangOnTheOnlyBigNodeMovesToSmallOnesAndALargeGangStarts() {
        Scenario scenario = new Scenario(cluster, "fragments");
        cluster.node("fragments-big", 8, "0.80", "fragments");
        GangSpec small = scenario.gang("small", 4, 2000, RUNTIME).with("migratable", "true");
        cluster.submitAsIndexedJob(small);
        scenario.awaitWhole(small, 60);
        Set<String> before = uids(small);
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
        assertThat(nodes(large)).containsExactly("fragments-big");
        assertThat(nodes(small))
                .containsExactlyInAnyOrder("fragments-s1", "fragments-s2", "fragments-s3", "fragments-s4");
        assertThat(uids(small)).hasSize(4).doesNotContainAnyElementsOf(before);
        Map<String, Object> past = past(small);
        assertThat(((Number) Objects.requireNonNull(past.get("workSeconds"))).intValue())
                .isBetween(RUNTIME - 60, RUNTIME - 10);
        assertThat(past.get("overheadSeconds")).isEqualTo(5);
        assertThat((List<?>) past.get("runs")).hasSize(1);
        assertThat(slotwise.metric("slotwise_migrations_total{kind=\"local\",reason=\"start\"}"))
                .isEqualTo(1);
        assertThat(slotwise.metric("slotwise_promises_broken_total{cause=\"migration\"}"))
                .isEqualTo(slotwise.metric("slotwise_migrations_total"));
        assertThat(scenario.violations()).isEmpty();
    }

    @Test
    void aGangMovesWhenANodeBecomesCheapAndABareOneStays() {
        Scenario scenario = new Scenario(cluster, "bargains");
        cluster.node("bargains-a", 4, "1.00", "bargains");
        cluster.node("bargains-b", 4, "2.00", "bargains");
        GangSpec gang = scenario.gang("gang", 2, 1000, RUNTIME)
                .with("migratable", "true")
                .with("criterion", "cost");
        GangSpec bare = scenario.gang("bare", 1, 1000, RUNTIME)
                .with("migratable", "true")
                .with("criterion", "cost");
        cluster.submitAsJob(gang);
        cluster.submitAsPods(bare);
        scenario.awaitWhole(gang, 60);
        scenario.awaitWhole(bare, 60);
        assertThat(nodes(gang)).containsOnly("bargains-a");

        cluster.client()
                .nodes()
                .withName("bargains-b")
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels("slotwise.io/price", "0.10")
                        .endMetadata()
                        .build());

        Scenario.within("the gang to run on the cheap node", 120)
                .untilAsserted(() -> assertThat(nodes(gang)).containsOnly("bargains-b"));
        scenario.awaitWhole(gang, 60);
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).contains("migration: moved to save"));
        assertThat(nodes(bare)).containsOnly("bargains-a");
        assertThat(slotwise.metric("slotwise_migrations_total{kind=\"local\",reason=\"saving\"}"))
                .isEqualTo(1);
    }

    private Set<String> uids(GangSpec gang) {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    private List<String> nodes(GangSpec gang) {
        return cluster.pods(gang).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(MigrationIT::node)
                .toList();
    }

    private static String node(Pod pod) {
        return String.valueOf(pod.getSpec().getNodeName());
    }

    private Map<String, Object> past(GangSpec gang) {
        GenericKubernetesResource reservation = Objects.requireNonNull(cluster.reservation(gang));
        return Objects.requireNonNull(reservation.get("status", "past"));
    }
}
