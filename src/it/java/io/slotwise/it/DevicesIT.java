package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs with devices on a real control plane: ResourceSlices as a driver would write them, ResourceClaims made by
 * kube-controller-manager, devices allocated by kube-scheduler.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DevicesIT {
    /** Longer than the turnover plus the latest allowed start. */
    private static final long LATE_SECONDS = 18;

    /** Longer than the half minute for which one story stops the controllers, which make all ResourceClaims. */
    private static final int CLAIMED = 80;

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane plane;
    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    DevicesIT(ControlPlane plane) {
        this.plane = plane;
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
    void gangsFromATemplateStartWholeAtTheFirstTryAndTheSecondOneAfterTheFirst() {
        Scenario scenario = nodes("template");
        devices("template", "template-b", "big", "big", "small");
        template("template", "one", exactly("template", 1, "device.attributes['template.example.com'].size == 'big'"));
        GangSpec first = scenario.gang("first", 2, 1000, 8).with("criterion", "cost");
        GangSpec second = scenario.gang("second", 2, 1000, 8).with("criterion", "cost");

        cluster.submitAsPods(first, pod -> withTemplate(pod, "one"));
        scenario.awaitWhole(first, CLAIMED);
        cluster.submitAsPods(second, pod -> withTemplate(pod, "one"));

        assertThat(nodesOf(first)).containsExactly("template-b", "template-b");
        assertStartedAtTheFirstTry(first);
        scenario.awaitWhole(second, 60);
        assertThat(nodesOf(second)).containsExactly("template-b", "template-b");
        assertStartedAtTheFirstTry(second);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aGangStartsAtTheFirstTryThoughTheDevicesAreGivenBackLate() {
        Scenario scenario = nodes("late");
        devices("late", "late-b", "big");
        template("late", "one", exactly("late", 1, "true"));
        GangSpec first = scenario.gang("first", 1, 1000, 8).with("criterion", "cost");
        GangSpec second = scenario.gang("second", 1, 1000, 8).with("criterion", "cost");
        RunningProgram controllers = plane.running("kube-controller-manager");

        cluster.submitAsPods(first, pod -> withTemplate(pod, "one"));
        scenario.awaitWhole(first, CLAIMED);
        cluster.submitAsPods(second, pod -> withTemplate(pod, "one"));
        plane.await(
                "the claim of the second gang",
                () -> cluster.pods(second).stream()
                        .noneMatch(pod ->
                                pod.getStatus().getResourceClaimStatuses().isEmpty()));
        controllers.signal("STOP");
        try {
            plane.await(
                    "the end of the first gang",
                    () -> cluster.pods(first).stream()
                            .allMatch(pod -> "Succeeded".equals(pod.getStatus().getPhase())));
            Instant later = clock.instant().plusSeconds(LATE_SECONDS);
            plane.await("the devices to be late", () -> clock.instant().isAfter(later));
        } finally {
            controllers.signal("CONT");
        }

        scenario.awaitWhole(second, 60);
        assertThat(nodesOf(second)).containsExactly("late-b");
        assertStartedAtTheFirstTry(second);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aGangThatSharesOneClaimStartsOnOneNodeWithOneDevice() {
        Scenario scenario = nodes("shared");
        devices("shared", "shared-b", "big");
        cluster.client()
                .resource(object(
                        ("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: shared, "
                                        + "name: data}, spec: {devices: %s}}")
                                .formatted(exactly("shared", 1, "true")),
                        ResourceClaim.class))
                .create();
        GangSpec gang = scenario.gang("three", 3, 1000, 20).with("criterion", "cost");

        cluster.submitAsPods(gang, pod -> withClaim(pod, "data"));

        scenario.awaitWhole(gang, CLAIMED);
        assertThat(nodesOf(gang)).containsOnly("shared-b").hasSize(3);
        assertStartedAtTheFirstTry(gang);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void gangsThatShareOneClaimStartWholeOnOneNodeThoughAnotherOneHasDevicesToo() {
        Scenario scenario = nodes("sharers");
        devices("sharers", "sharers-a", "big");
        slice("sharers", "sharers-b", "big");
        cluster.client()
                .resource(object(
                        ("{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: sharers, "
                                        + "name: data}, spec: {devices: %s}}")
                                .formatted(exactly("sharers", 1, "true")),
                        ResourceClaim.class))
                .create();
        // A pod fills the cheap node, so a choice by capacity and price alone would send the next pod to the other
        // node.
        List<GangSpec> gangs = IntStream.range(0, 3)
                .mapToObj(i -> scenario.gang("gang-" + i, 1, 3000, 10).with("criterion", "start"))
                .toList();

        gangs.forEach(gang -> cluster.submitAsPods(gang, pod -> withClaim(pod, "data")));

        gangs.forEach(gang -> scenario.awaitWhole(gang, 90));
        assertThat(gangs.stream().flatMap(gang -> nodesOf(gang).stream()).distinct())
                .hasSize(1);
        gangs.forEach(this::assertStartedAtTheFirstTry);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void anExtendedResourceThatAClassServesGoesToTheNodeWithTheDevices() {
        Scenario scenario = nodes("served");
        devices("served", "served-b", "big", "big");
        GangSpec gang = scenario.gang("served", 2, 1000, 20).with("criterion", "cost");

        cluster.submitAsPods(gang, pod -> asking(pod, "deviceclass.resource.kubernetes.io/served"));

        scenario.awaitWhole(gang, CLAIMED);
        assertThat(nodesOf(gang)).containsExactly("served-b", "served-b");
        assertStartedAtTheFirstTry(gang);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void unsupportedDeviceFeaturesAreRefusedByName() {
        Scenario scenario = nodes("beyond");
        devices("beyond", "beyond-b", "big");
        template(
                "beyond",
                "either",
                "{requests: [{name: r, firstAvailable: [{name: a, deviceClassName: beyond}, {name: b, "
                        + "deviceClassName: beyond}]}]}");
        GangSpec gang = scenario.gang("either", 1, 1000, 20);

        cluster.submitAsPods(gang, pod -> withTemplate(pod, "either"));

        scenario.awaitPending(gang, "InvalidRequest", "cannot be planned: firstAvailable", 20);
    }

    /** Creates a cheap node without devices and an expensive node with some, named NAME-a and NAME-b. */
    private Scenario nodes(String name) {
        Scenario scenario = new Scenario(cluster, name);
        cluster.nodeIn("cheap", name + "-a", 4, "1", name);
        cluster.nodeIn("dear", name + "-b", 4, "9", name);
        return scenario;
    }

    private void devices(String name, String node, String... sizes) {
        cluster.client()
                .resource(object(
                        ("{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: %s}, spec: "
                                        + "{selectors: [{cel: {expression: \"device.driver == '%s.example.com'\"}}]}}")
                                .formatted(name, name),
                        DeviceClass.class))
                .create();
        slice(name, node, sizes);
    }

    /** Creates a node's devices of a class. */
    private void slice(String name, String node, String... sizes) {
        String devices = IntStream.range(0, sizes.length)
                .mapToObj(i -> "{name: d%d, attributes: {size: {string: %s}}}".formatted(i, sizes[i]))
                .collect(Collectors.joining(", "));
        cluster.client()
                .resource(object(
                        ("{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: %s}, spec: "
                                        + "{driver: %s.example.com, nodeName: %s, pool: {name: %s, generation: 1, "
                                        + "resourceSliceCount: 1}, devices: [%s]}}")
                                .formatted(node, name, node, node, devices),
                        ResourceSlice.class))
                .create();
    }

    private static String exactly(String deviceClass, int count, String selector) {
        return ("{requests: [{name: r, exactly: {deviceClassName: %s, count: %d, selectors: [{cel: "
                        + "{expression: \"%s\"}}]}}]}")
                .formatted(deviceClass, count, selector);
    }

    private void template(String namespace, String name, String devices) {
        cluster.client()
                .resource(object(
                        ("{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {namespace: %s, "
                                        + "name: %s}, spec: {spec: {devices: %s}}}")
                                .formatted(namespace, name, devices),
                        ResourceClaimTemplate.class))
                .create();
    }

    /** Text that begins with a brace would be read as JSON. */
    private static <T> T object(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }

    private static Pod withTemplate(Pod pod, String template) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimTemplateName(template)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private static Pod withClaim(Pod pod, String claim) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewResourceClaim()
                .withName("c")
                .withResourceClaimName(claim)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    private static Pod asking(Pod pod, String resource) {
        return new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .editOrNewResources()
                .addToRequests(resource, new Quantity("1"))
                .addToLimits(resource, new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private List<String> nodesOf(GangSpec gang) {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getSpec().getNodeName())
                .toList();
    }

    private void assertStartedAtTheFirstTry(GangSpec gang) {
        Integer attempts = Objects.requireNonNull(cluster.reservation(gang)).get("status", "attempts");
        assertThat(attempts == null ? 0 : attempts).isZero();
    }
}
