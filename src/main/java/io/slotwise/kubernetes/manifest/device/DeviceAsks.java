package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForDevice.DeviceClaimState;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The requests of pods for devices, by claims and by extended resources. Used for one intake. */
final class DeviceAsks {
    private final OptionalObjects objects;
    private final DeviceClaims claims;
    private final DeviceSets sets;
    /** Tells whether Slotwise itself binds a pod. */
    private final Predicate<Pod> direct;

    private final QuantityAmounts amounts;
    private final Map<String, DeviceClass> classes = new HashMap<>();
    /** The DeviceClass that serves each extended resource. */
    private final Map<String, DeviceClass> serving = new HashMap<>();

    /**
     * A request for devices.
     *
     * @param count the number of devices; {@link DeviceSets#ALL} for all
     * @param served whether the request is for an extended resource
     */
    record Ask(String claim, DeviceSets.Kind kind, long count, boolean served) {}

    /**
     * The requests of a pod, or why they cannot be met.
     *
     * @param isPromised whether the pod has a placement in a promise, so that its requests come first
     */
    record Asking(
            String pod,
            boolean isPromised,
            List<DeviceClaims.Use> uses,
            List<Ask> asks,
            @Nullable Refusal refusal) {
        /**
         * Returns the key of the pods whose device sets are counted together: the pod's namespace, or one key for all
         * pods with promises.
         */
        String group() {
            return isPromised ? DeviceSets.PROMISED : pod.substring(0, pod.indexOf('/'));
        }
    }

    DeviceAsks(
            OptionalObjects objects,
            DeviceClaims claims,
            DeviceSets sets,
            Predicate<Pod> direct,
            QuantityAmounts amounts) {
        this.objects = objects;
        this.claims = claims;
        this.sets = sets;
        this.direct = direct;
        this.amounts = amounts;
        objects.of(DeviceClass.class)
                .forEach(deviceClass -> classes.put(deviceClass.getMetadata().getName(), deviceClass));
        objects.of(DeviceClass.class).stream()
                .sorted(Comparator.comparing(DeviceAsks::age)
                        .thenComparing(deviceClass -> deviceClass.getMetadata().getName(), Comparator.reverseOrder()))
                .forEach(deviceClass -> {
                    serving.put(
                            DeviceRoom.CLASS_PREFIX + deviceClass.getMetadata().getName(), deviceClass);
                    String resource = deviceClass.getSpec() == null
                            ? null
                            : deviceClass.getSpec().getExtendedResourceName();
                    if (resource != null && resource.indexOf('/') > 0) {
                        serving.put(resource, deviceClass);
                    }
                });
    }

    /**
     * Returns the creation timestamp, empty if unknown. Classes are sorted by it because the newest of the classes that
     * serve a resource counts, and among equally old ones the first by name.
     */
    private static String age(DeviceClass deviceClass) {
        String created = deviceClass.getMetadata().getCreationTimestamp();
        return created == null ? "" : created;
    }

    /** Returns whether a pod requests devices, by a claim or by an extended resource. O(containers). */
    boolean areOf(Pod pod) {
        return areOf(pod, serving.keySet());
    }

    /**
     * Returns whether a pod requests devices, by a claim or by an extended resource. O(containers).
     *
     * @param served the extended resources that devices serve
     */
    static boolean areOf(Pod pod, Set<String> served) {
        return DeviceClaims.areOf(pod)
                || (!served.isEmpty()
                        && containers(pod.getSpec()).anyMatch(container -> asksForServed(container, served)));
    }

    private static Stream<Container> containers(@Nullable PodSpec spec) {
        return spec == null
                ? Stream.empty()
                : Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream());
    }

    private static boolean asksForServed(Container container, Set<String> served) {
        ResourceRequirements resources = container.getResources();
        return resources != null
                && Stream.of(resources.getRequests(), resources.getLimits())
                        .filter(Objects::nonNull)
                        .flatMap(amount -> amount.keySet().stream())
                        .anyMatch(served::contains);
    }

    /**
     * @param promisedNodes the nodes that a promise may give to the pod; empty without one
     */
    Asking read(Pod pod, Set<String> promisedNodes) {
        boolean isPromised = !promisedNodes.isEmpty();
        List<DeviceClaims.Use> uses = claims.uses(pod);
        List<Ask> asks = new ArrayList<>();
        for (DeviceClaims.Use use : uses) {
            Refusal refusal = claims.obstacle(pod, use);
            if (refusal == null && use.allocation() == null && use.spec() != null) {
                refusal = read(pod, use.claim(), use.spec(), asks);
            }
            if (refusal != null) {
                return new Asking(Pods.name(pod), isPromised, uses, List.of(), refusal);
            }
        }
        Refusal refusal = readServed(pod, promisedNodes, asks);
        Ask unreportedAsk = null;
        for (int i = 0; i < asks.size() && refusal == null; i++) {
            Ask ask = asks.get(i);
            DeviceSets.Kind kind = sets.known(pod, promisedNodes, ask.kind(), ask.claim());
            if (kind == null) {
                refusal = outOfSteps(pod, ask.claim());
            } else {
                asks.set(i, new Ask(ask.claim(), kind, ask.count(), ask.served()));
                unreportedAsk = unreportedAsk == null && !kind.unreported().isEmpty() ? asks.get(i) : unreportedAsk;
            }
        }
        if (unreportedAsk != null && refusal == null) {
            DeviceSets.Kind kind = unreportedAsk.kind();
            asks.replaceAll(ask -> new Ask(ask.claim(), kind, 0, ask.served()));
            asks.set(
                    0,
                    new Ask(
                            asks.getFirst().claim(),
                            kind,
                            DeviceSets.ALL,
                            asks.getFirst().served()));
        }
        if (!asks.isEmpty() && !objects.knows(ResourceSlice.class)) {
            claims.miss(pod, "ResourceSlice", "(any)");
        }
        return new Asking(Pods.name(pod), isPromised, uses, refusal == null ? List.copyOf(asks) : List.of(), refusal);
    }

    /** Reads the requests of a claim. Returns why they cannot be met, or null. */
    private @Nullable Refusal read(Pod pod, String claim, DeviceClaim spec, List<Ask> asks) {
        String feature = spec.getConstraints().isEmpty() ? extra(spec.getAdditionalProperties()) : "constraints";
        if (feature != null) {
            return new Refusal.UnplannedDevice(Pods.name(pod), claim, feature);
        }
        long sum = 0;
        for (DeviceRequest request : spec.getRequests()) {
            ExactDeviceRequest exactly = request.getExactly();
            feature = beyond(request);
            if (feature != null || exactly == null) {
                return new Refusal.UnplannedDevice(Pods.name(pod), claim, String.valueOf(feature));
            }
            DeviceClass of = classes.get(String.valueOf(exactly.getDeviceClassName()));
            if (of == null && objects.knows(DeviceClass.class)) {
                return DeviceClaims.refusal(
                        pod, claim, DeviceClaimState.NO_CLASS, String.valueOf(exactly.getDeviceClassName()));
            }
            if (of == null) {
                claims.miss(pod, "DeviceClass", String.valueOf(exactly.getDeviceClassName()));
            }
            boolean isAll = "All".equals(exactly.getAllocationMode());
            long count = exactly.getCount() == null ? 1 : exactly.getCount();
            sum += isAll ? 1 : Math.min(count, DeviceSets.MOST_DEVICES + 1L);
            if (sum > DeviceSets.MOST_DEVICES) {
                return DeviceClaims.refusal(
                        pod, claim, DeviceClaimState.TOO_MANY, String.valueOf(Math.max(sum, count)));
            }
            asks.add(new Ask(
                    claim,
                    kind(String.valueOf(exactly.getDeviceClassName()), of, exactly.getSelectors()),
                    isAll ? DeviceSets.ALL : count,
                    false));
        }
        return null;
    }

    /** Returns the feature of a request that is not planned, or null. */
    private static @Nullable String beyond(DeviceRequest request) {
        ExactDeviceRequest exactly = request.getExactly();
        if (exactly == null) {
            return request.getFirstAvailable().isEmpty() ? "a request of another kind than exactly" : "firstAvailable";
        }
        if (Boolean.TRUE.equals(exactly.getAdminAccess())) {
            return "adminAccess";
        }
        if (!exactly.getTolerations().isEmpty()) {
            return "tolerations of a request";
        }
        if (exactly.getCapacity() != null) {
            return "capacity of a request";
        }
        String mode = exactly.getAllocationMode();
        if (mode != null && !mode.isEmpty() && !mode.equals("All") && !mode.equals("ExactCount")) {
            return "allocationMode " + mode;
        }
        if (exactly.getCount() != null && exactly.getCount() <= 0 && !"All".equals(mode)) {
            return "a count that is not positive";
        }
        return areOfCel(exactly.getSelectors())
                ? extra(exactly.getAdditionalProperties())
                : "a selector of another kind than cel";
    }

    private static boolean areOfCel(List<DeviceSelector> selectors) {
        return selectors.stream()
                .allMatch(selector ->
                        selector.getCel() != null && selector.getCel().getExpression() != null);
    }

    /**
     * Returns a field that this version of Slotwise does not know, or null. Such a field could change the meaning of
     * the request, so the request is not planned.
     */
    private static @Nullable String extra(@Nullable Map<String, Object> more) {
        return more == null || more.isEmpty() ? null : new TreeSet<>(more.keySet()).first();
    }

    private static DeviceSets.Kind kind(String name, @Nullable DeviceClass of, List<DeviceSelector> own) {
        List<DeviceSelector> ofClass =
                of == null || of.getSpec() == null ? List.of() : of.getSpec().getSelectors();
        return new DeviceSets.Kind(name, expressions(ofClass), expressions(own));
    }

    private static List<String> expressions(List<DeviceSelector> selectors) {
        return selectors.stream()
                .map(selector -> selector.getCel() == null
                        ? ""
                        : String.valueOf(selector.getCel().getExpression()))
                .toList();
    }

    /** Reads the requests for extended resources that classes serve. Returns why they cannot be met, or null. */
    private @Nullable Refusal readServed(Pod pod, Set<String> promisedNodes, List<Ask> asks) {
        if (serving.isEmpty()
                || containers(pod.getSpec()).noneMatch(container -> asksForServed(container, serving.keySet()))) {
            return null;
        }
        SortedMap<String, Long> asked = PodResources.of(pod.getSpec(), amounts).asMap();
        long sum = 0;
        for (Map.Entry<String, Long> entry : asked.entrySet()) {
            String resource = entry.getKey();
            DeviceClass of = serving.get(resource);
            if (of == null || (sets.isOfNodes(resource) && direct.test(pod))) {
                continue;
            }
            DeviceSets.Kind kind = kind(of.getMetadata().getName(), of, List.of());
            DeviceSets.Kind knownKind = sets.known(pod, promisedNodes, kind, resource);
            if (knownKind == null) {
                return outOfSteps(pod, resource);
            }
            if (sets.isOfNodes(resource) && sets.isEmpty(knownKind)) {
                continue;
            }
            if (sets.isOfNodes(resource)) {
                return new Refusal.UnplannedDevice(
                        Pods.name(pod),
                        resource,
                        "some nodes have it from a device plugin, others by dynamic allocation");
            }
            if (direct.test(pod)) {
                return new Refusal.UnplannedDevice(
                        Pods.name(pod),
                        resource,
                        "DeviceClass %s serves it, which needs kube-scheduler"
                                .formatted(of.getMetadata().getName()));
            }
            sum += entry.getValue();
            if (entry.getValue() > DeviceSets.MOST_DEVICES || sum > DeviceSets.MOST_DEVICES) {
                return DeviceClaims.refusal(pod, resource, DeviceClaimState.TOO_MANY, String.valueOf(sum));
            }
            // If the devices are allocated already, their claim holds them, and the pod requests no more.
            long left = claims.hasServed(pod) ? 0 : entry.getValue();
            asks.add(new Ask(resource, kind, left, true));
        }
        return null;
    }

    private static Refusal outOfSteps(Pod pod, String claim) {
        return DeviceClaims.refusal(
                pod,
                claim,
                DeviceClaimState.SELECTOR,
                "the selectors of its namespace take more than %,d steps in one cycle, which goes on in the next one"
                        .formatted(DeviceSelectors.MOST_STEPS));
    }

    /** Returns why the requests cannot be met on any node, or null. */
    @Nullable
    Refusal refused(Asking asking) {
        if (asking.refusal() != null || !objects.knows(ResourceSlice.class)) {
            return asking.refusal();
        }
        for (Ask ask : asking.asks()) {
            DeviceSets.Selected selected = sets.selected(ask.kind());
            if (selected.problem() != null) {
                return new Refusal.WaitingForDevice(
                        asking.pod(), ask.claim(), DeviceClaimState.SELECTOR, selected.problem());
            }
            if (selected.beyond() != null) {
                return new Refusal.UnplannedDevice(asking.pod(), ask.claim(), selected.beyond());
            }
        }
        for (Ask ask : asking.asks()) {
            BitSet any = sets.selected(ask.kind()).any();
            if (ask.count() == DeviceSets.ALL
                    && asking.asks().stream()
                            .anyMatch(other -> !other.equals(ask)
                                    && other.count() != 0
                                    && sets.selected(other.kind()).any().intersects(any))) {
                return new Refusal.UnplannedDevice(
                        asking.pod(), ask.claim(), "all devices together with another request for some of them");
            }
        }
        return null;
    }
}
