package io.slotwise.it;

import static io.slotwise.it.Racks.BLOCK;
import static io.slotwise.it.Racks.HOST;
import static io.slotwise.it.Racks.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Gangs that say in the words of Kueue, KAI, Volcano and Kubernetes how near each other they run. Their pods are those
 * that the other project makes, and Volcano's HyperNodes describe the {@link Racks}.
 */
final class TopologyWords {
    private static final String KUEUE = "kueue.x-k8s.io/podset-";
    private static final String HYPER_NODES = "topology.volcano.sh/v1alpha1";
    private static final String VOLCANO = "scheduling.volcano.sh/v1beta1";

    /** The label of pods with the name of their gang here. */
    private static final String GANG = "it.slotwise.io/words";

    private final Cluster cluster;
    private final String namespace;

    /** Creates the namespace, Volcano's definitions and its HyperNodes. The pool has the name of the namespace. */
    TopologyWords(Cluster cluster, String namespace) {
        this.cluster = cluster;
        this.namespace = namespace;
        cluster.namespace(namespace);
        define();
        createHyperNodes();
    }

    /** Submits all gangs: of four pods of half a node, and {@code sliced} and {@code layered} of eight. */
    void submit() {
        submitKueue("free", 4, "unconstrained-topology: 'true'");
        submitKueue("required", 4, "required-topology: %s, %sgroup-name: all".formatted(RACK, KUEUE));
        submitKueue("preferred", 4, "preferred-topology: " + RACK);
        submitKueue(
                "sliced",
                8,
                "required-topology: %s, %sslice-required-topology: %s, %sslice-size: '4'"
                        .formatted(BLOCK, KUEUE, RACK, KUEUE));
        submitKueue(
                "layered",
                8,
                "slice-required-topology-constraints: "
                        + "'[{\"topology\": \"%s\", \"size\": 4}, {\"topology\": \"%s\", \"size\": 2}]'"
                                .formatted(RACK, HOST));
        submit(
                "kai",
                4,
                "slotwise.io/gang: kai",
                "slotwise.io/gang-size: '4', kai.scheduler/topology: any, kai.scheduler/topology-required-placement: "
                        + BLOCK + ", kai.scheduler/topology-preferred-placement: " + RACK,
                "");
        submitVolcano("hard", "{mode: hard, highestTierAllowed: 1}");
        submitVolcano("soft", "{mode: soft}");
        create(
                "scheduling.k8s.io/v1beta1",
                "native",
                "{schedulingPolicy: {gang: {minCount: 4}}, schedulingConstraints: {topology: [{key: %s}]}}"
                        .formatted(RACK));
        submit("native", 4, "", "", "schedulingGroup: {podGroupName: native}");
    }

    private void submitVolcano(String gang, String topology) {
        create(VOLCANO, gang, "{minMember: 4, networkTopology: %s}".formatted(topology));
        submit(gang, 4, "", "scheduling.k8s.io/group-name: " + gang, "");
    }

    private void submitKueue(String gang, int size, String topology) {
        submit(
                gang,
                size,
                "kueue.x-k8s.io/pod-group-name: " + gang,
                "kueue.x-k8s.io/pod-group-total-count: '%d', %s%s".formatted(size, KUEUE, topology),
                "");
    }

    /** Creates pods of half a node. Labels and annotations are items of a YAML mapping, and {@code spec} is a line. */
    private void submit(String gang, int size, String labels, String annotations, String spec) {
        for (int i = 0; i < size; i++) {
            create("""
                    apiVersion: v1
                    kind: Pod
                    metadata:
                      namespace: %s
                      name: %s-%d
                      labels: {%s: %s, %s}
                      annotations: {slotwise.io/runtime: 10m, %s: 600s, %s}
                    spec:
                      schedulerName: slotwise
                      nodeSelector: {it.slotwise.io/pool: %s}
                      containers: [{name: c, image: none, resources: {requests: {cpu: "2"}}}]
                      %s
                    """.formatted(
                            namespace, gang, i, GANG, gang, labels, Workload.RUNS_FOR, annotations, namespace, spec));
        }
    }

    /** Waits until all pods of a gang in another project's words have nodes, and returns them in order of rank. */
    List<Pod> awaitBound(String gang, int size) {
        List<Pod> pods = new ArrayList<>();
        Scenario.within(gang + " to have nodes", TopologyIT.LIMIT).untilAsserted(() -> {
            pods.clear();
            pods.addAll(cluster.client()
                    .pods()
                    .inNamespace(namespace)
                    .withLabel(GANG, gang)
                    .list()
                    .getItems());
            assertThat(pods)
                    .as(() -> cluster.reservations(namespace).stream()
                            .map(found -> found.getMetadata().getName() + " " + Cluster.condition(found, "Planned"))
                            .toList()
                            .toString())
                    .hasSize(size)
                    .allMatch(pod -> pod.getSpec().getNodeName() != null);
        });
        return Racks.byRank(pods);
    }

    private void define() {
        List<CustomResourceDefinition> definitions = List.of(
                ConventionsIT.definition(VOLCANO, "PodGroup"),
                new CustomResourceDefinitionBuilder(ConventionsIT.definition(HYPER_NODES, "HyperNode"))
                        .editSpec()
                        .withScope("Cluster")
                        .endSpec()
                        .build());
        definitions.forEach(definition -> cluster.client().resource(definition).create());
        cluster.plane()
                .await(
                        "definitions of Volcano",
                        () -> definitions.stream()
                                .allMatch(definition -> ConventionsIT.isServed(Objects.requireNonNull(
                                        cluster.client().resource(definition).get()))));
    }

    /** Creates a HyperNode for each block, and for each rack by the names or by the labels of its nodes. */
    private void createHyperNodes() {
        for (int block = 1; block <= Racks.BLOCKS; block++) {
            create("""
                    apiVersion: %s
                    kind: HyperNode
                    metadata: {name: b%d}
                    spec: {tier: 2, members: [{type: HyperNode, selector: {regexMatch: {pattern: ^b%d-}}}]}
                    """.formatted(HYPER_NODES, block, block));
            for (int rack = 1; rack <= Racks.IN_BLOCK; rack++) {
                String selector = rack % 2 == 0
                        ? "regexMatch: {pattern: ^b%d-r%d-}".formatted(block, rack)
                        : "labelMatch: {matchLabels: {%s: b%d, %s: r%d}}".formatted(BLOCK, block, RACK, rack);
                create("""
                        apiVersion: %s
                        kind: HyperNode
                        metadata: {name: b%d-r%d}
                        spec: {tier: 1, members: [{type: Node, selector: {%s}}]}
                        """.formatted(HYPER_NODES, block, rack, selector));
            }
        }
    }

    private void create(String apiVersion, String podGroup, String spec) {
        create("""
                apiVersion: %s
                kind: PodGroup
                metadata: {namespace: %s, name: %s}
                spec: %s
                """.formatted(apiVersion, namespace, podGroup, spec));
    }

    private void create(String yaml) {
        cluster.client()
                .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }
}
