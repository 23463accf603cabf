package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.it.RunChecker.Room;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Operations of the scenarios on a cluster: create priced nodes, submit gangs, read Reservations, pods and events, and
 * check the run.
 */
public final class Cluster {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    static final ResourceDefinitionContext RESERVATIONS = new ResourceDefinitionContext.Builder()
            .withGroup("slotwise.io")
            .withVersion("v1alpha1")
            .withKind("Reservation")
            .withPlural("reservations")
            .withNamespaced(true)
            .build();

    private static final ResourceDefinitionContext QUEUES = new ResourceDefinitionContext.Builder()
            .withGroup("slotwise.io")
            .withVersion("v1alpha1")
            .withKind("Queue")
            .withPlural("queues")
            .withNamespaced(false)
            .build();

    private static final ResourceDefinitionContext HISTORIES = new ResourceDefinitionContext.Builder()
            .withGroup("slotwise.io")
            .withVersion("v1alpha1")
            .withKind("RunHistory")
            .withPlural("runhistories")
            .withNamespaced(true)
            .build();

    private final ControlPlane plane;
    private final Map<String, Room> rooms = new ConcurrentHashMap<>();
    private final Map<String, GangSpec> gangs = new ConcurrentHashMap<>();

    Cluster(ControlPlane plane) {
        this.plane = plane;
    }

    ControlPlane plane() {
        return plane;
    }

    KubernetesClient client() {
        return plane.client();
    }

    void namespace(String name) {
        client().resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Creates a node with {@code cores} cores and four GiB per core, at a price per hour, in a scenario's pool. */
    Node node(String name, int cores, String price, String pool) {
        return node(name, cores, price, pool, Map.of());
    }

    Node nodeIn(String zone, String name, int cores, String price, String pool) {
        return nodeIn(Map.of("topology.kubernetes.io/zone", zone), name, cores, price, pool);
    }

    Node nodeOf(String owner, String name, int cores, String price, String pool) {
        return node(name, cores, price, pool, Map.of(), Map.of("slotwise.io/owner", owner));
    }

    Node nodeIn(Map<String, String> domains, String name, int cores, String price, String pool) {
        return node(name, cores, price, pool, Map.of(), domains);
    }

    Node node(String name, int cores, String price, String pool, Map<String, String> annotations) {
        return node(name, cores, price, pool, annotations, Map.of());
    }

    private Node node(
            String name,
            int cores,
            String price,
            String pool,
            Map<String, String> annotations,
            Map<String, String> moreLabels) {
        int memoryGi = 4 * cores;
        rooms.put(name, new Room(cores * 1000L, memoryGi * 1024L * 1024 * 1024, new BigDecimal(price)));
        Node node =
                Workload.node(name, cores, memoryGi, Map.of("slotwise.io/price", price, "it.slotwise.io/pool", pool));
        return client().resource(new NodeBuilder(node)
                        .editMetadata()
                        .withAnnotations(annotations)
                        .addToLabels(moreLabels)
                        .endMetadata()
                        .build())
                .create();
    }

    /** The RunHistory objects of a namespace: none or one. */
    List<GenericKubernetesResource> histories(String namespace) {
        return client().genericKubernetesResources(HISTORIES)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    void price(String node, String price) {
        label(node, "slotwise.io/price", price);
    }

    /** Labels a node, despite concurrent writes. Without a value the label goes. */
    void label(String node, String key, @Nullable String value) {
        client().nodes()
                .withName(node)
                .patch(MERGE, "{\"metadata\": {\"labels\": {\"%s\": %s}}}".formatted(key, Serialization.asJson(value)));
    }

    /** Annotates a namespace, despite concurrent writes. */
    void annotateNamespace(String namespace, String key, String value) {
        client().namespaces()
                .withName(namespace)
                .patch(MERGE, Serialization.asJson(Map.of("metadata", Map.of("annotations", Map.of(key, value)))));
    }

    /** Creates a disruption budget that forbids every eviction of the gang's pods. */
    void protect(GangSpec gang) {
        client().resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace(gang.namespace())
                        .withName(gang.name())
                        .endMetadata()
                        .withNewSpec()
                        .withMinAvailable(new IntOrString(gang.size()))
                        .withNewSelector()
                        .addToMatchLabels("slotwise.io/gang", gang.name())
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
    }

    void protectNoLonger(GangSpec gang) {
        client().policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(gang.namespace())
                .withName(gang.name())
                .delete();
    }

    /** Creates a priority class whose pods displace others. */
    void priorityClass(String name, int value) {
        priorityClass(name, value, "PreemptLowerPriority");
    }

    void priorityClass(String name, int value, String preemptionPolicy) {
        client().resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withValue(value)
                        .withPreemptionPolicy(preemptionPolicy)
                        .build())
                .create();
    }

    /** Creates a queue with a specification in YAML. */
    void createQueue(String name, String spec) {
        createQueue(client(), name, spec);
    }

    public static void createQueue(KubernetesClient client, String name, String spec) {
        client.resource(Serialization.unmarshal("""
                        apiVersion: slotwise.io/v1alpha1
                        kind: Queue
                        metadata: {name: %s}
                        spec: %s
                        """.formatted(name, spec), GenericKubernetesResource.class))
                .create();
    }

    void deleteQueue(String name) {
        client().genericKubernetesResources(QUEUES).withName(name).delete();
    }

    List<GenericKubernetesResource> queues() {
        return client().genericKubernetesResources(QUEUES).list().getItems();
    }

    GenericKubernetesResource queue(String name) {
        return client().genericKubernetesResources(QUEUES).withName(name).get();
    }

    void submitAsJob(GangSpec gang) {
        gangs.put(gang.name(), gang);
        client().resource(gang.job()).create();
    }

    /**
     * Submits a gang as the Job that docs/reference/annotations.md shows for gangs that may be moved. Its indexes are
     * made again ten seconds after an eviction. Evictions do not count against a limit.
     */
    void submitAsIndexedJob(GangSpec gang) {
        gangs.put(gang.name(), gang);
        client().resource(new JobBuilder(gang.job())
                        .editSpec()
                        .withCompletionMode("Indexed")
                        .withBackoffLimitPerIndex(0)
                        .withBackoffLimit(null)
                        .withNewPodFailurePolicy()
                        .addNewRule()
                        .withAction("Ignore")
                        .addNewOnPodCondition()
                        .withType("DisruptionTarget")
                        .withStatus("True")
                        .endOnPodCondition()
                        .endRule()
                        .endPodFailurePolicy()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations(Workload.STOPS, "orderly")
                        .endMetadata()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    /** Ends the running pods of a gang that was submitted as pods, before their time. */
    void endPods(GangSpec gang) {
        gang.pods()
                .forEach(pod -> client().resource(pod)
                        .edit(running -> new PodBuilder(running)
                                .editMetadata()
                                .addToAnnotations(Workload.RUNS_FOR, "1s")
                                .endMetadata()
                                .build()));
    }

    void submitAsPods(GangSpec gang) {
        submitAsPods(gang, UnaryOperator.identity());
    }

    /** Submits a gang as bare pods, changed by {@code changed}. */
    void submitAsPods(GangSpec gang, UnaryOperator<Pod> changed) {
        gangs.put(gang.name(), gang);
        gang.pods().forEach(pod -> client().resource(changed.apply(pod)).create());
    }

    /** A gang's Reservation, or null if there is none yet. */
    @Nullable
    GenericKubernetesResource reservation(GangSpec gang) {
        return client().genericKubernetesResources(RESERVATIONS)
                .inNamespace(gang.namespace())
                .withName(gang.name())
                .get();
    }

    List<GenericKubernetesResource> reservations(String namespace) {
        return reservations(client(), namespace);
    }

    static List<GenericKubernetesResource> reservations(KubernetesClient client, String namespace) {
        return client.genericKubernetesResources(RESERVATIONS)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    /** Ends a pod in this phase, as a kubelet does. */
    void end(Pod pod, String phase) {
        client().resource(pod)
                .editStatus(known -> new PodBuilder(known)
                        .editStatus()
                        .withPhase(phase)
                        .endStatus()
                        .build());
    }

    /** A gang's phase, which is {@code Pending} while there is no Reservation. */
    String phase(GangSpec gang) {
        GenericKubernetesResource reservation = reservation(gang);
        return reservation == null ? "Pending" : phase(reservation);
    }

    static String phase(GenericKubernetesResource reservation) {
        return Objects.requireNonNullElse(reservation.<String>get("status", "phase"), "Pending");
    }

    /** The promised start of a gang, RFC 3339, or null if there is no promise. */
    @Nullable
    String promisedStart(GangSpec gang) {
        GenericKubernetesResource reservation = reservation(gang);
        return reservation == null ? null : reservation.get("spec", "window", "start");
    }

    /** The promised nodes by the pods' names. Empty if there is no promise. */
    Map<String, String> promisedNodes(GangSpec gang) {
        Map<String, String> nodes = new HashMap<>();
        GenericKubernetesResource reservation = reservation(gang);
        List<Map<String, Object>> placement =
                reservation == null ? null : reservation.get("spec", "window", "placement");
        if (placement != null) {
            placement.forEach(item -> nodes.put(String.valueOf(item.get("pod")), String.valueOf(item.get("node"))));
        }
        return nodes;
    }

    String promisedNode(GangSpec gang, String pod) {
        return Objects.requireNonNull(promisedNodes(gang).get(pod), pod);
    }

    /** A condition as {@code False OverBudget: message}: status, reason, message. Empty if there is none. */
    String condition(GangSpec gang, String type) {
        GenericKubernetesResource reservation = reservation(gang);
        return reservation == null ? "" : condition(reservation, type);
    }

    static String condition(GenericKubernetesResource reservation, String type) {
        List<Map<String, Object>> conditions =
                Objects.requireNonNullElse(reservation.get("status", "conditions"), List.of());
        return conditions.stream()
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition ->
                        condition.get("status") + " " + condition.get("reason") + ": " + condition.get("message"))
                .findFirst()
                .orElse("");
    }

    List<Pod> pods(GangSpec gang) {
        return client().pods()
                .inNamespace(gang.namespace())
                .withLabel("slotwise.io/gang", gang.name())
                .list()
                .getItems();
    }

    /** The number of the gang's pods with a node. */
    long boundPods(GangSpec gang) {
        return pods(gang).stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .count();
    }

    /** Events of a namespace as {@code REASON OBJECT: message}, of both event APIs. */
    List<String> events(String namespace, String reason) {
        return client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> reason.equals(event.getReason()))
                .map(event -> event.getReason() + " " + event.getRegarding().getKind() + "/"
                        + event.getRegarding().getName() + ": " + event.getNote())
                .toList();
    }

    /** The API server's record of a namespace. */
    RunRecord record(String namespace) {
        return RunRecord.of(plane.audit(), namespace);
    }

    /** The rules for the gangs of a namespace that were submitted through this object. */
    RunChecker.Rules rules(String namespace, Duration turnover) {
        Map<String, Integer> sizes = new HashMap<>();
        gangs.values().stream()
                .filter(gang -> gang.namespace().equals(namespace))
                .forEach(gang -> sizes.put(gang.name(), gang.size()));
        return RunChecker.Rules.of(rooms, sizes, turnover);
    }
}
