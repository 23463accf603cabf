package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.slotwise.it.RunRecord.PodLife;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Interruption of gangs by gain and loss, on the real control plane. A gang of two pods with a minute of work each
 * fills two nodes. Then a pod comes that needs one of the nodes for most of a minute, so that its gain is less than the
 * loss of the interrupted gang.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GangInterruptionIT {
    private static final int LEAST_RUN = 10;
    private static final String URGENT = "it-urgent";

    private final Cluster cluster;

    @AutoClose
    private final RunningChart chart;

    GangInterruptionIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover", "3s",
                        "policy.planner.cycle", "2s",
                        "policy.running.migration.reach", "local",
                        "policy.running.migration.limit", "1",
                        "policy.running.min-run", LEAST_RUN + "s",
                        "policy.running.migration.overhead", "5s"));
        cluster.priorityClass(URGENT, 1000);
    }

    @StoryTest
    void onePodOfHigherPriorityInterruptsAWholeGangOnce() {
        Scenario scenario = new Scenario(cluster, "outranked").withNodes(2);
        GangSpec low = twoNodes(scenario);
        cluster.submitAsIndexedJob(low);
        scenario.awaitWhole(low, 60);
        GangSpec first = oneNode(scenario, "first").ofClass(URGENT);
        cluster.submitAsJob(first);

        scenario.awaitWhole(first, 60);
        MovedGang interrupted = new MovedGang(cluster, low);
        interrupted.awaitBrokenOnce("displaced: moved to make room for outranked/first, which has a higher priority");
        assertThat(interrupted.lasted(0)).isBetween((long) LEAST_RUN, 40L);
        assertThat(chart.slotwise().metric("slotwise_migrations_total{kind=\"local\",reason=\"interruption\"}"))
                .isEqualTo(1);
        wasStoppedAsAWholeBefore(interrupted, new MovedGang(cluster, first));

        scenario.awaitWhole(low, 120);
        GangSpec second = oneNode(scenario, "second").ofClass(URGENT);
        cluster.submitAsJob(second);
        Scenario.within("the interrupted gang to end", 60)
                .untilAsserted(() -> assertThat(cluster.phase(low)).isEqualTo("Completed"));

        assertThat(interrupted.moves()).isEqualTo(1);
        assertThat(interrupted.brokenPromises()).hasSize(1);
        Scenario.within("both indexes of its Job to have succeeded", 20)
                .untilAsserted(() -> assertThat(succeeded(low)).isEqualTo(2));
        scenario.awaitWhole(second, 60);
        assertThat(bound(new MovedGang(cluster, second))).isAfter(lastEnd(interrupted.lives()));
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aPodOfTheSamePriorityWaitsForTheGangToEnd() {
        Scenario scenario = new Scenario(cluster, "equals").withNodes(2);
        GangSpec low = twoNodes(scenario);
        cluster.submitAsIndexedJob(low);
        scenario.awaitWhole(low, 60);
        GangSpec other = oneNode(scenario, "other");
        cluster.submitAsJob(other);

        scenario.awaitWhole(other, 90);

        MovedGang undisturbed = new MovedGang(cluster, low);
        assertThat(undisturbed.moves()).isZero();
        assertThat(undisturbed.brokenPromises()).isEmpty();
        assertThat(bound(new MovedGang(cluster, other))).isAfter(lastEnd(undisturbed.lives()));
        assertThat(scenario.violations()).isEmpty();
    }

    private static GangSpec twoNodes(Scenario scenario) {
        return scenario.gang("low", 2, 4000, 60).runningFor(30).stoppingIn(1).with("migratable", "true");
    }

    private static GangSpec oneNode(Scenario scenario, String name) {
        return scenario.gang(name, 1, 4000, 40).runningFor(10).stoppingIn(1);
    }

    /** Asserts that both pods of the first run stop within a second, and that no pod takes their room before. */
    private static void wasStoppedAsAWholeBefore(MovedGang interrupted, MovedGang next) {
        List<PodLife> stopped = interrupted.lives();
        assertThat(stopped).hasSize(2).allSatisfy(pod -> assertThat(pod.ended()).isNotNull());
        Instant firstEnd = stopped.stream()
                .map(GangInterruptionIT::end)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        assertThat(Duration.between(firstEnd, lastEnd(stopped))).isLessThan(Duration.ofSeconds(1));
        assertThat(bound(next)).isAfter(lastEnd(stopped));
    }

    private static Instant bound(MovedGang gang) {
        return Objects.requireNonNull(gang.lives().getFirst().binding()).received();
    }

    private static Instant lastEnd(List<PodLife> pods) {
        return pods.stream()
                .map(GangInterruptionIT::end)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static Instant end(PodLife pod) {
        return Objects.requireNonNull(pod.ended());
    }

    private int succeeded(GangSpec gang) {
        Job job = Objects.requireNonNull(cluster.client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(gang.namespace())
                .withName(gang.name())
                .get());
        return Objects.requireNonNullElse(job.getStatus().getSucceeded(), 0);
    }
}
