package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForDevice.DeviceClaimState;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the device claims of pods mean for where and when they can run, with the meaning that kube-scheduler's
 * DynamicResources gives them. Scratch of one run.
 *
 * <p>A request takes a number of the devices that the CEL expressions of its class and its own select. Which requests
 * can be met together on a node is Hall's condition: for every union of selected sets, those that select within it ask
 * for no more than it has there. Each union of overlapping sets is a {@link Place} of the nodes; where sets are equal
 * or apart, there is one place for each of them. Devices that are allocated already are counted one by one. A request
 * for all devices has those that it selects to itself.
 *
 * <ul>
 *   <li>A claim that has been given devices leaves the nodes that its allocation allows. Its devices are held by the
 *       pod that uses it, or until the last of several has ended.
 *   <li>A claim without devices that several pods have is a rule: they are on one node, and those of one gang count
 *       once.
 *   <li>An extended resource that a class serves is a request for devices of this class where no node has an amount of
 *       it.
 * </ul>
 *
 * <p>With p pods, c claims, d devices, v nodes and s sets it takes O(p) where no waiting pod asks for devices, else O(p
 * + c + s (d + v)), and an expression is evaluated once for each device of the nodes: those of pods with a promise
 * first, the others as far as the namespace of the first pod that asks has steps left in this cycle.
 *
 * <p>Source: P. Hall, "On Representatives of Subsets", Journal of the London Mathematical Society, 1935, theorem 1.
 */
public final class PodDevices {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String SERVING_CLAIM = "resource.kubernetes.io/extended-resource-claim";
    private static final String CLAIM_OF_POD = "resource.kubernetes.io/pod-claim-name";
    /** Devices of one claim, by its API. */
    private static final int MOST_DEVICES = 32;
    /** Pods that use one claim, by its API. */
    private static final int MOST_USERS = 256;

    private static final int MOST_SETS = 64;
    /** What pods with a promise are of instead of a namespace. */
    private static final String PROMISED = "";

    private static final long ALL = -1;

    private final DeviceObjects objects;
    private final DeviceSelectors.Cycle selectors;
    /** What pods may use of nodes, by name. */
    private final Map<String, Resources> nodes;

    /** Whether Slotwise itself binds a pod. */
    private final Predicate<Pod> direct;

    private final QuantityAmounts amounts;
    private final Map<String, ResourceClaim> claims = new HashMap<>();
    /** Claims that were made for pods, by the pod's UID and its name for the claim. */
    private final Map<String, ResourceClaim> generated = new HashMap<>();

    /**
     * The UIDs of pods to which kube-scheduler has given devices that serve extended resources, by a claim that it
     * makes itself.
     */
    private final Set<String> given = new HashSet<>();

    private final Map<String, ResourceClaimTemplate> templates = new HashMap<>();
    private final Map<String, DeviceClass> classes = new HashMap<>();
    /** By extended resource. */
    private final Map<String, DeviceClass> serving = new HashMap<>();

    private NodeDevices devices = new NodeDevices(List.of());
    private List<Device> all = List.of();
    private final Map<String, Asking> known = new HashMap<>();
    private final Map<Kind, Selected> selected = new HashMap<>();

    /** The unions of overlapping sets of devices that are asked for, by name. */
    private final SortedMap<String, BitSet> unions = new TreeMap<>();
    /** The sets of which a request asks for all devices, by name. */
    private final SortedMap<String, Selected> wholes = new TreeMap<>();

    private final PodFindings missing = new PodFindings();
    /** Namespaces whose sets overlap in more combinations than are left. */
    private final Set<String> crowded = new HashSet<>();

    private final Map<String, Map<String, Long>> limits = new TreeMap<>();

    /** The devices that a pod holds by claims, by its name. */
    private final Map<String, BitSet> held = new HashMap<>();
    /** Claims that several pods have, and their pods. */
    private final Map<String, Sharing> shared = new HashMap<>();
    /** All devices that claims hold. */
    private final BitSet allocated = new BitSet();
    /** Claims whose devices no single pod holds. */
    private final List<Apart> apart = new ArrayList<>();

    /**
     * A device claim of a pod.
     *
     * @param claim {@code namespace/name}, or what the pod calls it
     * @param object null: it is not there
     * @param spec what is asked for; null: not known
     * @param ofPod whether it is made for the pod
     * @param template {@code namespace/name} of what it is made from; null: of nothing
     * @param beyond what of it is not planned; null: nothing
     */
    private record Use(
            String claim,
            @Nullable ResourceClaim object,
            @Nullable DeviceClaim spec,
            boolean ofPod,
            @Nullable String template,
            @Nullable String beyond) {
        private @Nullable AllocationResult allocation() {
            return object == null || object.getStatus() == null
                    ? null
                    : object.getStatus().getAllocation();
        }
    }

    /**
     * Which devices a request means.
     *
     * @param className of the class
     * @param ofClass its expressions
     * @param own those of the request
     */
    private record Kind(String className, List<String> ofClass, List<String> own) {
        private String words() {
            return "devices of class " + SafeText.value(className)
                    + own.stream()
                            .map(SafeText::value)
                            .collect(Collectors.joining(" and ", own.isEmpty() ? "" : " where ", ""));
        }

        private List<String> expressions() {
            return Stream.concat(ofClass.stream(), own.stream()).toList();
        }
    }

    /**
     * What a pod asks for.
     *
     * @param claim by which
     * @param kind which devices
     * @param count how many; {@link #ALL}: all that there are
     * @param served whether it is an extended resource
     */
    private record Ask(String claim, Kind kind, long count, boolean served) {}

    /**
     * What a pod asks for, or why it cannot be had.
     *
     * @param isPromised whether a promise has a seat for it, so that it is asked for before all others
     */
    private record Asking(
            String pod,
            boolean isPromised,
            List<Use> uses,
            List<Ask> asks,
            @Nullable Refusal obstacle) {
        /** Those whose sets are counted together: of a namespace, or with promises. */
        private String group() {
            return isPromised ? PROMISED : pod.substring(0, pod.indexOf('/'));
        }
    }

    /**
     * The devices of a kind.
     *
     * @param any whatever taints they have
     * @param free of taints
     * @param problem why it cannot be told which; null: it can
     * @param beyond what of them is not planned; null: nothing
     */
    private record Selected(
            BitSet any,
            BitSet free,
            @Nullable String problem,
            @Nullable String beyond) {}

    /**
     * The pods that have a claim together.
     *
     * @param pods by name
     * @param carriers the first pod of each gang
     */
    private record Sharing(List<Pod> pods, Set<String> carriers) {}

    /**
     * A claim whose devices are held for several pods, or for none that is there.
     *
     * @param users the pods that have it and have not ended
     * @param left when the last of those had ended that had it, seconds since the epoch; empty: no pod says so
     */
    private record Apart(String claim, BitSet devices, Set<String> users, OptionalLong left) {}

    /**
     * Looks at what waits.
     *
     * @param objects what is known of devices
     * @param selectors which devices expressions select
     * @param nodes what pods may use of them, by name
     * @param direct whether Slotwise itself binds a pod
     */
    public PodDevices(
            DeviceObjects objects,
            DeviceSelectors selectors,
            Map<String, Resources> nodes,
            Predicate<Pod> direct,
            QuantityAmounts amounts) {
        this.objects = objects;
        this.selectors = selectors.new Cycle();
        this.nodes = nodes;
        this.direct = direct;
        this.amounts = amounts;
        objects.classes().forEach(one -> classes.put(one.getMetadata().getName(), one));
        objects.classes().stream()
                .sorted(Comparator.comparing(PodDevices::age)
                        .thenComparing(one -> one.getMetadata().getName(), Comparator.reverseOrder()))
                .forEach(one -> {
                    serving.put(DeviceObjects.CLASS_PREFIX + one.getMetadata().getName(), one);
                    String resource =
                            one.getSpec() == null ? null : one.getSpec().getExtendedResourceName();
                    if (resource != null && resource.indexOf('/') > 0) {
                        serving.put(resource, one);
                    }
                });
    }

    /** Of two classes that serve one resource the newer one does, of equally old ones the first by name. */
    private static String age(DeviceClass one) {
        String made = one.getMetadata().getCreationTimestamp();
        return made == null ? "" : made;
    }

    /**
     * Looks at what waits.
     *
     * @param pods all
     * @param waiting those of ours without a node that are not over
     * @param gangOf the gang of each
     * @param isPromised whether a promise has a seat for a pod that waits: what it asks for is always found out and
     *     counted
     */
    public void look(
            Collection<Pod> pods, Collection<Pod> waiting, Function<Pod, GangId> gangOf, Predicate<Pod> isPromised) {
        List<Pod> askers = waiting.stream()
                .filter(pod -> Isolated.get(() -> asks(pod, serving.keySet()), _ -> false))
                .sorted(Comparator.comparing(pod -> !isPromised.test(pod)))
                .toList();
        if (askers.isEmpty()) {
            return;
        }
        index();
        askers.forEach(pod -> known.put(
                Pods.name(pod),
                Isolated.get(
                        () -> read(pod, isPromised.test(pod)),
                        error -> new Asking(
                                Pods.name(pod),
                                isPromised.test(pod),
                                List.of(),
                                List.of(),
                                Refusal.Failed.by(error)))));
        gather();
        share(pods, gangOf);
    }

    /**
     * Whether a pod asks for devices, by a claim or by an extended resource. O(containers).
     *
     * @param served the extended resources that devices serve
     */
    static boolean asks(Pod pod, Set<String> served) {
        return hasClaims(pod)
                || (!served.isEmpty()
                        && containers(pod.getSpec()).anyMatch(container -> asksForServed(container, served)));
    }

    private static boolean hasClaims(Pod pod) {
        return pod.getSpec() != null && !pod.getSpec().getResourceClaims().isEmpty();
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

    /** Names the objects, once a caller asks for devices. */
    private void index() {
        objects.claims().forEach(claim -> {
            claims.put(name(claim), claim);
            String ofPod = Annotations.find(claim, CLAIM_OF_POD);
            boolean serves = "true".equals(Annotations.find(claim, SERVING_CLAIM))
                    && claim.getStatus() != null
                    && claim.getStatus().getAllocation() != null;
            claim.getMetadata().getOwnerReferences().stream()
                    .filter(owner -> "Pod".equals(owner.getKind()))
                    .map(owner -> String.valueOf(owner.getUid()))
                    .forEach(owner -> {
                        if (ofPod != null) {
                            generated.put(owner + "/" + ofPod, claim);
                        }
                        if (serves) {
                            given.add(owner);
                        }
                    });
        });
        objects.templates().forEach(template -> templates.put(name(template), template));
        devices = new NodeDevices(objects.slices().stream()
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList());
        all = devices.all();
    }

    private Asking read(Pod pod, boolean isPromised) {
        List<Use> uses = uses(pod);
        List<Ask> asks = new ArrayList<>();
        for (Use use : uses) {
            Refusal obstacle = obstacle(pod, use);
            if (obstacle == null && use.allocation() == null && use.spec() != null) {
                obstacle = read(pod, use.claim(), use.spec(), asks);
            }
            if (obstacle != null) {
                return new Asking(Pods.name(pod), isPromised, uses, List.of(), obstacle);
            }
        }
        Refusal obstacle = readServed(pod, isPromised, asks);
        for (Ask ask : asks) {
            if (obstacle == null && !isSelected(pod, isPromised, ask.kind())) {
                obstacle = outOfSteps(pod, ask.claim());
            }
        }
        if (!asks.isEmpty() && !objects.knows(DeviceObjects.Kind.SLICES)) {
            miss(pod, "ResourceSlice", "(any)");
        }
        return new Asking(Pods.name(pod), isPromised, uses, obstacle == null ? List.copyOf(asks) : List.of(), obstacle);
    }

    private List<Use> uses(Pod pod) {
        Map<String, Use> uses = new LinkedHashMap<>();
        String namespace = pod.getMetadata().getNamespace();
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            Use use;
            if (reference.getResourceClaimName() != null) {
                String name = namespace + "/" + reference.getResourceClaimName();
                ResourceClaim object = claims.get(name);
                use = new Use(name, object, spec(object), false, null, null);
            } else if (reference.getResourceClaimTemplateName() != null) {
                use = made(pod, reference);
            } else {
                use = new Use(
                        namespace + "/" + reference.getName(),
                        null,
                        null,
                        false,
                        null,
                        "a claim that is not the pod's own");
            }
            if (use != null) {
                uses.putIfAbsent(use.claim(), use);
            }
        }
        return List.copyOf(uses.values());
    }

    /** A claim that is made for the pod; null: it has been found that it needs none. */
    private @Nullable Use made(Pod pod, PodResourceClaim reference) {
        String namespace = pod.getMetadata().getNamespace();
        PodResourceClaimStatus status = pod.getStatus() == null
                ? null
                : pod.getStatus().getResourceClaimStatuses().stream()
                        .filter(one -> Objects.equals(reference.getName(), one.getName()))
                        .findFirst()
                        .orElse(null);
        if (status != null && status.getResourceClaimName() == null) {
            return null;
        }
        ResourceClaim object = status == null
                ? generated.get(pod.getMetadata().getUid() + "/" + reference.getName())
                : claims.get(namespace + "/" + status.getResourceClaimName());
        String template = namespace + "/" + reference.getResourceClaimTemplateName();
        ResourceClaimTemplate from = templates.get(template);
        DeviceClaim spec = object != null
                ? spec(object)
                : from == null || from.getSpec() == null || from.getSpec().getSpec() == null
                        ? null
                        : from.getSpec().getSpec().getDevices();
        String name = object != null
                ? name(object)
                : status == null
                        ? Pods.name(pod) + "-" + reference.getName()
                        : namespace + "/" + status.getResourceClaimName();
        return new Use(name, object, spec, true, template, null);
    }

    private static @Nullable DeviceClaim spec(@Nullable ResourceClaim claim) {
        return claim == null || claim.getSpec() == null ? null : claim.getSpec().getDevices();
    }

    private @Nullable Refusal obstacle(Pod pod, Use use) {
        ResourceClaim object = use.object();
        if (object == null) {
            return absent(pod, use);
        }
        if (object.getMetadata().getDeletionTimestamp() != null) {
            return refusal(pod, use.claim(), DeviceClaimState.DELETING, "");
        }
        if (use.ofPod() && !isOwned(object, pod)) {
            return refusal(pod, use.claim(), DeviceClaimState.FOREIGN, "");
        }
        List<ResourceClaimConsumerReference> users =
                object.getStatus() == null ? List.of() : object.getStatus().getReservedFor();
        boolean isFull = users.size() >= MOST_USERS
                && users.stream()
                        .noneMatch(user ->
                                Objects.equals(user.getUid(), pod.getMetadata().getUid()));
        return use.allocation() != null && isFull
                ? refusal(pod, use.claim(), DeviceClaimState.IN_USE, String.valueOf(users.size()))
                : null;
    }

    private @Nullable Refusal absent(Pod pod, Use use) {
        String template = use.template();
        if (template != null) {
            if (use.spec() != null) {
                return null;
            }
            if (objects.knows(DeviceObjects.Kind.TEMPLATES)) {
                return refusal(pod, use.claim(), DeviceClaimState.NO_TEMPLATE, template);
            }
            miss(pod, "ResourceClaimTemplate", template);
            return null;
        }
        if (use.beyond() != null) {
            return new Refusal.UnplannedDevice(Pods.name(pod), use.claim(), use.beyond());
        }
        if (objects.knows(DeviceObjects.Kind.CLAIMS)) {
            return refusal(pod, use.claim(), DeviceClaimState.MISSING, "");
        }
        miss(pod, "ResourceClaim", use.claim());
        return null;
    }

    private void miss(Pod pod, String kind, String name) {
        missing.add(
                Finding.missing(
                        kind,
                        SafeText.value(name),
                        "spec.resourceClaims",
                        "every node counts as having the devices of the pods"),
                pod);
    }

    /** What waiting pods name that is not there, where nothing of its kind is known. */
    public PodFindings missing() {
        return missing;
    }

    private static boolean isOwned(ResourceClaim claim, Pod pod) {
        String uid = pod.getMetadata().getUid();
        return uid == null
                || claim.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    private static Refusal refusal(Pod pod, String claim, DeviceClaimState state, String other) {
        return new Refusal.WaitingForDevice(Pods.name(pod), claim, state, other);
    }

    /** Reads the requests of a claim; the answer is why they cannot be met, null if they may be. */
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
            if (of == null && objects.knows(DeviceObjects.Kind.CLASSES)) {
                return refusal(pod, claim, DeviceClaimState.NO_CLASS, String.valueOf(exactly.getDeviceClassName()));
            }
            if (of == null) {
                miss(pod, "DeviceClass", String.valueOf(exactly.getDeviceClassName()));
            }
            boolean isAll = "All".equals(exactly.getAllocationMode());
            long count = exactly.getCount() == null ? 1 : exactly.getCount();
            sum += isAll ? 1 : Math.min(count, MOST_DEVICES + 1L);
            if (sum > MOST_DEVICES) {
                return refusal(pod, claim, DeviceClaimState.TOO_MANY, String.valueOf(Math.max(sum, count)));
            }
            asks.add(new Ask(
                    claim,
                    kind(String.valueOf(exactly.getDeviceClassName()), of, exactly.getSelectors()),
                    isAll ? ALL : count,
                    false));
        }
        return null;
    }

    /** What of a request is not planned; null: nothing. */
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

    /** A field that was unknown when this was written may say anything. */
    private static @Nullable String extra(@Nullable Map<String, Object> more) {
        return more == null || more.isEmpty() ? null : new TreeSet<>(more.keySet()).first();
    }

    private static Kind kind(String name, @Nullable DeviceClass of, List<DeviceSelector> own) {
        List<DeviceSelector> ofClass =
                of == null || of.getSpec() == null ? List.of() : of.getSpec().getSelectors();
        return new Kind(name, expressions(ofClass), expressions(own));
    }

    private static List<String> expressions(List<DeviceSelector> selectors) {
        return selectors.stream()
                .map(selector -> selector.getCel() == null
                        ? ""
                        : String.valueOf(selector.getCel().getExpression()))
                .toList();
    }

    /** Extended resources that classes serve; the answer is why they cannot be had. */
    private @Nullable Refusal readServed(Pod pod, boolean isPromised, List<Ask> asks) {
        if (serving.isEmpty()
                || containers(pod.getSpec()).noneMatch(container -> asksForServed(container, serving.keySet()))) {
            return null;
        }
        SortedMap<String, Long> asked = PodResources.of(pod.getSpec(), amounts).asMap();
        long sum = 0;
        for (Map.Entry<String, Long> one : asked.entrySet()) {
            String resource = one.getKey();
            DeviceClass of = serving.get(resource);
            if (of == null || (isOfNodes(resource) && direct.test(pod))) {
                continue;
            }
            Kind kind = kind(of.getMetadata().getName(), of, List.of());
            if (!isSelected(pod, isPromised, kind)) {
                return outOfSteps(pod, resource);
            }
            if (isOfNodes(resource) && isEmpty(kind)) {
                continue;
            }
            if (isOfNodes(resource)) {
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
            sum += one.getValue();
            if (one.getValue() > MOST_DEVICES || sum > MOST_DEVICES) {
                return refusal(pod, resource, DeviceClaimState.TOO_MANY, String.valueOf(sum));
            }
            // What it has been given is held by the claim.
            long left = given.contains(String.valueOf(pod.getMetadata().getUid())) ? 0 : one.getValue();
            asks.add(new Ask(resource, kind, left, true));
        }
        return null;
    }

    /** Whether a node has an amount of an extended resource, as from a device plugin. */
    private boolean isOfNodes(String resource) {
        return nodes.values().stream().anyMatch(allocatable -> allocatable.get(resource) > 0);
    }

    private boolean isEmpty(Kind kind) {
        Selected those = selected(kind);
        return those.problem() == null && those.any().isEmpty();
    }

    /** What a kind was found to select when the first pod that asks for it was read. */
    private Selected selected(Kind kind) {
        return Objects.requireNonNull(selected.get(kind));
    }

    /** Whether it is known what a kind selects; no if a pod has no promise and its namespace no steps left. */
    private boolean isSelected(Pod pod, boolean isPromised, Kind kind) {
        if (!selected.containsKey(kind)) {
            String namespace = pod.getMetadata().getNamespace();
            Selected those = Isolated.get(
                    () -> select(namespace, isPromised, kind),
                    error -> new Selected(new BitSet(), new BitSet(), Isolated.words(error), null));
            if (those == null) {
                return false;
            }
            selected.put(kind, those);
        }
        return true;
    }

    private static Refusal outOfSteps(Pod pod, String claim) {
        return refusal(
                pod,
                claim,
                DeviceClaimState.SELECTOR,
                "the selectors of its namespace take more than %,d steps in one cycle, which goes on in the next one"
                        .formatted(DeviceSelectors.MOST_STEPS));
    }

    private @Nullable Selected select(String namespace, boolean isPromised, Kind kind) {
        BitSet any = new BitSet();
        BitSet free = new BitSet();
        String beyond = null;
        for (int i = 0; i < all.size(); i++) {
            Device device = all.get(i);
            if (device.node() != null && !nodes.containsKey(device.node())) {
                continue;
            }
            DeviceSelectors.Answer answer = selectors.allTake(namespace, !isPromised, kind.expressions(), device);
            if (answer == null) {
                return null;
            }
            if (answer.problem() != null) {
                return new Selected(new BitSet(), new BitSet(), answer.problem(), null);
            }
            if (answer.isMeant()) {
                any.set(i);
                free.set(i, !device.isTainted());
                beyond = beyond == null ? device.beyond() : beyond;
            }
        }
        return new Selected(any, free, null, beyond);
    }

    /** The asks of a pod that are counted. */
    private List<Ask> counted(Asking asking) {
        return objects.knows(DeviceObjects.Kind.SLICES) && refused(asking) == null ? asking.asks() : List.of();
    }

    /**
     * Finds the sets of devices that are counted, and how many of each a node has. Where the sets of promises alone are
     * too many, since the devices have changed, no others are counted.
     */
    private void gather() {
        TreeMap<String, TreeMap<String, Kind>> exactOf = new TreeMap<>();
        TreeMap<String, TreeMap<String, Kind>> wholeOf = new TreeMap<>();
        for (Asking asking : known.values()) {
            for (Ask ask : counted(asking)) {
                (ask.count() == ALL ? wholeOf : exactOf)
                        .computeIfAbsent(asking.group(), _ -> new TreeMap<>())
                        .put(ask.kind().words(), ask.kind());
            }
        }
        TreeMap<String, Kind> exact = new TreeMap<>(exactOf.getOrDefault(PROMISED, new TreeMap<>()));
        Map<BitSet, String> promised = united(exact);
        Map<BitSet, String> named = promised == null ? sets(exact) : promised;
        List<String> fewestFirst = exactOf.keySet().stream()
                .filter(group -> !group.equals(PROMISED))
                .sorted(Comparator.comparingInt((String namespace) ->
                                exactOf.getOrDefault(namespace, new TreeMap<>()).size())
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        for (String namespace : fewestFirst) {
            TreeMap<String, Kind> more = new TreeMap<>(exact);
            more.putAll(exactOf.getOrDefault(namespace, new TreeMap<>()));
            Map<BitSet, String> united = promised == null ? null : more.size() == exact.size() ? named : united(more);
            if (united == null) {
                crowded.add(namespace);
            } else {
                exact = more;
                named = united;
            }
        }
        TreeMap<String, Kind> whole = new TreeMap<>();
        wholeOf.forEach((namespace, kinds) -> {
            if (!crowded.contains(namespace)) {
                whole.putAll(kinds);
            }
        });
        named.forEach((set, name) -> unions.put(name, set));
        whole.forEach((words, kind) -> wholes.put("all " + words, selected(kind)));
        unions.forEach((name, set) -> limits.put(name, onNodes(set)));
        wholes.forEach((name, set) -> limits.put(name, asWhole(set)));
    }

    /** The sets of these kinds, and their names. */
    private Map<BitSet, String> sets(SortedMap<String, Kind> kinds) {
        Map<BitSet, String> named = new LinkedHashMap<>();
        kinds.values().forEach(kind -> named.putIfAbsent(selected(kind).free(), kind.words()));
        return named;
    }

    /** The sets of these kinds and the unions of those that overlap, and their names; null: they are too many. */
    private @Nullable Map<BitSet, String> united(SortedMap<String, Kind> kinds) {
        Map<BitSet, String> named = sets(kinds);
        List<BitSet> single = List.copyOf(named.keySet());
        List<BitSet> open = new ArrayList<>(single);
        while (!open.isEmpty() && named.size() <= MOST_SETS) {
            BitSet one = open.removeLast();
            for (BitSet other : single) {
                if (one.intersects(other)) {
                    BitSet both = (BitSet) one.clone();
                    both.or(other);
                    if (!named.containsKey(both)) {
                        named.put(both, nameOf(both, kinds));
                        open.add(both);
                    }
                }
            }
            Steps.add(single.size());
        }
        return named.size() > MOST_SETS ? null : named;
    }

    /** A union is called by the largest of the sets in it. */
    private String nameOf(BitSet union, SortedMap<String, Kind> kinds) {
        return kinds.values().stream()
                .filter(kind -> isWithin(selected(kind).free(), union))
                .map(Kind::words)
                .collect(Collectors.joining(" or "));
    }

    private static boolean isWithin(BitSet set, BitSet other) {
        BitSet left = (BitSet) set.clone();
        left.andNot(other);
        return left.isEmpty() && (!set.isEmpty() || other.isEmpty());
    }

    private Map<String, Long> onNodes(BitSet set) {
        Map<String, Long> counts = new HashMap<>();
        nodes.keySet().forEach(node -> counts.put(node, 0L));
        set.stream().forEach(i -> {
            String node = all.get(i).node();
            if (node != null) {
                counts.computeIfPresent(node, (_, count) -> count + 1);
            }
        });
        return counts;
    }

    /**
     * Where all devices of a set can be had, all of a place; elsewhere one less, which is enough for everybody else.
     */
    private Map<String, Long> asWhole(Selected set) {
        Map<String, Long> counts = onNodes(set.any());
        Map<String, Long> free = onNodes(set.free());
        counts.replaceAll((node, count) ->
                count > 0 && count <= MOST_DEVICES && count.equals(free.get(node)) && !devices.isUnsettled(node)
                        ? Place.WHOLE
                        : Place.WHOLE - 1);
        return counts;
    }

    /** Finds who has which claim, and who holds the devices that are allocated. */
    private void share(Collection<Pod> pods, Function<Pod, GangId> gangOf) {
        Map<String, SortedMap<String, Pod>> users = new HashMap<>();
        Map<String, Pod> there = new HashMap<>();
        for (Pod pod : pods) {
            there.put(Pods.name(pod), pod);
            if (hasClaims(pod) && !Pods.isTerminal(pod)) {
                Isolated.run(
                        () -> uses(pod)
                                .forEach(use -> users.computeIfAbsent(use.claim(), _ -> new TreeMap<>())
                                        .put(Pods.name(pod), pod)),
                        _ -> {});
            }
        }
        objects.claims().forEach(claim -> Isolated.run(() -> allocate(claim, users, there, gangOf), _ -> {}));
        users.forEach((claim, those) -> {
            ResourceClaim object = claims.get(claim);
            boolean isAllocated = object != null
                    && object.getStatus() != null
                    && object.getStatus().getAllocation() != null;
            if (!isAllocated && those.size() > 1) {
                shared.put(claim, new Sharing(List.copyOf(those.values()), carriers(those.values(), gangOf)));
            }
        });
    }

    private void allocate(
            ResourceClaim claim,
            Map<String, SortedMap<String, Pod>> users,
            Map<String, Pod> there,
            Function<Pod, GangId> gangOf) {
        AllocationResult allocation =
                claim.getStatus() == null ? null : claim.getStatus().getAllocation();
        if (allocation == null) {
            return;
        }
        SortedMap<String, Pod> those = users.computeIfAbsent(name(claim), _ -> new TreeMap<>());
        List<Pod> over = new ArrayList<>();
        claim.getStatus().getReservedFor().forEach(user -> {
            Pod pod = there.get(claim.getMetadata().getNamespace() + "/" + user.getName());
            if (pod == null || !"pods".equals(user.getResource()) || !isIt(pod, user.getUid())) {
                return;
            }
            if (Pods.isTerminal(pod)) {
                over.add(pod);
            } else {
                those.put(Pods.name(pod), pod);
            }
        });
        OptionalLong left = over.stream()
                .map(Pods::endedAt)
                .flatMapToLong(OptionalLong::stream)
                .max();
        BitSet taken = taken(allocation);
        allocated.or(taken);
        allocate(name(claim), taken, List.copyOf(those.values()), left, gangOf);
    }

    private static boolean isIt(Pod pod, @Nullable String uid) {
        return uid == null
                || pod.getMetadata().getUid() == null
                || uid.equals(pod.getMetadata().getUid());
    }

    /** The first pod of each gang. */
    private static Set<String> carriers(Collection<Pod> pods, Function<Pod, GangId> gangOf) {
        Map<GangId, String> first = new HashMap<>();
        pods.stream().sorted(Pods.BY_NAME).forEach(pod -> first.putIfAbsent(gangOf.apply(pod), Pods.name(pod)));
        return Set.copyOf(first.values());
    }

    private BitSet taken(AllocationResult allocation) {
        BitSet taken = new BitSet();
        if (allocation.getDevices() != null) {
            allocation.getDevices().getResults().stream()
                    .filter(result -> !Boolean.TRUE.equals(result.getAdminAccess()))
                    .mapToInt(result -> devices.position(new Device.Id(
                            String.valueOf(result.getDriver()),
                            String.valueOf(result.getPool()),
                            String.valueOf(result.getDevice()))))
                    .filter(position -> position >= 0)
                    .forEach(taken::set);
        }
        return taken;
    }

    /** The devices of a claim are held by its pod, by the first of a gang's pods, or for several gangs at once. */
    private void allocate(
            String claim, BitSet taken, List<Pod> users, OptionalLong left, Function<Pod, GangId> gangOf) {
        if (taken.isEmpty()) {
            return;
        }
        List<Pod> bound = users.stream().filter(pod -> Pods.node(pod) != null).toList();
        List<Pod> holders = bound.isEmpty() ? users : bound;
        Set<GangId> gangs = new HashSet<>();
        holders.forEach(pod -> gangs.add(gangOf.apply(pod)));
        if (gangs.size() == 1) {
            held.computeIfAbsent(Pods.name(holders.getFirst()), _ -> new BitSet())
                    .or(taken);
        } else {
            apart.add(new Apart(
                    claim, taken, users.stream().map(Pods::name).collect(Collectors.toCollection(TreeSet::new)), left));
        }
    }

    /** Whether a pod that waits asks for devices. */
    public boolean isAskedFor() {
        return !known.isEmpty();
    }

    /** Whether nothing of nodes is counted for devices and no pod bears a mark of a claim. */
    public boolean isEmpty() {
        return limits.isEmpty() && shared.isEmpty();
    }

    /** What nodes have of the places that are counted for devices, by place and node. */
    public Map<String, Map<String, Long>> limits() {
        return limits;
    }

    /** What a pod takes of what is counted, and the marks that it bears. */
    public Map<String, Long> places(Pod pod) {
        if (isEmpty()) {
            return Map.of();
        }
        Map<String, Long> places = new HashMap<>();
        BitSet taken = held.get(Pods.name(pod));
        if (taken != null) {
            add(places, taken);
        }
        addAsked(places, pod);
        if (hasClaims(pod) && !shared.isEmpty()) {
            uses(pod).stream()
                    .map(Use::claim)
                    .filter(shared::containsKey)
                    .forEach(claim -> places.put(mark(claim), 1L));
        }
        return places;
    }

    /** Adds what a pod without a node asks for. */
    private void addAsked(Map<String, Long> places, Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking != null && Pods.node(pod) == null) {
            for (Ask ask : counted(asking)) {
                Sharing sharing = shared.get(ask.claim());
                if (sharing == null || sharing.carriers().contains(Pods.name(pod))) {
                    add(places, ask);
                }
            }
        }
    }

    /** Whether a claim of a pod without a node has been given devices of another node than this one. */
    private boolean isElsewhere(Pod pod, String node) {
        Asking asking = known.get(Pods.name(pod));
        return asking != null
                && Pods.node(pod) == null
                && asking.uses().stream()
                        .map(Use::allocation)
                        .filter(Objects::nonNull)
                        .flatMapToInt(allocation -> taken(allocation).stream())
                        .mapToObj(position -> all.get(position).node())
                        .anyMatch(other -> other != null && !other.equals(node));
    }

    /** Whether a node has what these pods ask for beside what claims hold at this moment. */
    boolean isEnough(String node, Collection<Pod> coming) {
        if (coming.stream().anyMatch(pod -> isElsewhere(pod, node))) {
            return false;
        }
        BitSet taken = new BitSet();
        allocated.stream()
                .filter(position -> node.equals(all.get(position).node()))
                .forEach(taken::set);
        Map<String, Long> places = new HashMap<>();
        add(places, taken);
        coming.forEach(pod -> addAsked(places, pod));
        return limits.entrySet().stream()
                .noneMatch(place -> places.getOrDefault(place.getKey(), 0L)
                        > place.getValue().getOrDefault(node, 0L));
    }

    private void add(Map<String, Long> places, BitSet taken) {
        unions.forEach((name, set) -> {
            BitSet within = (BitSet) set.clone();
            within.and(taken);
            if (!within.isEmpty()) {
                places.merge(name, (long) within.cardinality(), Long::sum);
            }
        });
        wholes.forEach((name, set) -> {
            if (set.any().intersects(taken)) {
                places.merge(name, 1L, Long::sum);
            }
        });
    }

    private void add(Map<String, Long> places, Ask ask) {
        BitSet those = selected(ask.kind()).free();
        String own = "all " + ask.kind().words();
        if (ask.count() == ALL) {
            places.merge(own, Place.WHOLE, Long::sum);
        } else {
            unions.forEach((name, set) -> {
                if (isWithin(those, set)) {
                    places.merge(name, ask.count(), Long::sum);
                }
            });
        }
        wholes.forEach((name, set) -> {
            if (set.any().intersects(those) && !(ask.count() == ALL && name.equals(own))) {
                places.merge(name, 1L, Long::sum);
            }
        });
    }

    /** With whom a pod has to be on one node. */
    public List<PodRule> rules(Pod pod) {
        return shared.isEmpty() || !hasClaims(pod)
                ? List.of()
                : uses(pod).stream()
                        .map(Use::claim)
                        .filter(shared::containsKey)
                        .sorted()
                        .<PodRule>map(claim -> new PodRule.Together(List.of(HOST_NAME), mark(claim), claim, true))
                        .toList();
    }

    /**
     * For each claim that has been given devices, terms of which one must hold.
     *
     * @throws IllegalArgumentException if an allocation's node selector cannot be read
     */
    public List<List<Term>> reach(Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking == null) {
            return List.of();
        }
        Set<List<Term>> reach = new HashSet<>();
        for (Use use : asking.uses()) {
            AllocationResult allocation = use.allocation();
            if (allocation != null && allocation.getNodeSelector() != null) {
                reach.add(PodConstraints.terms(allocation.getNodeSelector()));
            }
        }
        return reach.stream().sorted(Comparator.comparing(List::toString)).toList();
    }

    /** Why a pod cannot start anywhere; null: it can. */
    @Nullable
    public Refusal obstacle(Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking == null) {
            return null;
        }
        Refusal refused = refused(asking);
        return refused == null
                        && crowded.contains(asking.group())
                        && !asking.asks().isEmpty()
                ? new Refusal.UnplannedDevice(
                        asking.pod(),
                        asking.asks().getFirst().claim(),
                        "requests for overlapping devices in more than %d combinations".formatted(MOST_SETS))
                : refused;
    }

    private @Nullable Refusal refused(Asking asking) {
        if (asking.obstacle() != null || !objects.knows(DeviceObjects.Kind.SLICES)) {
            return asking.obstacle();
        }
        for (Ask ask : asking.asks()) {
            Selected those = selected(ask.kind());
            if (those.problem() != null) {
                return new Refusal.WaitingForDevice(
                        asking.pod(), ask.claim(), DeviceClaimState.SELECTOR, those.problem());
            }
            if (those.beyond() != null) {
                return new Refusal.UnplannedDevice(asking.pod(), ask.claim(), those.beyond());
            }
        }
        for (Ask ask : asking.asks()) {
            BitSet any = selected(ask.kind()).any();
            if (ask.count() == ALL
                    && asking.asks().stream()
                            .anyMatch(other -> !other.equals(ask)
                                    && selected(other.kind()).any().intersects(any))) {
                return new Refusal.UnplannedDevice(
                        asking.pod(), ask.claim(), "all devices together with another request for some of them");
            }
        }
        return null;
    }

    /** What a pod requests of nodes, without what devices serve. */
    public Resources withoutServed(Pod pod, Resources request) {
        Asking asking = known.get(Pods.name(pod));
        if (asking == null || Pods.node(pod) != null) {
            return request;
        }
        Resources left = request;
        for (Ask ask : asking.asks()) {
            if (ask.served()) {
                left = left.with(ask.claim(), 0);
            }
        }
        return left;
    }

    /**
     * What is held by claims that no single pod has, until the last of those that have it has ended. Devices that were
     * not given back when their pod ended are on their way: kube-controller-manager takes them from the claim, and
     * until then kube-scheduler gives them to no pod.
     *
     * @param residents what pods hold
     * @param now seconds since the epoch
     * @param settings how long what should be over holds its place at a time
     */
    public List<Occupation> apart(Collection<Occupation> residents, long now, LoopSettings settings) {
        List<Occupation> all = new ArrayList<>();
        for (Apart one : apart) {
            Interval interval = residents.stream()
                    .filter(occupation -> one.users().contains(occupation.holder()))
                    .map(Occupation::interval)
                    .max(Comparator.comparingLong(Interval::end))
                    .map(last -> new Interval(now, Math.max(last.end(), now + 1)))
                    .orElseGet(() -> held(one.left(), now, settings));
            Map<String, BitSet> byNode = new TreeMap<>();
            one.devices().stream().forEach(i -> {
                String node = this.all.get(i).node();
                if (node != null) {
                    byNode.computeIfAbsent(node, _ -> new BitSet()).set(i);
                }
            });
            byNode.forEach((node, those) -> {
                Map<String, Long> places = new HashMap<>();
                add(places, those);
                if (!places.isEmpty()) {
                    all.add(new Occupation(one.claim() + " (ResourceClaim)", node, Resources.of(places), interval));
                }
            });
        }
        return all;
    }

    /**
     * For how long devices are held for no pod: within the turnover after their pod's end they are still in the way of
     * every pod, after it for longer and longer.
     */
    private static Interval held(OptionalLong left, long now, LoopSettings settings) {
        if (left.isEmpty()) {
            return new Interval(now, now + settings.overrunGrace());
        }
        long end = Math.min(left.getAsLong(), now);
        return new Interval(end - 1, settings.graced(end - 1, end, now));
    }

    private static String mark(String claim) {
        return Place.mark("with device claim " + claim);
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }
}
