package io.slotwise.it;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.testing.Loopback;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Karpenter's own controller next to a control plane, with its provider of kwok nodes: NodePools and NodeClaims are
 * real, and nodes appear and go. Its definitions come from its module.
 */
final class Karpenter {
    private static final ResourceDefinitionContext POOLS = kind("karpenter.sh", "v1", "NodePool", "nodepools");
    static final ResourceDefinitionContext CLAIMS = kind("karpenter.sh", "v1", "NodeClaim", "nodeclaims");

    private static final String NAMESPACE = "karpenter";

    private final ControlPlane plane;
    private @Nullable RunningProgram controller;
    private int starts;

    private Karpenter(ControlPlane plane) {
        this.plane = plane;
    }

    private static ResourceDefinitionContext kind(String group, String version, String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(false)
                .build();
    }

    /** Installs the definitions and a node class, and starts the controller. */
    static Karpenter start(ControlPlane plane) {
        Karpenter karpenter = new Karpenter(plane);
        plane.define("karpenter");
        plane.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        karpenter.run();
        karpenter.create("""
                apiVersion: karpenter.kwok.sh/v1alpha1
                kind: KWOKNodeClass
                metadata: {name: default}
                """, kind("karpenter.kwok.sh", "v1alpha1", "KWOKNodeClass", "kwoknodeclasses"));
        return karpenter;
    }

    /** Collects unrecorded nodes, which a killed controller would make again, and starts the controller. */
    void run() {
        collect();
        starts++;
        controller = plane.run(
                starts == 1 ? "karpenter" : "karpenter-" + starts,
                List.of(plane.program("karpenter").toString()),
                Map.of(
                        "KUBECONFIG",
                        plane.adminKubeconfig().toString(),
                        "SYSTEM_NAMESPACE",
                        NAMESPACE,
                        "DISABLE_LEADER_ELECTION",
                        "true",
                        "METRICS_PORT",
                        Integer.toString(Loopback.freePort()),
                        "HEALTH_PROBE_PORT",
                        Integer.toString(Loopback.freePort()),
                        "LOG_LEVEL",
                        "info"));
    }

    /**
     * Deletes the nodes that the controller has made and not recorded, as a cloud's garbage collection does (the
     * provider of kwok nodes has none). The controller was killed while it made them, or their NodeClaim was deleted
     * meanwhile. A running controller may be about to record a node, unless there are no NodeClaims.
     */
    void collect() {
        Set<Object> known = claims().stream()
                .map(claim -> claim.get("status", "providerID"))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        bought().stream()
                .filter(node -> !known.contains(node.getSpec().getProviderID()))
                .forEach(node -> plane.client().resource(node).delete());
    }

    private void create(String yaml, ResourceDefinitionContext kind) {
        plane.client()
                .genericKubernetesResources(kind)
                .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
                .create();
    }

    /**
     * A node of four cores for the catalogue.
     *
     * @param delay seconds from its purchase until it is there
     * @param step the billing step, such as {@code 1m}
     */
    static String offer(String name, String type, String capacity, String zone, String price, int delay, String step) {
        return """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                  labels:
                    node.kubernetes.io/instance-type: %s
                    karpenter.sh/capacity-type: %s
                    topology.kubernetes.io/zone: %s
                    kubernetes.io/arch: amd64
                    kubernetes.io/os: linux
                    slotwise.io/price: "%s"
                  annotations: {slotwise.io/offer-delay: %ds, slotwise.io/offer-billed-step: %s}
                status:
                  allocatable: {cpu: 3900m, memory: 16374Mi, pods: "110"}
                  capacity: {cpu: "4", memory: 16Gi, pods: "110"}
                """.formatted(name, type, capacity, zone, price, delay, step);
    }

    void pool(String name, String instanceType, String limits) {
        pool(name, instanceType, "on-demand", "test-zone-a, test-zone-b, test-zone-c, test-zone-d", limits);
    }

    void pool(String name, String instanceType, String capacity, String zones, String limits) {
        create("""
                apiVersion: karpenter.sh/v1
                kind: NodePool
                metadata: {name: %s}
                spec:
                  limits: %s
                  disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 0s}
                  template:
                    metadata: {labels: {it.slotwise.io/pool: %s}}
                    spec:
                      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
                      requirements:
                      - {key: node.kubernetes.io/instance-type, operator: In, values: [%s]}
                      - {key: karpenter.sh/capacity-type, operator: In, values: [%s]}
                      - {key: topology.kubernetes.io/zone, operator: In, values: [%s]}
                      - {key: kubernetes.io/arch, operator: In, values: [amd64]}
                      - {key: kubernetes.io/os, operator: In, values: [linux]}
                """.formatted(name, limits, name, instanceType, capacity, zones), POOLS);
    }

    /** Freezes the controller (SIGSTOP) until {@link #wake}. */
    void freeze() {
        Objects.requireNonNull(controller).signal("STOP");
    }

    /** Kills the controller (SIGKILL). {@link #run} starts it again. */
    void kill() {
        Objects.requireNonNull(controller).kill();
    }

    /** Resumes the controller (SIGCONT). */
    void wake() {
        Objects.requireNonNull(controller).signal("CONT");
    }

    ConfigMap books() {
        return maps().findFirst().orElseThrow();
    }

    private Stream<ConfigMap> maps() {
        return plane.client().configMaps().inAnyNamespace().list().getItems().stream()
                .filter(map -> map.getMetadata().getName().endsWith("-purchases"));
    }

    /** The cost of each purchase so far, 1/3600 millionths of the currency unit. */
    Map<String, Long> bills() {
        Map<String, Long> bills = new TreeMap<>();
        maps().map(ConfigMap::getData)
                .filter(Objects::nonNull)
                .forEach(lines -> lines.forEach((name, line) -> bills.put(name, bill(line))));
        return bills;
    }

    long spent(String namespace) {
        return maps().map(ConfigMap::getData)
                .filter(Objects::nonNull)
                .flatMap(lines -> lines.values().stream())
                .filter(line -> line.endsWith(" " + namespace))
                .mapToLong(Karpenter::bill)
                .sum();
    }

    /** The bill of a line, which has a second, a bill and a namespace. */
    static long bill(String line) {
        return Long.parseLong(line.split(" ", -1)[1]);
    }

    List<GenericKubernetesResource> claims() {
        return plane.client().genericKubernetesResources(CLAIMS).list().getItems();
    }

    List<Node> bought() {
        return plane.client()
                .nodes()
                .withLabel("slotwise.io/bought", "true")
                .list()
                .getItems();
    }

    List<Node> bought(String pool) {
        return bought().stream()
                .filter(node -> pool.equals(node.getMetadata().getLabels().get("karpenter.sh/nodepool")))
                .toList();
    }
}
