package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.RunChecker.Disturbance;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Faults between the write that makes a start durable and the last binding. Proves that the gang is completed, or that
 * none of its pods stays bound.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InterruptedStartIT {
    /** The seconds for the evictions and the kubelet's part of them, on a shared machine. */
    private static final int ROLLED_BACK_SECONDS = 20;

    private final Cluster cluster;
    private final Installation chart;

    @AutoClose
    private final ApiProxy proxy;

    @AutoClose
    private final SlotwiseProcess slotwise;

    InterruptedStartIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        proxy = new ApiProxy(plane, 1);
        slotwise = chart.slotwise(proxy.url(), Installation.SHORT_LEASE, List.of());
        slotwise.start();
        awaitLeading(slotwise);
    }

    @AfterEach
    void letAllPass() {
        proxy.release();
    }

    @Test
    void aGangWhoseFirstBindingIsNotMadeHasNotBegunAndStartsOnceAfterARestart() {
        Scenario scenario = new Scenario(cluster, "before-the-first").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 30);
        holdBindings(scenario, "g-0", "g-1", "g-2");
        cluster.submitAsPods(gang);
        awaitHeld(1);

        slotwise.kill();
        proxy.forget();
        assertThat(cluster.boundPods(gang)).isZero();
        slotwise.start();

        scenario.awaitWhole(gang, 40);
        assertStartedOnce(scenario);
    }

    @Test
    void aRestartAfterTheFirstBindingBindsTheMembersThatItNames() {
        Scenario scenario = new Scenario(cluster, "after-the-first").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 300);
        holdBindings(scenario, "g-1", "g-2");
        cluster.submitAsPods(gang);
        awaitHeld(2);
        Set<String> members = uids(gang);

        slotwise.kill();
        proxy.forget();
        assertThat(cluster.boundPods(gang)).isEqualTo(1);
        slotwise.start();

        scenario.awaitWhole(gang, 40);
        assertThat(uids(gang)).isEqualTo(members);
        assertStartedOnce(scenario);
    }

    @Test
    void anotherReplicaBindsTheRestOfAGangWhoseLeaderDiedDuringTheBindings() {
        Scenario scenario = new Scenario(cluster, "during-them").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 60);
        try (SlotwiseProcess successor = chart.slotwise(cluster.plane().url(), Installation.SHORT_LEASE, List.of())) {
            successor.start();
            holdBindings(scenario, "g-1", "g-2");
            cluster.submitAsPods(gang);
            awaitHeld(2);
            awaitBound(gang, 1);

            slotwise.kill();
            proxy.forget();

            scenario.awaitWhole(gang, 40);
            awaitLeading(successor);
            assertStartedOnce(scenario);
        }
        slotwise.start();
        awaitLeading(slotwise);
    }

    @Test
    void aBindingWithALostAnswerIsMadeExactlyOnce() {
        Scenario scenario = new Scenario(cluster, "answer-lost").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 30);
        AtomicBoolean lost = new AtomicBoolean();
        String binding = binding(scenario, "g-1");
        proxy.treat((method, path) ->
                path.equals(binding) && lost.compareAndSet(false, true) ? Turn.UNANSWERED : Turn.PASSES);

        cluster.submitAsPods(gang);

        scenario.awaitWhole(gang, 40);
        assertThat(lost).isTrue();
        assertStartedOnce(scenario);
    }

    @Test
    void aMemberThatIsMadeAgainBeforeItsBindingIsNotBoundAndTheOthersGo() {
        Scenario scenario = new Scenario(cluster, "made-again").withNodes(3);
        GangSpec gang = scenario.gang("g", 3, 3000, 30);
        holdBindings(scenario, "g-1");
        cluster.submitAsPods(gang);
        awaitHeld(1);
        awaitBound(gang, 2);

        delete(scenario, "g-1");
        cluster.client().resource(gang.pods().get(1)).create();
        proxy.release();

        awaitNobodyBound(gang);
        Instant from = Scenario.now();
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).contains("g-1"));
        // Bare pods that were evicted have no owner that makes them again.
        makeMissing(gang, gang.pods());
        scenario.awaitWhole(gang, 60);
        assertThat(cluster.record(scenario.namespace()).members("g"))
                .filteredOn(
                        pod -> pod.binding() != null && pod.binding().answered().isAfter(from))
                .hasSize(3);
    }

    @Test
    void aMemberBoundElsewhereStaysAndTheOthersAreEvicted() {
        Scenario scenario = new Scenario(cluster, "elsewhere").withNodes(4);
        GangSpec gang = scenario.gang("g", 3, 3000, 30);
        holdBindings(scenario, "g-1");
        cluster.submitAsPods(gang);
        awaitHeld(1);
        awaitBound(gang, 2);
        Set<String> taken = cluster.pods(gang).stream()
                .map(pod -> Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""))
                .collect(Collectors.toSet());
        String promised = cluster.pods(gang).stream()
                .flatMap(pod -> Stream.ofNullable(StartRecord.of(pod)))
                .map(start -> Objects.requireNonNull(start.window()).placementOf("g-1"))
                .map(placement -> Objects.requireNonNull(placement).node())
                .findFirst()
                .orElseThrow();
        String free = List.of(1, 2, 3, 4).stream()
                .map(scenario::node)
                .filter(node -> !taken.contains(node) && !node.equals(promised))
                .findFirst()
                .orElseThrow();

        bindElsewhere(scenario, "g-1", free);
        proxy.release();

        Scenario.within("our members to go", ROLLED_BACK_SECONDS)
                .untilAsserted(() -> assertThat(cluster.pods(gang))
                        .filteredOn(pod -> pod.getSpec().getNodeName() != null)
                        .extracting(pod -> pod.getMetadata().getName())
                        .containsExactly("g-1"));
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).contains(free));
        Scenario.awaitClock(Scenario.in(6));
        assertThat(cluster.pods(gang)).singleElement().satisfies(pod -> {
            assertThat(pod.getSpec().getNodeName()).isEqualTo(free);
            assertThat(pod.getMetadata().getDeletionTimestamp()).isNull();
        });
    }

    @Test
    void aKubeletsRefusalRollsTheStartBackAndIsTold() {
        Scenario scenario = new Scenario(cluster, "refused").withNodes(4);
        GangSpec gang = scenario.gang("g", 3, 3000, 30);

        cluster.submitAsPods(gang, pod -> pod.getMetadata().getName().equals("g-1") ? refusedByItsKubelet(pod) : pod);

        Scenario.within("the pod to be refused", 20)
                .until(() -> cluster.pods(gang).stream()
                        .anyMatch(pod -> "Failed".equals(pod.getStatus().getPhase())));
        Scenario.within("the others to go", ROLLED_BACK_SECONDS)
                .untilAsserted(() -> assertThat(cluster.pods(gang))
                        .extracting(pod -> pod.getMetadata().getName())
                        .containsExactly("g-1"));
        scenario.awaitEvent("WindowBroken", event -> assertThat(event).contains("the kubelet refused g-1", "OutOfcpu"));
        delete(scenario, "g-1");
        makeMissing(gang, gang.pods());
        scenario.awaitWhole(gang, 60);
    }

    private void holdBindings(Scenario scenario, String... pods) {
        Set<String> paths =
                List.of(pods).stream().map(pod -> binding(scenario, pod)).collect(Collectors.toSet());
        proxy.treat((method, path) -> paths.contains(path) ? Turn.HELD : Turn.PASSES);
    }

    private static String binding(Scenario scenario, String pod) {
        return "/api/v1/namespaces/" + scenario.namespace() + "/pods/" + pod + "/binding";
    }

    private void awaitHeld(int count) {
        Scenario.within(count + " bindings to be held", 20).until(() -> proxy.held() >= count);
    }

    /** Waits for the bindings that are not held, which are all sent at the same time. */
    private void awaitBound(GangSpec gang, int count) {
        Scenario.within("the others to be bound", 20).until(() -> cluster.boundPods(gang) == count);
    }

    private static void awaitLeading(SlotwiseProcess replica) {
        Scenario.within("the replica to lead", 40).until(() -> replica.metric("slotwise_leader") == 1);
    }

    private void awaitNobodyBound(GangSpec gang) {
        Scenario.within("nobody of the gang to be bound", ROLLED_BACK_SECONDS)
                .untilAsserted(() -> assertThat(cluster.boundPods(gang)).isZero());
    }

    /** Asserts one start of the whole gang on the promised nodes, without a rollback. */
    private void assertStartedOnce(Scenario scenario) {
        assertThat(cluster.plane().audit().bindings(scenario.namespace())).hasSize(3);
        assertThat(cluster.events(scenario.namespace(), "WindowBroken")).isEmpty();
        assertThat(scenario.violations(new Disturbance(Instant.EPOCH, Instant.MAX)))
                .isEmpty();
        scenario.awaitEvent("GangStarted", event -> assertThat(event).contains("all 3 pods started together"));
    }

    private Set<String> uids(GangSpec gang) {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    private void delete(Scenario scenario, String pod) {
        cluster.client()
                .pods()
                .inNamespace(scenario.namespace())
                .withName(pod)
                .withGracePeriod(0)
                .delete();
        Scenario.within("pod " + pod + " to be gone", 10)
                .until(() -> cluster.client()
                                .pods()
                                .inNamespace(scenario.namespace())
                                .withName(pod)
                                .get()
                        == null);
    }

    private void makeMissing(GangSpec gang, List<Pod> pods) {
        Set<String> there = cluster.pods(gang).stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(Collectors.toSet());
        pods.stream()
                .filter(pod -> !there.contains(pod.getMetadata().getName()))
                .forEach(pod -> cluster.client().resource(pod).create());
    }

    private void bindElsewhere(Scenario scenario, String pod, String node) {
        cluster.client()
                .bindings()
                .inNamespace(scenario.namespace())
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withNamespace(scenario.namespace())
                        .withName(pod)
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build())
                .create();
    }

    private static Pod refusedByItsKubelet(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(Workload.REFUSED, "true")
                .endMetadata()
                .build();
    }
}
