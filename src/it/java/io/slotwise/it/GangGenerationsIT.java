package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs whose members are lost and made again, by hand and by the Job controller, on the real control plane. {@link
 * ControlledSequencesIT} has random losses.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GangGenerationsIT {
    private static final int RUNTIME = 3600;

    private final Cluster cluster;
    private int names;

    @AutoClose
    private final RunningChart chart;

    GangGenerationsIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = RunningChart.install(plane, Map.of("policy.running.turnover", "1s", "policy.planner.cycle", "2s"));
    }

    @StoryTest
    void podsThatAreReplacedOneByOneRunThoughNoneOfTheFirstIsLeft() {
        Scenario scenario = new Scenario(cluster, "byhand").withNodes(3);
        GangSpec gang = scenario.gang("gang", 2, 3000, RUNTIME);
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 60);

        for (String first : List.of("gang-0", "gang-1")) {
            Pod pod = cluster.client()
                    .pods()
                    .inNamespace("byhand")
                    .withName(first)
                    .get();
            delete(pod);
            remake(pod);
            awaitAllBound(gang, 2);
        }

        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getMetadata().getName())
                .noneMatch(List.of("gang-0", "gang-1")::contains);
        assertThat(cluster.phase(gang)).isEqualTo("Running");
        cluster.pods(gang).forEach(this::delete);
        Scenario.within("the run to be over", 30).untilAsserted(() -> {
            GenericKubernetesResource record = cluster.reservation(gang);
            assertThat(record == null ? null : Cluster.phase(record)).isIn(null, "Completed");
        });
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 30);
        assertThat(chart.slotwise().metric("slotwise_partial_gangs_total")).isZero();
    }

    @StoryTest
    void anIndexedJobWhoseNodesAreDrainedInTurnIsWholeAgain() {
        Scenario scenario = new Scenario(cluster, "drain").withNodes(4);
        GangSpec gang = scenario.gang("gang", 2, 3000, RUNTIME).stoppingIn(1);
        cluster.submitAsIndexedJob(gang);
        scenario.awaitWhole(gang, 60);

        for (int turn = 0; turn < 2; turn++) {
            Pod oldest = cluster.pods(gang).stream()
                    .filter(pod -> pod.getSpec().getNodeName() != null)
                    .min((one, other) -> one.getMetadata()
                            .getCreationTimestamp()
                            .compareTo(other.getMetadata().getCreationTimestamp()))
                    .orElseThrow();
            String uid = oldest.getMetadata().getUid();
            String node = oldest.getSpec().getNodeName();
            cluster.client().nodes().withName(node).edit(found -> {
                found.getSpec().setUnschedulable(true);
                return found;
            });
            cluster.client()
                    .pods()
                    .inNamespace("drain")
                    .withName(oldest.getMetadata().getName())
                    .evict();
            Scenario.within("another pod in place of " + oldest.getMetadata().getName(), 90)
                    .untilAsserted(() -> assertThat(running(gang))
                            .hasSize(2)
                            .noneMatch(pod -> pod.getMetadata().getUid().equals(uid)));
        }
        assertThat(running(gang)).extracting(pod -> pod.getSpec().getNodeName()).doesNotHaveDuplicates();
    }

    private List<Pod> running(GangSpec gang) {
        return cluster.pods(gang).stream()
                .filter(pod -> pod.getSpec().getNodeName() != null
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && !List.of("Failed", "Succeeded")
                                .contains(String.valueOf(pod.getStatus().getPhase())))
                .toList();
    }

    private void awaitAllBound(GangSpec gang, int count) {
        Scenario.within(count + " pods of gang " + gang.name() + " to run", 60)
                .untilAsserted(() -> assertThat(running(gang)).hasSize(count));
    }

    private void delete(Pod pod) {
        cluster.client().resource(pod).withGracePeriod(0).delete();
    }

    /** Makes a pod like a lost one, with another name. */
    private void remake(Pod gone) {
        Pod fresh = Serialization.clone(gone);
        cluster.client()
                .resource(new PodBuilder(fresh)
                        .withNewMetadata()
                        .withNamespace(gone.getMetadata().getNamespace())
                        .withName("again-" + names++)
                        .withLabels(gone.getMetadata().getLabels())
                        .withAnnotations(ofTheOwner(gone))
                        .endMetadata()
                        .editSpec()
                        .withNodeName(null)
                        .endSpec()
                        .withStatus(null)
                        .build())
                .create();
    }

    /** The pod's metadata as its owner wrote them, without what a start may have added. */
    private static Map<String, String> ofTheOwner(Pod gone) {
        Map<String, String> kept = new TreeMap<>(gone.getMetadata().getAnnotations());
        kept.keySet().removeIf(key -> key.startsWith("slotwise.io/window"));
        return kept;
    }
}
