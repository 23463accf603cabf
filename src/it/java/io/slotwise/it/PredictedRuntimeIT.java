package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/**
 * Jobs that state no runtime, on the real control plane: four at the same time, and one that is planned by their real
 * runtimes.
 */
@RealControlPlane
class PredictedRuntimeIT {
    /** A tenth of this is more than a shared machine adds to a run, in whole seconds. */
    private static final int SECONDS = 45;

    private final ControlPlane plane;
    private final Cluster cluster;

    PredictedRuntimeIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    /** A Job of the same template, whose pod states no runtime. */
    private static Job job(GangSpec gang) {
        return new JobBuilder(gang.job())
                .editMetadata()
                .withName("train-" + gang.name())
                .endMetadata()
                .editSpec()
                .editTemplate()
                .editMetadata()
                .removeFromAnnotations("slotwise.io/runtime")
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();
    }

    private void submit(GangSpec gang) {
        cluster.client().resource(job(gang)).create();
    }

    /** Runs a gang to its end, and returns its Reservation. */
    private GenericKubernetesResource run(Scenario scenario, GangSpec gang) {
        submit(gang);
        return end(scenario, gang);
    }

    private GenericKubernetesResource end(Scenario scenario, GangSpec gang) {
        scenario.awaitWhole(gang, 30);
        Scenario.within("gang " + gang.name() + " to end", SECONDS + 30)
                .untilAsserted(() -> assertThat(cluster.phase(gang)).isEqualTo("Completed"));
        return Objects.requireNonNull(cluster.reservation(gang));
    }

    private static long seconds(String from, String to) {
        return Duration.between(Instant.parse(from), Instant.parse(to)).toSeconds();
    }

    private static long promised(GenericKubernetesResource reservation) {
        return seconds(reservation.get("spec", "window", "start"), reservation.get("spec", "window", "end"));
    }

    private int remembered(String namespace) {
        List<Map<String, Object>> workloads = cluster.histories(namespace).isEmpty()
                ? List.of()
                : Objects.requireNonNullElse(
                        cluster.histories(namespace).getFirst().get("spec", "workloads"), List.of());
        return workloads.stream()
                .mapToInt(workload -> ((List<?>) Objects.requireNonNull(workload.get("runs"))).size())
                .sum();
    }

    @Test
    void theFifthRunIsPromisedWithinATenthOfItsRealRuntime() {
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise()) {
            Scenario scenario = new Scenario(cluster, "teacher").withNodes(4);
            List<GangSpec> first = IntStream.rangeClosed(1, 4)
                    .mapToObj(i -> scenario.gang("run-" + i, 1, 3000, 1).runningFor(SECONDS))
                    .toList();
            first.forEach(this::submit);
            for (GangSpec gang : first) {
                assertThat(promised(end(scenario, gang))).as("the default").isEqualTo(3600);
            }
            Scenario.within("the runs to be remembered", 15)
                    .untilAsserted(() -> assertThat(remembered("teacher")).isEqualTo(4));
            slotwise.kill();
            slotwise.start();

            GenericKubernetesResource fifth =
                    run(scenario, scenario.gang("run-5", 1, 3000, 1).runningFor(SECONDS));

            long real = seconds(fifth.get("status", "startedAt"), fifth.get("status", "endedAt"));
            assertThat(real).isGreaterThanOrEqualTo(SECONDS);
            assertThat((double) Math.abs(promised(fifth) - real))
                    .as("promised %d s, took %d s", promised(fifth), real)
                    .isLessThanOrEqualTo(real / 10.0);
            assertThat(fifth.<Integer>get("spec", "runtimeSource", "prediction", "runs"))
                    .isEqualTo(4);
            assertThat(fifth.<String>get("spec", "runtimeSource", "name")).isEqualTo("Job/train-run");

            aStrangerLearnsNothing();
            nobodyWritesWhatNoRunIs();
        }
    }

    /** The same template in another namespace is planned with the default runtime. */
    private void aStrangerLearnsNothing() {
        Scenario stranger = new Scenario(cluster, "stranger").withNodes(1);
        GangSpec gang = stranger.gang("run-6", 1, 3000, 1).runningFor(2);

        GenericKubernetesResource reservation = run(stranger, gang);

        assertThat(promised(reservation)).isEqualTo(3600);
        assertThat(reservation.<Object>get("spec", "runtimeSource", "prediction"))
                .isNull();
        assertThat(Serialization.asJson(cluster.histories("stranger"))).doesNotContain("teacher");
    }

    private void nobodyWritesWhatNoRunIs() {
        GenericKubernetesResource poisoned = Serialization.unmarshal("""
                apiVersion: slotwise.io/v1alpha1
                kind: RunHistory
                metadata: {name: slotwise, namespace: default}
                spec:
                  workloads:
                  - key: 1-a
                    name: x
                    runs: [{id: a, endedAt: "2030-01-01T00:00:00Z", seconds: -5}]
                """, GenericKubernetesResource.class);
        Assertions.assertThatThrownBy(() -> cluster.client().resource(poisoned).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("seconds")
                .hasMessageContaining("should be greater than or equal to 1");
    }
}
