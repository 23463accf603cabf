package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Disturbances between a promise and its start. The stories run in parallel in one cluster, each in a namespace and a
 * pool of its own.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DisturbedPromisesIT {
    /** The time until a foreign pod is bound and known to Slotwise. */
    private static final Duration JUST_BEFORE = Duration.ofMillis(900);

    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    DisturbedPromisesIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @StoryTest
    void aNodeThatIsDeletedUnderAPromiseMovesTheGangAsAWhole() {
        Scenario scenario = new Scenario(cluster, "node-lost").withNodes(3);
        GangSpec gang = scenario.gang("g", 2, 3000, 20)
                .with("earliest-start", Scenario.in(12).toString());
        cluster.submitAsPods(gang);
        scenario.awaitPromise(gang);
        String lost = cluster.promisedNode(gang, "g-0");

        cluster.client().nodes().withName(lost).delete();

        Scenario.within("the gang to be promised other nodes", 10)
                .untilAsserted(() -> assertThat(cluster.promisedNodes(gang).values())
                        .hasSize(2)
                        .doesNotContain(lost));
        scenario.awaitWhole(gang, 40);
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).contains("node-lost"));
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aRoomThatIsTakenJustBeforeTheStartDelaysTheGangAsAWhole() {
        Scenario scenario = new Scenario(cluster, "room-taken").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20)
                .with("earliest-start", Scenario.in(12).toString());
        cluster.submitAsPods(gang);
        Instant start = scenario.awaitPromise(gang);
        String taken = cluster.promisedNode(gang, "g-1");

        Scenario.awaitClock(start.minus(JUST_BEFORE));
        cluster.client().resource(foreign("room-taken", taken, 6)).create();
        Scenario.awaitClock(start.plusSeconds(4));
        assertThat(cluster.boundPods(gang)).isZero();

        scenario.awaitWhole(gang, 60);
        assertThat(scenario.violations()).isEmpty();
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).containsAnyOf("room-taken", "refused"));
    }

    @StoryTest
    void aGangStartsInItsSecondNextToAPodThatTookItsRoom() {
        Scenario scenario = new Scenario(cluster, "beside").withNodes(3);
        GangSpec gang = scenario.gang("g", 2, 3000, 20)
                .with("earliest-start", Scenario.in(12).toString());
        cluster.submitAsPods(gang);
        Instant start = scenario.awaitPromise(gang);
        String taken = cluster.promisedNode(gang, "g-1");

        Scenario.awaitClock(start.minus(JUST_BEFORE));
        cluster.client().resource(foreign("beside", taken, 120)).create();

        scenario.awaitWhole(gang, 60);
        assertThat(scenario.violations()).isEmpty();
        assertThat(cluster.pods(gang))
                .noneSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).isEqualTo(taken));
    }

    @StoryTest
    void aPodThatIsDeletedBeforeTheStartHoldsTheGangBackUntilItIsThereAgain() {
        Scenario scenario = new Scenario(cluster, "pod-deleted").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 20)
                .with("earliest-start", Scenario.in(8).toString());
        cluster.submitAsPods(gang);
        Instant start = scenario.awaitPromise(gang);

        cluster.client()
                .pods()
                .inNamespace("pod-deleted")
                .withName("g-2")
                .withGracePeriod(0)
                .delete();

        scenario.awaitPending(gang, "WaitingForMembers", 10);
        Scenario.awaitClock(start.plusSeconds(2));
        assertThat(cluster.boundPods(gang)).isZero();
        cluster.client().resource(gang.pods().get(2)).create();
        scenario.awaitWhole(gang, 30);
        assertThat(scenario.violations()).isEmpty();
    }

    /** All at the same time, in the last moments: some between the last cycle and the start, none after it. */
    @StoryTest
    void aPodThatIsSwappedForALargerOneJustBeforeItsSecondStartsForWhatItCosts() {
        Scenario scenario = new Scenario(cluster, "swapped");
        String second = Scenario.in(20).toString();
        List<GangSpec> gangs = IntStream.range(0, 10)
                .mapToObj(i -> {
                    cluster.node("swapped-%d-a".formatted(i), 4, "1", "swapped-" + i);
                    cluster.node("swapped-%d-b".formatted(i), 4, "1", "swapped-" + i);
                    GangSpec gang = GangSpec.of("swapped", "g" + i, 2, 1000, 20)
                            .on("it.slotwise.io/pool", "swapped-" + i)
                            .with("max-per-node", "1")
                            .with("earliest-start", second);
                    cluster.submitAsPods(gang);
                    return gang;
                })
                .toList();
        gangs.forEach(gang -> assertThat(scenario.awaitPromise(gang)).isEqualTo(second));

        Scenario.awaitClock(Instant.parse(second).minusMillis(600));
        gangs.parallelStream().forEach(this::swap);

        gangs.forEach(gang -> scenario.awaitWhole(gang, 60));
        assertThat(gangs)
                .allSatisfy(gang -> assertThat(chargedMilliCores(gang))
                        .isEqualTo(Map.of(gang.name() + "-0", 1000L, gang.name() + "-1", 3000L)));
    }

    /** Replaces the gang's last pod by a pod with three times the CPU. */
    private void swap(GangSpec gang) {
        Pod pod = gang.pods().getLast();
        cluster.client().resource(pod).withGracePeriod(0).delete();
        cluster.client()
                .resource(new PodBuilder(pod)
                        .editSpec()
                        .editFirstContainer()
                        .editResources()
                        .addToRequests("cpu", new Quantity("3"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    /** The CPU that each pod pays for by its record, on nodes of four cores at 1 an hour, for 20 seconds. */
    private Map<String, Long> chargedMilliCores(GangSpec gang) {
        List<Map<String, Object>> placement =
                Objects.requireNonNull(cluster.reservation(gang)).get("spec", "window", "placement");
        return Objects.requireNonNull(placement).stream()
                .collect(Collectors.toMap(
                        place -> String.valueOf(place.get("pod")),
                        place -> Math.round(Double.parseDouble(String.valueOf(place.get("cost"))) * 3600 / 20 * 4)
                                * 1000));
    }

    @StoryTest
    void aBudgetThatIsEditedWithdrawsThePromiseAndGivesItBack() {
        Scenario scenario = new Scenario(cluster, "budget-edited").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20)
                .with("budget", "5")
                .with("earliest-start", Scenario.in(10).toString());
        cluster.submitAsPods(gang);
        Instant start = scenario.awaitPromise(gang);

        setBudget(gang, "0.000100");
        scenario.awaitPending(gang, "OverBudget", 10);
        Scenario.awaitClock(start.plusSeconds(2));
        assertThat(cluster.boundPods(gang)).isZero();

        setBudget(gang, "5");
        scenario.awaitWhole(gang, 30);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aGangThatNoNodesCanEverHoldSaysSo() {
        Scenario scenario = new Scenario(cluster, "no-window").withNodes(2);
        GangSpec gang = scenario.gang("g", 3, 3000, 20).with("max-per-node", "1");

        cluster.submitAsPods(gang);

        scenario.awaitPending(gang, "NoWindow", 20);
        scenario.awaitEvent("NoWindow", event -> assertThat(event).contains("too large"));
    }

    @StoryTest
    void podsThatDisagreeAreRejectedWithBothNames() {
        Scenario scenario = new Scenario(cluster, "disagree").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 1000, 20);
        cluster.client().resource(gang.with("budget", "5").pods().get(0)).create();
        cluster.client().resource(gang.with("budget", "6").pods().get(1)).create();

        scenario.awaitPending(gang, "InvalidRequest", 20);

        scenario.awaitEvent("InvalidRequest", event -> assertThat(event).contains("g-0", "g-1", "budget"));
    }

    @StoryTest
    void aPodWithoutGangAnnotationsStartsAtOnce() {
        Scenario scenario = new Scenario(cluster, "asks-nothing").withNodes(1);
        Pod pod = new PodBuilder(Workload.pod("asks-nothing", "plain", "slotwise", 500, 64))
                .editSpec()
                .withNodeSelector(Map.of("it.slotwise.io/pool", "asks-nothing"))
                .endSpec()
                .build();

        cluster.client().resource(pod).create();

        Scenario.within("the pod to have a node", 15)
                .untilAsserted(() -> assertThat(cluster.client()
                                .pods()
                                .inNamespace("asks-nothing")
                                .withName("plain")
                                .get()
                                .getSpec()
                                .getNodeName())
                        .isEqualTo(scenario.node(1)));
    }

    @StoryTest
    void aGangWaitsForTheRoomOfTheGangBeforeIt() {
        Scenario scenario = new Scenario(cluster, "one-after-another").withNodes(2);
        GangSpec first = scenario.gang("first", 2, 3000, 15);
        GangSpec second = scenario.gang("second", 2, 3000, 10);
        cluster.submitAsPods(first);
        scenario.awaitWhole(first, 20);

        cluster.submitAsPods(second);

        Instant start = scenario.awaitPromise(second);
        assertThat(start).isAfter(Scenario.now().plusSeconds(3));
        scenario.awaitWhole(second, 40);
        assertThat(scenario.violations()).isEmpty();
    }

    private void setBudget(GangSpec gang, String budget) {
        gang.pods()
                .forEach(pod -> cluster.client()
                        .pods()
                        .inNamespace(gang.namespace())
                        .withName(pod.getMetadata().getName())
                        .patch(PatchContext.of(PatchType.JSON_MERGE), """
                                {"metadata": {"annotations": {"slotwise.io/budget": "%s"}}}
                                """.formatted(budget)));
    }

    /** A pod that another scheduler has bound: load without notice. */
    private static Pod foreign(String namespace, String node, int seconds) {
        return new PodBuilder(Workload.pod(namespace, "foreign", "other", 3000, 64))
                .editMetadata()
                .addToAnnotations(Workload.RUNS_FOR, seconds + "s")
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }
}
