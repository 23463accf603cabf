package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs that Slotwise binds itself, on a cluster without any kube-scheduler. Proves how many calls of the API server
 * each gang costs, including reads.
 */
@RealControlPlane(auditsRights = true)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectStartIT {
    private static final String GATE = "slotwise.io/window";

    /** The checker's limit on a shared machine. Half a second is for tests that run alone. */
    private static final Duration ON_A_SHARED_MACHINE = Duration.ofSeconds(5);

    /** The history of a namespace's runs is written once a cycle, regardless of the number of gangs that end. */
    private static final String ONE_A_CYCLE = "create runhistories";

    private final ControlPlane plane;
    private final Cluster cluster;

    @AutoClose
    private final SlotwiseProcess slotwise;

    DirectStartIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        Scenario.within("the replica to lead", 40).until(() -> slotwise.metric("slotwise_leader") == 1);
    }

    @StoryTest
    void aGangForWhichThereIsRoomStartsAtOnceWithThreeWritesAndOneBindingAPod() {
        Scenario scenario = new Scenario(cluster, "at-once").withNodes(4);
        GangSpec gang = scenario.gang("g", 4, 3000, 20).runningFor(3);

        cluster.submitAsPods(gang);

        awaitCompleted(gang);
        scenario.awaitEvent("GangStarted", event -> assertThat(event).contains("Reservation/g: all 4 pods started"));
        awaitScheduled(scenario, gang);
        assertThat(requests(scenario))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "create reservations",
                        1L,
                        "update reservations/status",
                        2L,
                        "create pods/binding",
                        4L,
                        ONE_A_CYCLE,
                        1L));
        assertThat(cluster.events("at-once", "WindowPromised")).isEmpty();
        assertThat(cluster.pods(gang)).allSatisfy(pod -> {
            assertThat(pod.getSpec().getSchedulerName()).isEqualTo("slotwise");
            assertThat(pod.getSpec().getSchedulingGates()).isEmpty();
        });
    }

    /** All are planned in one cycle, each after the gang before, whose start takes some time. */
    @StoryTest
    void tenGangsForOneRoomBreakNoPromiseAsThoseBeforeThemStart() {
        Scenario scenario = new Scenario(cluster, "one-room").withNodes(1);
        List<GangSpec> gangs = IntStream.range(0, 10)
                .mapToObj(i -> scenario.gang("g" + i, 1, 3000, 20).runningFor(8))
                .toList();

        gangs.forEach(cluster::submitAsPods);

        Scenario.within("all gangs to have windows", 60)
                .untilAsserted(
                        () -> assertThat(gangs).extracting(cluster::phase).doesNotContain("Pending"));
        scenario.awaitStarted(3, 120);
        assertThat(cluster.events("one-room", "WindowBroken")).noneMatch(event -> event.contains("room-taken"));
    }

    @StoryTest
    void aPromiseForLaterIsOneWriteMoreAndIsTold() {
        Scenario scenario = new Scenario(cluster, "for-later").withNodes(2);
        Instant earliest = Scenario.in(8);
        GangSpec gang = scenario.gang("g", 2, 3000, 20).runningFor(3).with("earliest-start", earliest.toString());

        cluster.submitAsPods(gang);

        assertThat(scenario.awaitPromise(gang)).isEqualTo(earliest);
        assertThat(cluster.boundPods(gang)).isZero();
        awaitCompleted(gang);
        scenario.awaitEvent("WindowPromised", event -> assertThat(event).contains("Reservation/g"));
        awaitScheduled(scenario, gang);
        assertThat(requests(scenario))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "create reservations",
                        1L,
                        "update reservations/status",
                        3L,
                        "create pods/binding",
                        2L,
                        ONE_A_CYCLE,
                        1L));
        assertThat(bindings(scenario))
                .allSatisfy(binding ->
                        assertThat(binding.received()).isBetween(earliest, earliest.plus(ON_A_SHARED_MACHINE)));
    }

    @StoryTest
    void anOldPodWithTheGateIsTakenOver() {
        Scenario scenario = new Scenario(cluster, "old").withNodes(2);
        GangSpec gang = scenario.gang("g", 2, 3000, 20).runningFor(3);

        gang.pods().forEach(pod -> cluster.client().resource(gated(pod)).create());

        scenario.awaitWhole(gang, 20);
        assertThat(cluster.pods(gang))
                .hasSize(2)
                .allSatisfy(
                        pod -> assertThat(pod.getSpec().getSchedulingGates()).isEmpty());
        assertThat(requests(scenario)).containsEntry("patch pods", 2L).containsEntry("create pods/binding", 2L);
        assertThat(cluster.events("old", "WindowBroken")).isEmpty();
    }

    /** The pod with the gate that every pod of Slotwise once had. */
    private static Pod gated(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewSchedulingGate(GATE)
                .endSpec()
                .build();
    }

    private void awaitCompleted(GangSpec gang) {
        Scenario.within("gang " + gang.name() + " to be completed", 40)
                .untilAsserted(() -> assertThat(cluster.phase(gang)).isEqualTo("Completed"));
    }

    private void awaitScheduled(Scenario scenario, GangSpec gang) {
        gang.pods()
                .forEach(pod -> scenario.awaitEvent(
                        "Scheduled",
                        event -> assertThat(event)
                                .startsWith("Scheduled Pod/" + pod.getMetadata().getName() + ": assigned ")));
    }

    /**
     * The number of requests of Slotwise by kind in the scenario's namespace, without events and requests about no
     * single object.
     */
    private Map<String, Long> requests(Scenario scenario) {
        return plane
                .audit()
                .entries(entry -> entry.namespace().equals(scenario.namespace())
                        && !entry.resource().equals("events")
                        && !entry.verb().equals("watch"))
                .stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.verb() + " " + entry.resource(), TreeMap::new, Collectors.counting()));
    }

    private List<AuditLog.Entry> bindings(Scenario scenario) {
        return plane.audit().bindings(scenario.namespace());
    }
}
