package io.slotwise.kubernetes.manifest.device;

import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceRoomTest {
    private static final String CLAIM = "{name: c, resourceClaimName: %s}";
    private static final String TEMPLATE = "{name: c, resourceClaimTemplateName: %s}";

    private final List<ResourceSlice> slices = new ArrayList<>();
    private final List<DeviceClass> classes = new ArrayList<>();
    private final List<ResourceClaim> claims = new ArrayList<>();
    private final List<ResourceClaimTemplate> templates = new ArrayList<>();
    private final DeviceRoom room = new DeviceRoom(new DeviceSelectors());

    @Test
    void aNodeHasNoRoomWhileAClaimHoldsItsOnlyDeviceWhateverBecameOfItsPods() {
        slice("n1", "big");
        slice("n2", "big");
        template("one", 1, "true");
        claim("held", 1, "n1-0");

        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "one"))).isFalse();
        assertThat(isEnough("n2", pod("g-0", TEMPLATE, "one"))).isTrue();
        claims.getFirst().setStatus(null);
        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "one"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1,1,true", "2,1,true", "1,2,true", "3,1,false", "2,2,false"})
    void asManyDevicesAreNeededAsAllPodsOfTheNodeAskForTogether(int pods, int each, boolean isEnough) {
        slice("n1", "big", "big", "big");
        template("some", each, "true");
        claim("held", 1, "n1-2");
        Pod[] coming = new Pod[pods];
        for (int i = 0; i < pods; i++) {
            coming[i] = pod("g-" + i, TEMPLATE, "some");
        }

        assertThat(isEnough("n1", coming)).isEqualTo(isEnough);
    }

    @Test
    void onlyDevicesThatTheSelectorTakesAreOfUse() {
        slice("n1", "big", "small");
        template("big", 1, "device.attributes['gpu.example.com'].size == 'big'");
        template("any", 1, "true");
        claim("held", 1, "n1-0");

        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "big"))).isFalse();
        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "any"))).isTrue();
        claims.getFirst().setStatus(null);
        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "big"), pod("g-1", TEMPLATE, "any")))
                .isTrue();
        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "big"), pod("g-1", TEMPLATE, "big")))
                .isFalse();
    }

    @Test
    void onlyTheDevicesOfTheNodesOfAWindowAreLookedAt() {
        slice("n1", "big");
        slices.add(yaml(
                "{metadata: {name: n2}, spec: {driver: gpu.example.com, nodeName: n2, pool: {name: n2, "
                        + "generation: 1, resourceSliceCount: 1}, devices: [{name: without-a-size}]}}",
                ResourceSlice.class));
        template("big", 1, "device.attributes['gpu.example.com'].size == 'big'");
        claim("held", 1, "n1-0");

        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "big"))).isFalse();
    }

    @Test
    void aClaimThatSeveralPodsHaveCountsOnceWhicheverGangsTheyAreOf() {
        slice("n1", "big");
        claim("data", 1, "");

        assertThat(isEnough("n1", pod("g-0", CLAIM, "data"), pod("h-0", CLAIM, "data")))
                .isTrue();
    }

    @Test
    void aPodWhoseClaimHasItsDevicesRequestsNoMore() {
        slice("n1", "big");
        claim("data", 1, "n1-0");

        assertThat(isEnough("n1", pod("g-0", CLAIM, "data"))).isTrue();
    }

    @Test
    void aPodWhoseClaimHasDevicesElsewhereHasNoRoomHere() {
        slice("n1", "big");
        slice("n2", "big");
        claim("data", 1, "n1-0");

        assertThat(isEnough("n2", pod("g-0", CLAIM, "data"))).isFalse();
        claims.getFirst().setStatus(null);
        assertThat(isEnough("n2", pod("g-0", CLAIM, "data"))).isTrue();
    }

    @Test
    void aPodThatIsBoundAlreadyAsksForNoMore() {
        slice("n1", "big");
        template("one", 1, "true");

        assertThat(isEnough(
                        "n1",
                        pod("g-0", TEMPLATE, "one"),
                        with(bound(member("h", "h-0"), "n1", 0), TEMPLATE.formatted("one"))))
                .isTrue();
    }

    @Test
    void anExtendedResourceThatAClassServesNeedsItsDevices() {
        slice("n1", "big");
        claim("held", 1, "n1-0");
        Pod asking = member("g", "g-0")
                .editSpec()
                .withSchedulerName("slotwise-extender")
                .editFirstContainer()
                .editOrNewResources()
                .addToRequests("deviceclass.resource.kubernetes.io/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        assertThat(isEnough("n1", asking)).isFalse();
        claims.getFirst().setStatus(null);
        assertThat(isEnough("n1", asking)).isTrue();
    }

    @Test
    void kubeSchedulerDecidesAboutUnknownDevices() {
        slice("n1", "big");
        claim("held", 1, "n1-0");

        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "missing"))).isTrue();
        template("one", 1, "device.attributes['gpu.example.com'].colour == 'red'");
        assertThat(isEnough("n1", pod("g-0", TEMPLATE, "one"))).isTrue();
        assertThat(room.isEnough(
                        OptionalObjects.UNKNOWN.with(ResourceClaim.class, claims),
                        List.of(node("n1").build()),
                        Map.of("n1", List.of(pod("g-0", TEMPLATE, "one"))),
                        _ -> false))
                .isTrue();
    }

    private boolean isEnough(String node, Pod... coming) {
        if (classes.isEmpty()) {
            classes.add(yaml(
                    "{metadata: {name: gpu}, spec: {selectors: [{cel: {expression: \"device.driver == "
                            + "'gpu.example.com'\"}}]}}",
                    DeviceClass.class));
        }
        Node there = node(node).build();
        return room.isEnough(
                OptionalObjects.UNKNOWN
                        .with(ResourceSlice.class, slices)
                        .with(DeviceClass.class, classes)
                        .with(ResourceClaim.class, claims)
                        .with(ResourceClaimTemplate.class, templates),
                List.of(there),
                Map.of(node, List.of(coming)),
                pod -> !"slotwise-extender".equals(pod.getSpec().getSchedulerName()));
    }

    private void slice(String node, String... sizes) {
        StringBuilder devices = new StringBuilder();
        for (int i = 0; i < sizes.length; i++) {
            devices.append("{name: %s-%d, attributes: {size: {string: %s}}}, ".formatted(node, i, sizes[i]));
        }
        slices.add(yaml(
                ("{metadata: {name: %s}, spec: {driver: gpu.example.com, nodeName: %s, pool: {name: %s, "
                                + "generation: 1, resourceSliceCount: 1}, devices: [%s]}}")
                        .formatted(node, node, node, devices),
                ResourceSlice.class));
    }

    private static String asking(int count, String selector) {
        return ("{devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: %d, selectors: "
                        + "[{cel: {expression: \"%s\"}}]}}]}}")
                .formatted(count, selector);
    }

    private void template(String name, int count, String selector) {
        templates.add(yaml(
                "{metadata: {name: %s, namespace: user}, spec: {spec: %s}}".formatted(name, asking(count, selector)),
                ResourceClaimTemplate.class));
    }

    /**
     * A ResourceClaim that holds a device, or none if that is empty. The pod that it was reserved for does not exist.
     */
    private void claim(String name, int count, String device) {
        String status = device.isEmpty()
                ? "{}"
                : ("{allocation: {devices: {results: [{request: r, driver: gpu.example.com, pool: %s, "
                                + "device: %s}]}}, reservedFor: [{resource: pods, name: gone, uid: u}]}")
                        .formatted(device.substring(0, 2), device);
        claims.add(yaml(
                "{metadata: {name: %s, namespace: user}, spec: %s, status: %s}"
                        .formatted(name, asking(count, "true"), status),
                ResourceClaim.class));
    }

    private static Pod pod(String name, String claim, String of) {
        return with(member(name.substring(0, 1), name).build(), claim.formatted(of));
    }

    private static Pod with(Pod pod, String claim) {
        return new PodBuilder(pod)
                .editSpec()
                .addToResourceClaims(yaml(claim, PodResourceClaim.class))
                .endSpec()
                .build();
    }

    private static <T> T yaml(String text, Class<T> type) {
        return Serialization.unmarshal("---" + System.lineSeparator() + text, type);
    }
}
