package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Random devices of nodes, and pods that request some by ResourceClaims or as extended resources. Some devices are
 * allocated to residents, tainted, of an older generation or in an incomplete pool.
 */
final class RandomDevices {
    private static final String GPU = "gpu.example.com";
    private static final String NPU = "npu.example.com";

    private final SplittableRandom random;
    private final int number;
    /** True if all pools are complete. No pod can request all devices of an incomplete pool. */
    private final boolean isWhole;

    private final List<HasMetadata> objects = new ArrayList<>();
    private final List<Free> free = new ArrayList<>();
    private int claims;

    private record Free(String node, String driver, String pool, String name) {}

    RandomDevices(SplittableRandom random, int number) {
        this.random = random;
        this.number = number;
        this.isWhole = random.nextInt(3) > 0;
    }

    /** Classes, slices and ResourceClaims, in the order of their creation. */
    List<HasMetadata> objects() {
        return objects;
    }

    private boolean chance(double part) {
        return random.nextDouble() < part;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    void offer(List<Node> nodes, List<World.Resident> residents) {
        deviceClass("any", "device.driver.endsWith('.example.com')", null);
        deviceClass("gpu", "device.driver == '%s'".formatted(GPU), null);
        deviceClass("npu", "device.driver == '%s'".formatted(NPU), npuResource());
        for (Node node : nodes) {
            String name = node.getMetadata().getName();
            if (chance(0.75)) {
                pool(name, GPU, random.nextInt(1, 6));
            }
            if (chance(0.5)) {
                pool(name, NPU, random.nextInt(1, 4));
            }
        }
        List<Free> all = List.copyOf(free);
        for (Free device : all) {
            if (chance(0.25)) {
                free.remove(device);
                List<String> there = residents.stream()
                        .filter(one -> one.fate() == World.Fate.STAYS
                                && one.pod().getSpec().getNodeName().equals(device.node())
                                && one.pod().getMetadata().getNamespace().equals(RandomWorlds.NAMESPACES.getFirst()))
                        .map(one -> one.pod().getMetadata().getName())
                        .toList();
                allocated(
                        RandomWorlds.NAMESPACES.getFirst(),
                        List.of(device),
                        there.isEmpty() || chance(0.3) ? "gone" : one(there));
            }
        }
    }

    private String npuResource() {
        return "w%d.example.com/npu".formatted(number);
    }

    private String className(String name) {
        return "w%d-%s".formatted(number, name);
    }

    private void deviceClass(String name, String expression, @Nullable String resource) {
        objects.add(new DeviceClassBuilder()
                .withNewMetadata()
                .withName(className(name))
                .endMetadata()
                .withNewSpec()
                .withExtendedResourceName(resource)
                .addNewSelector()
                .withNewCel(expression)
                .endSelector()
                .endSpec()
                .build());
    }

    private void pool(String node, String driver, int size) {
        List<Device> devices = IntStream.range(0, size).mapToObj(i -> device(i)).toList();
        boolean isSplit = size > 1 && chance(0.2);
        boolean isTorn = !isWhole && chance(0.15);
        long slices = isSplit || isTorn ? 2 : 1;
        int cut = isSplit ? size / 2 : size;
        slice(node, driver, "a", 2, slices, devices.subList(0, cut));
        if (isSplit) {
            slice(node, driver, "b", 2, slices, devices.subList(cut, size));
        }
        if (chance(0.1)) {
            slice(node, driver, "old", 1, 1, List.of(device(9)));
        }
        if (!isTorn || isSplit) {
            devices.stream()
                    .filter(device -> device.getTaints().isEmpty())
                    .forEach(device -> free.add(new Free(node, driver, node, device.getName())));
        }
    }

    private void slice(String node, String driver, String suffix, long generation, long slices, List<Device> devices) {
        objects.add(new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("%s-%s-%s".formatted(node, driver, suffix))
                .endMetadata()
                .withNewSpec()
                .withDriver(driver)
                .withNodeName(node)
                .withNewPool(generation, node, slices)
                .withDevices(devices)
                .endSpec()
                .build());
    }

    private Device device(int index) {
        DeviceBuilder device = new DeviceBuilder()
                .withName("d" + index)
                .addToAttributes(
                        "model",
                        new io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder()
                                .withString(one(List.of("a", "b", "c")))
                                .build())
                .addToAttributes(
                        "index",
                        new io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder()
                                .withInt((long) index)
                                .build())
                .addToAttributes(
                        "ready",
                        new io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder()
                                .withBool(chance(0.7))
                                .build())
                .addToAttributes(
                        "firmware",
                        new io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder()
                                .withVersion(one(List.of("1.2.3", "1.10.0", "2.0.0-rc.1", "2.0.0")))
                                .build())
                .addToCapacity(
                        "memory",
                        new io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder()
                                .withValue(new Quantity(one(List.of("16Gi", "40Gi", "80Gi"))))
                                .build());
        if (chance(0.1)) {
            device.withTaints(new DeviceTaint(one(List.of("NoSchedule", "NoExecute")), "broken", null, null));
        }
        return device.build();
    }

    /** Lets a pod request what its kinds say. */
    void ask(Pod pod, Set<Kind> kinds) {
        if (kinds.contains(Kind.DEVICES)) {
            kinds.remove(Kind.DEVICES);
            devices(pod, kinds);
        }
        if (kinds.contains(Kind.SERVED_RESOURCES)) {
            served(pod);
        }
    }

    private void devices(Pod pod, Set<Kind> kinds) {
        if (chance(0.3) && !free.isEmpty()) {
            kinds.add(Kind.ALLOCATED_DEVICES);
            Free device = free.remove(random.nextInt(free.size()));
            refer(pod, allocated(pod.getMetadata().getNamespace(), List.of(device), chance(0.5) ? "gone" : "other"));
            if (chance(0.5)) {
                return;
            }
        }
        if (isWhole && chance(0.6)) {
            kinds.add(Kind.ALL_DEVICES);
            refer(pod, claim(pod.getMetadata().getNamespace(), List.of(request("r0", "All", 0, kinds))));
            return;
        }
        if (chance(0.03)) {
            // kube-scheduler does not look at a pod whose ResourceClaim is missing, so there is no answer.
            kinds.add(Kind.DEVICES);
            DeviceRequest odd = request("r0", "ExactCount", 1, EnumSet.noneOf(Kind.class));
            odd.getExactly().setDeviceClassName(className("missing"));
            refer(pod, claim(pod.getMetadata().getNamespace(), List.of(odd)));
            return;
        }
        kinds.add(Kind.DEVICES);
        int count = random.nextInt(1, 4);
        List<DeviceRequest> requests = IntStream.range(0, count)
                .mapToObj(i -> request("r" + i, "ExactCount", random.nextInt(1, 3), kinds))
                .toList();
        if (count > 1) {
            kinds.add(Kind.SEVERAL_REQUESTS);
        }
        if (chance(0.03)) {
            refer(pod, beyond(pod.getMetadata().getNamespace(), requests));
        } else if (count > 1 && chance(0.4)) {
            refer(pod, claim(pod.getMetadata().getNamespace(), requests.subList(0, 1)));
            refer(pod, claim(pod.getMetadata().getNamespace(), requests.subList(1, count)));
        } else {
            refer(pod, claim(pod.getMetadata().getNamespace(), requests));
        }
    }

    private DeviceRequest request(String name, String mode, long count, Set<Kind> kinds) {
        String deviceClass = one(List.of("any", "gpu", "gpu", "npu"));
        var exactly = new DeviceRequestBuilder()
                .withName(name)
                .withNewExactly()
                .withDeviceClassName(className(deviceClass))
                .withAllocationMode(mode)
                .withCount(mode.equals("All") ? null : count);
        if (chance(0.6)) {
            kinds.add(Kind.DEVICE_SELECTORS);
            exactly.addNewSelector()
                    .withNewCel(expression(
                            deviceClass.equals("any") ? one(List.of(GPU, NPU)) : deviceClass + ".example.com"))
                    .endSelector();
        }
        return exactly.endExactly().build();
    }

    /** An expression that fails for no device. */
    private String expression(String driver) {
        String attributes = "device.attributes['%s']".formatted(driver);
        String capacity = "device.capacity['%s']".formatted(driver);
        String condition = switch (random.nextInt(9)) {
            case 0 -> attributes + ".model == '%s'".formatted(one(List.of("a", "b", "c")));
            case 1 -> attributes + ".model != 'a' && " + attributes + ".ready";
            case 2 -> attributes + ".index < %d".formatted(random.nextInt(1, 4));
            case 3 ->
                capacity + ".memory.compareTo(quantity('%s')) >= 0".formatted(one(List.of("20Gi", "40Gi", "64G")));
            case 4 -> capacity + ".memory.isLessThan(quantity('41Gi')) || " + attributes + ".model in ['a', 'c']";
            case 5 ->
                attributes
                        + ".firmware.%s(semver('%s'))"
                                .formatted(
                                        one(List.of("isGreaterThan", "isLessThan")),
                                        one(List.of("1.9.9", "2.0.0-rc.2")));
            case 6 -> "cel.bind(own, %s, own.ready ? own.index %% 2 == 0 : own.model == 'b')".formatted(attributes);
            case 7 -> "!has(%s.colour) && 'nowhere.example.com' in device.attributes == false".formatted(attributes);
            default -> "['a', 'b'].exists(model, model == %s.model)".formatted(attributes);
        };
        return "device.driver == '%s' && (%s)".formatted(driver, condition);
    }

    private String claim(String namespace, List<DeviceRequest> requests) {
        return add(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("c%d-%d".formatted(number, claims++))
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .endDevices()
                .endSpec()
                .build());
    }

    /** A ResourceClaim with a part that is refused by name. */
    private String beyond(String namespace, List<DeviceRequest> requests) {
        return add(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("c%d-%d".formatted(number, claims++))
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .addNewConstraint()
                .withMatchAttribute("example.com/model")
                .endConstraint()
                .endDevices()
                .endSpec()
                .build());
    }

    private String allocated(String namespace, List<Free> devices, String user) {
        List<DeviceRequestAllocationResult> results = devices.stream()
                .map(device -> new DeviceRequestAllocationResultBuilder()
                        .withRequest("r0")
                        .withDriver(device.driver())
                        .withPool(device.pool())
                        .withDevice(device.name())
                        .build())
                .toList();
        return add(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("c%d-%d".formatted(number, claims++))
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName("r0")
                .withNewExactly()
                .withDeviceClassName(className("any"))
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .withNewStatus()
                .withNewAllocation()
                .withNewDevices()
                .withResults(results)
                .endDevices()
                .withNodeSelector(new NodeSelectorBuilder()
                        .addNewNodeSelectorTerm()
                        .addToMatchFields(new NodeSelectorRequirement(
                                "metadata.name",
                                "In",
                                List.of(devices.getFirst().node())))
                        .endNodeSelectorTerm()
                        .build())
                .endAllocation()
                .addNewReservedFor("", user, "pods", user)
                .endStatus()
                .build());
    }

    private String add(ResourceClaim claim) {
        objects.add(claim);
        return claim.getMetadata().getName();
    }

    private static void refer(Pod pod, String claim) {
        pod.getSpec()
                .getResourceClaims()
                .add(new PodResourceClaimBuilder()
                        .withName("c" + pod.getSpec().getResourceClaims().size())
                        .withResourceClaimName(claim)
                        .build());
    }

    private void served(Pod pod) {
        String resource = one(List.of(
                npuResource(),
                "deviceclass.resource.kubernetes.io/" + className("gpu"),
                "deviceclass.resource.kubernetes.io/" + className("any")));
        Quantity count = new Quantity(String.valueOf(random.nextInt(1, 5)));
        ResourceRequirements asked = pod.getSpec().getContainers().getFirst().getResources();
        Map<String, Quantity> limits = new LinkedHashMap<>();
        if (asked != null && asked.getLimits() != null) {
            limits.putAll(asked.getLimits());
        }
        limits.put(resource, count);
        Map<String, Quantity> requests = new HashMap<>();
        if (asked != null && asked.getRequests() != null) {
            requests.putAll(asked.getRequests());
        }
        requests.put(resource, count);
        pod.getSpec()
                .getContainers()
                .getFirst()
                .setResources(new ResourceRequirementsBuilder()
                        .withLimits(limits)
                        .withRequests(requests)
                        .build());
    }
}
