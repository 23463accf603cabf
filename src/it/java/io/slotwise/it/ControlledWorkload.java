package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An object in a namespace of its own whose pods a real controller makes, on nodes with room for one pod each. */
final class ControlledWorkload {
    /** The longest time between the first and the last binding of a gang. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final Scenario scenario;
    private final GenericKubernetesResource object;
    private final List<String> nodes;

    private ControlledWorkload(
            Cluster cluster, Scenario scenario, GenericKubernetesResource object, List<String> nodes) {
        this.cluster = cluster;
        this.scenario = scenario;
        this.object = object;
        this.nodes = nodes;
    }

    /**
     * The pod template of all roles: most of a node, for a fixed time.
     *
     * @param annotations more annotations, each after a comma
     */
    static String template(String pool, String annotations) {
        return "{metadata: {annotations: {slotwise.io/runtime: 30m%s}}, spec: {schedulerName: slotwise, %s}}"
                .formatted(
                        annotations,
                        ("nodeSelector: {it.slotwise.io/pool: %s}, "
                                        + "containers: [{name: c, image: none, resources: {requests: {cpu: \"3\"}}}]")
                                .formatted(pool));
    }

    /**
     * Creates the object. Its nodes have one price, so that a promise moves to a node that is seen after it.
     *
     * @param nodes the number of pods that have room
     * @param yaml the object without its namespace
     */
    static ControlledWorkload create(Cluster cluster, String namespace, int nodes, String yaml) {
        Scenario scenario = new Scenario(cluster, namespace);
        List<String> names =
                IntStream.rangeClosed(1, nodes).mapToObj(scenario::node).toList();
        names.forEach(node -> cluster.node(node, 4, "1", namespace));
        GenericKubernetesResource object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespace);
        cluster.client().resource(object).create();
        return new ControlledWorkload(cluster, scenario, object, names);
    }

    List<String> nodes() {
        return nodes;
    }

    void delete() {
        cluster.client().resource(object).delete();
        cluster.client().pods().inNamespace(scenario.namespace()).delete();
        nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    }

    /** Changes the object by a merge patch in YAML. */
    void patch(String yaml) {
        cluster.client()
                .resource(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Serialization.unmarshal(yaml, Map.class)));
    }

    /** The pods that have neither ended nor are being deleted. */
    List<Pod> pods() {
        return cluster.client().pods().inNamespace(scenario.namespace()).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> !Set.of("Failed", "Succeeded")
                        .contains(String.valueOf(pod.getStatus().getPhase())))
                .toList();
    }

    List<Pod> pods(String label, String value) {
        return pods().stream()
                .filter(pod -> value.equals(pod.getMetadata().getLabels().get(label)))
                .toList();
    }

    /** Fails a pod, as a container does that ends with an error. */
    void fail(Pod pod) {
        cluster.end(pod, "Failed");
    }

    /** Reports that the pod's container was restarted, as a kubelet does. */
    void restart(Pod pod) {
        cluster.client()
                .resource(pod)
                .editStatus(running -> new PodBuilder(running)
                        .editStatus()
                        .withContainerStatuses(new ContainerStatusBuilder()
                                .withName("c")
                                .withImage("none")
                                .withImageID("none")
                                .withReady(true)
                                .withRestartCount(1)
                                .build())
                        .endStatus()
                        .build());
    }

    List<Map<String, Object>> conditions() {
        List<Map<String, Object>> conditions =
                cluster.client().resource(object).get().get("status", "conditions");
        return conditions == null ? List.of() : conditions;
    }

    void end(String label, String value) {
        pods(label, value)
                .forEach(pod -> cluster.client()
                        .resource(pod)
                        .editStatus(running -> new PodBuilder(running)
                                .editStatus()
                                .withPhase("Succeeded")
                                .endStatus()
                                .build()));
    }

    void ready(String label, String value) {
        pods(label, value)
                .forEach(pod -> cluster.client()
                        .resource(pod)
                        .editStatus(bound -> new PodBuilder(bound)
                                .editStatus()
                                .withPhase("Running")
                                .addNewCondition()
                                .withType("Ready")
                                .withStatus("True")
                                .endCondition()
                                .endStatus()
                                .build()));
    }

    /**
     * Waits until the object has this many new pods, all on nodes, and checks that these were bound together.
     *
     * @param before UIDs of the earlier pods, of which none may remain
     * @return their UIDs
     */
    Set<String> awaitWhole(int size, Collection<String> before) {
        Set<String> uids = awaitPods(size, before);
        assertBoundTogether(pods());
        return uids;
    }

    /** Waits like {@code awaitWhole}, but does not check the times of the bindings. */
    Set<String> awaitPods(int size, Collection<String> before) {
        Scenario.within(scenario.namespace() + " to run whole", 60).untilAsserted(() -> {
            List<Pod> pods = pods();
            assertThat(pods.stream().map(ControlledWorkload::words))
                    .as("pods; %s", story())
                    .hasSize(size)
                    .noneMatch(pod -> pod.endsWith(" null"));
            assertThat(uids(pods)).noneMatch(before::contains);
        });
        return uids(pods());
    }

    /** Asserts that all bindings of these pods lie within a second. */
    void assertBoundTogether(List<Pod> pods) {
        Set<String> names =
                pods.stream().map(pod -> pod.getMetadata().getName()).collect(Collectors.toSet());
        List<Instant> bound = cluster.record(scenario.namespace()).pods().stream()
                .filter(pod -> names.contains(pod.name()) && pod.leaving() == null && pod.ended() == null)
                .map(pod -> Objects.requireNonNull(pod.binding(), pod.name()).answered())
                .sorted()
                .toList();
        assertThat(bound).hasSize(pods.size());
        assertThat(Duration.between(bound.getFirst(), bound.getLast()))
                .as("from the first to the last binding in %s", scenario.namespace())
                .isLessThan(TOGETHER);
    }

    /** The events of the object's gangs. */
    String story() {
        return cluster.reservations(scenario.namespace()).stream()
                .map(reservation -> reservation.getMetadata().getName() + " " + Cluster.phase(reservation) + " "
                        + Cluster.condition(reservation, "Planned"))
                .toList()
                .toString();
    }

    /** Waits until the records say that these gangs have started, and no others: records follow the bindings. */
    void awaitStarted(String... gangs) {
        Scenario.within("the records of the gangs that have started", 20)
                .untilAsserted(() -> assertThat(started()).containsExactlyInAnyOrder(gangs));
    }

    /** The names of the gangs that have started. */
    Set<String> started() {
        return cluster.reservations(scenario.namespace()).stream()
                .filter(reservation -> Set.of("Running", "Completed").contains(Cluster.phase(reservation)))
                .map(reservation -> reservation.getMetadata().getName())
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The phases of the gangs by name. */
    Map<String, String> phases() {
        Map<String, String> phases = new HashMap<>();
        cluster.reservations(scenario.namespace())
                .forEach(reservation -> phases.put(reservation.getMetadata().getName(), Cluster.phase(reservation)));
        return phases;
    }

    Instant windowStart(String gang) {
        return cluster.reservations(scenario.namespace()).stream()
                .filter(reservation -> reservation.getMetadata().getName().equals(gang))
                .map(reservation -> Instant.parse(reservation.<String>get("spec", "window", "start")))
                .findFirst()
                .orElseThrow();
    }

    private static String words(Pod pod) {
        return pod.getMetadata().getName() + " on " + pod.getSpec().getNodeName();
    }

    static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
