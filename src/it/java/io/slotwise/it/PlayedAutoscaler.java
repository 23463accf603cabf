package io.slotwise.it;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.watch.AutoscalerWatch;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A simulation of Cluster Autoscaler. It answers ProvisioningRequests, makes their nodes in the group that the pod's
 * node selector names, and deletes nodes that are not kept. It reports {@code Provisioned} at once, and makes no node
 * if an existing one has room for the pod, as the real one does.
 */
final class PlayedAutoscaler implements AutoCloseable {
    private static final String GROUP = "it.slotwise.io/pool";
    private static final String KEPT = "cluster-autoscaler.kubernetes.io/scale-down-disabled";

    private final ControlPlane plane;
    private final Cluster cluster;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    /** The times at which nodes are to be made, by the request. */
    private final Map<String, Instant> due = new ConcurrentHashMap<>();

    private final Map<String, Conduct> groups = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
    private final AtomicInteger made = new AtomicInteger();

    /**
     * The autoscaler's behaviour in one group.
     *
     * @param seconds after which a node appears, if its request still exists
     * @param most the number of nodes, after which requests fail
     */
    record Conduct(int seconds, int most) {}

    private PlayedAutoscaler(ControlPlane plane, Cluster cluster) {
        this.plane = plane;
        this.cluster = cluster;
    }

    /** Defines the kind ProvisioningRequest. */
    static void define(ControlPlane plane) {
        List<HasMetadata> definitions = plane.client()
                .load(Objects.requireNonNull(
                        PlayedAutoscaler.class.getResourceAsStream("/io/slotwise/it/provisioningrequests.yaml")))
                .items();
        definitions.forEach(definition -> plane.client().resource(definition).create());
        plane.await(
                "ProvisioningRequests to be served",
                () -> plane.client().apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                        .filter(one -> one.getSpec().getGroup().equals("autoscaling.x-k8s.io"))
                        .allMatch(ConventionsIT::isServed));
    }

    /** Starts an autoscaler that looks twice a second. */
    static PlayedAutoscaler start(ControlPlane plane, Cluster cluster) {
        PlayedAutoscaler played = new PlayedAutoscaler(plane, cluster);
        var _ = played.clock.scheduleWithFixedDelay(played::look, 0, 500, TimeUnit.MILLISECONDS);
        return played;
    }

    void conduct(String group, Conduct conduct) {
        groups.put(group, conduct);
    }

    private KubernetesClient client() {
        return plane.client();
    }

    List<GenericKubernetesResource> requests() {
        return client().genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inAnyNamespace()
                .list()
                .getItems();
    }

    /** All PodTemplates, including those of deleted requests. */
    List<PodTemplate> templates() {
        return client().v1().podTemplates().inAnyNamespace().list().getItems();
    }

    /** The nodes made for a group, or for all groups (""). */
    List<Node> nodes(String group) {
        return client().nodes().withLabel("it.slotwise.io/made").list().getItems().stream()
                .filter(node -> group.isEmpty()
                        || group.equals(node.getMetadata().getLabels().get(GROUP)))
                .toList();
    }

    private void look() {
        try {
            requests().forEach(this::answer);
            nodes("").forEach(this::takeNeedless);
        } catch (KubernetesClientException e) {
            // The next look sees the same.
            System.out.println("The played autoscaler looks again: " + e.getMessage());
        }
    }

    private void answer(GenericKubernetesResource request) {
        String name = request.getMetadata().getName();
        PodTemplate template = client().v1()
                .podTemplates()
                .inNamespace(request.getMetadata().getNamespace())
                .withName(name)
                .get();
        if (template == null) {
            return;
        }
        String group = Objects.requireNonNull(
                template.getTemplate().getSpec().getNodeSelector().get(GROUP));
        Conduct conduct = groups.getOrDefault(group, new Conduct(5, 100));
        if (request.get("status") == null) {
            boolean refused =
                    asked.computeIfAbsent(group, _ -> new AtomicInteger()).incrementAndGet() > conduct.most();
            condition(request, refused ? "Failed" : "Provisioned");
            if (!refused && !fitsOnOneThatIsThere(template.getTemplate().getSpec(), group)) {
                due.put(name, Scenario.in(conduct.seconds()));
            }
        }
        Instant when = due.get(name);
        if (when != null && !Scenario.now().isBefore(when)) {
            due.remove(name);
            make(group);
        }
    }

    /** Returns whether an existing node of the group suits the pod, as if all its pods were gone by then. */
    private boolean fitsOnOneThatIsThere(PodSpec pod, String group) {
        List<String> excluded = pod.getAffinity() == null
                ? List.of()
                : pod.getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .getFirst()
                        .getMatchExpressions()
                        .getFirst()
                        .getValues();
        return client().nodes().withLabel(GROUP, group).list().getItems().stream()
                .anyMatch(node -> !node.getMetadata().getLabels().containsKey("it.slotwise.io/made")
                        && !excluded.contains(node.getMetadata().getName()));
    }

    private void condition(GenericKubernetesResource request, String type) {
        request.setAdditionalProperty(
                "status",
                Map.of(
                        "conditions",
                        List.of(Map.of(
                                "type",
                                type,
                                "status",
                                "True",
                                "reason",
                                "Played",
                                "message",
                                "",
                                "lastTransitionTime",
                                Scenario.in(0).toString()))));
        client().genericKubernetesResources(AutoscalerWatch.REQUESTS)
                .inNamespace(request.getMetadata().getNamespace())
                .resource(request)
                .updateStatus();
    }

    private void make(String group) {
        String name = "made-" + made.incrementAndGet();
        Node node = Workload.node(name, 4, 16, Map.of(GROUP, group, "it.slotwise.io/made", "true"));
        client().resource(new NodeBuilder(node)
                        .editOrNewSpec()
                        .addNewTaint()
                        .withKey("it.slotwise.io/reserved")
                        .withEffect("PreferNoSchedule")
                        .endTaint()
                        .endSpec()
                        .build())
                .create();
    }

    /** Deletes a node that is not kept and has no pods if no request waits for a node of its group. */
    private void takeNeedless(Node listed) {
        String name = listed.getMetadata().getName();
        boolean isWaitedFor = requests().stream()
                .anyMatch(request ->
                        name.equals(request.getMetadata().getAnnotations().get("slotwise.io/node"))
                                || !request.getMetadata().getAnnotations().containsKey("slotwise.io/node"));
        // A node is marked as kept before its request is deleted, so the mark is read after the requests.
        Node node = isWaitedFor ? null : client().nodes().withName(name).get();
        if (node != null
                && !"true"
                        .equals(Objects.requireNonNullElse(
                                        node.getMetadata().getAnnotations(), Map.<String, String>of())
                                .get(KEPT))
                && cluster.client().pods().inAnyNamespace().withField("spec.nodeName", name).list().getItems().stream()
                        .noneMatch(pod -> List.of("Pending", "Running")
                                .contains(pod.getStatus().getPhase()))) {
            client().nodes().withName(name).delete();
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
