package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.device.DeviceAsks.Ask;
import io.slotwise.kubernetes.manifest.device.DeviceAsks.Asking;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.settings.LoopSettings;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The effect of device claims on where and when pods can run, with the semantics of kube-scheduler's DynamicResources
 * plugin. Used for one intake.
 *
 * <p>A request takes a number of the devices that the CEL expressions of its class and its own select. Requests can be
 * met together on a node by Hall's condition: for every union of selected sets, the requests within it ask for no more
 * devices than it has. Each union of overlapping sets is a {@link Place} of the nodes; equal or disjoint sets have one
 * place each. Devices that are already allocated are counted individually. A request for all devices has those that it
 * selects to itself.
 * <ul>
 * <li>An allocated claim restricts its pod to the nodes that the allocation allows. Its devices are held by its pod, or
 * until the last of several pods has ended.
 * <li>An unallocated claim that several pods share is a rule: they run on one node, and those of one gang count once.
 * <li>An extended resource that a class serves is a request for devices of the class where no node has an amount of it.
 * </ul>
 *
 * <p>With p pods, c claims, d devices, v nodes and s sets this takes O(p) if no waiting pod asks for devices, else O(p
 * + c + s (d + v)). An expression is evaluated once for each device of the nodes, for pods with a promise first, within
 * the steps of the first asking pod's namespace in this cycle. Pods with a promise have as many steps again for their
 * promised nodes; if these are too few, the pod takes all devices there.
 *
 * <p>Source: P. Hall, "On Representatives of Subsets", Journal of the London Mathematical Society, 1935, theorem 1.
 */
public final class PodDevices {
    private static final String HOST_NAME = "kubernetes.io/hostname";

    private final OptionalObjects objects;
    private final DeviceClaims claims;
    private final DeviceSets sets;
    private final DeviceAsks asks;
    private final Map<String, Asking> known = new HashMap<>();
    private DeviceHolders holders;

    /**
     * @param nodes the allocatable resources of nodes, by name
     * @param direct tells whether Slotwise itself binds a pod
     */
    public PodDevices(
            OptionalObjects objects,
            DeviceSelectors selectors,
            Map<String, Resources> nodes,
            Predicate<Pod> direct,
            QuantityAmounts amounts) {
        this.objects = objects;
        this.claims = new DeviceClaims(objects);
        this.sets = new DeviceSets(selectors, nodes);
        this.asks = new DeviceAsks(objects, claims, sets, direct, amounts);
        this.holders = new DeviceHolders(claims, sets, Pods::gangOf);
    }

    /**
     * Reads the requests of waiting pods.
     *
     * @param waiting pods of Slotwise without a node that have not ended
     * @param promisedNodes the nodes that a promise may give to a waiting pod; empty without one. Its devices there are
     *     always counted, or all devices of these nodes
     */
    public void look(
            Collection<Pod> pods,
            Collection<Pod> waiting,
            Function<Pod, GangId> gangOf,
            Function<Pod, Set<String>> promisedNodes) {
        List<Pod> askers = waiting.stream()
                .filter(pod -> Isolated.get(() -> asks.areOf(pod), _ -> false))
                .sorted(Comparator.comparing(pod -> promisedNodes.apply(pod).isEmpty()))
                .toList();
        if (askers.isEmpty()) {
            return;
        }
        claims.index();
        sets.index(objects.of(ResourceSlice.class));
        askers.forEach(pod -> known.put(
                Pods.name(pod),
                Isolated.get(
                        () -> asks.read(pod, promisedNodes.apply(pod)),
                        error -> new Asking(
                                Pods.name(pod),
                                !promisedNodes.apply(pod).isEmpty(),
                                List.of(),
                                List.of(),
                                Refusal.Failed.by(error)))));
        gather();
        holders = new DeviceHolders(claims, sets, gangOf);
        holders.share(pods, objects.of(ResourceClaim.class));
    }

    private void gather() {
        SortedMap<String, SortedMap<String, DeviceSets.Kind>> exactOf = new TreeMap<>();
        SortedMap<String, SortedMap<String, DeviceSets.Kind>> wholeOf = new TreeMap<>();
        for (Asking asking : known.values()) {
            for (Ask ask : counted(asking)) {
                (ask.count() == DeviceSets.ALL ? wholeOf : exactOf)
                        .computeIfAbsent(asking.group(), _ -> new TreeMap<>())
                        .put(ask.kind().words(), ask.kind());
            }
        }
        sets.gather(exactOf, wholeOf);
    }

    private List<Ask> counted(Asking asking) {
        return objects.knows(ResourceSlice.class) && asks.refused(asking) == null ? asking.asks() : List.of();
    }

    /** Returns the objects that waiting pods name, of kinds that the input lacks altogether. */
    public PodFindings missing() {
        return claims.missing();
    }

    public boolean isAskedFor() {
        return !known.isEmpty();
    }

    /** Returns whether no place is counted for devices and no pod bears the mark of a claim. */
    public boolean isEmpty() {
        return sets.limits().isEmpty() && holders.shared().isEmpty();
    }

    public Map<String, Map<String, Long>> limits() {
        return sets.limits();
    }

    /** Returns the places and marks of a pod. */
    public Map<String, Long> places(Pod pod) {
        if (isEmpty()) {
            return Map.of();
        }
        Map<String, Long> places = new HashMap<>();
        BitSet taken = holders.held(pod);
        if (taken != null) {
            sets.add(places, taken);
        }
        addAsked(places, pod);
        if (DeviceClaims.areOf(pod) && !holders.shared().isEmpty()) {
            claims.uses(pod).stream()
                    .map(DeviceClaims.Use::claim)
                    .filter(holders.shared()::contains)
                    .forEach(claim -> places.put(mark(claim), 1L));
        }
        return places;
    }

    private void addAsked(Map<String, Long> places, Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking != null && Pods.node(pod) == null) {
            for (Ask ask : counted(asking)) {
                if (holders.carries(pod, ask.claim())) {
                    sets.add(places, ask.kind(), ask.count());
                }
            }
        }
    }

    private boolean isElsewhere(Pod pod, String node) {
        Asking asking = known.get(Pods.name(pod));
        return asking != null
                && Pods.node(pod) == null
                && asking.uses().stream()
                        .map(DeviceClaims.Use::allocation)
                        .filter(Objects::nonNull)
                        .flatMapToInt(allocation -> sets.taken(allocation).stream())
                        .mapToObj(sets::node)
                        .anyMatch(other -> other != null && !other.equals(node));
    }

    /** Returns whether a node has the devices for these pods besides those that claims hold now. */
    boolean isEnough(String node, Collection<Pod> coming) {
        if (coming.stream().anyMatch(pod -> isElsewhere(pod, node))) {
            return false;
        }
        Map<String, Long> places = new HashMap<>();
        sets.add(places, holders.allocated(node));
        coming.forEach(pod -> addAsked(places, pod));
        return sets.limits().entrySet().stream()
                .noneMatch(entry -> places.getOrDefault(entry.getKey(), 0L)
                        > entry.getValue().getOrDefault(node, 0L));
    }

    /** Returns the rules by which a pod shares its node with others. */
    public List<PodRule> rules(Pod pod) {
        return holders.shared().isEmpty() || !DeviceClaims.areOf(pod)
                ? List.of()
                : claims.uses(pod).stream()
                        .map(DeviceClaims.Use::claim)
                        .filter(holders.shared()::contains)
                        .sorted()
                        .<PodRule>map(claim -> new PodRule.Together(List.of(HOST_NAME), mark(claim), claim, true))
                        .toList();
    }

    /**
     * Returns, for each allocated claim, alternative terms of which a node has to meet one.
     *
     * @throws IllegalArgumentException if an allocation's node selector cannot be read
     */
    public List<List<Term>> reach(Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking == null) {
            return List.of();
        }
        Set<List<Term>> reach = new HashSet<>();
        for (DeviceClaims.Use use : asking.uses()) {
            AllocationResult allocation = use.allocation();
            if (allocation != null && allocation.getNodeSelector() != null) {
                reach.add(PodConstraints.terms(allocation.getNodeSelector()));
            }
        }
        return reach.stream().sorted(Comparator.comparing(List::toString)).toList();
    }

    /** Returns why a pod cannot start anywhere, or null. */
    @Nullable
    public Refusal obstacle(Pod pod) {
        Asking asking = known.get(Pods.name(pod));
        if (asking == null) {
            return null;
        }
        Refusal refusal = asks.refused(asking);
        return refusal == null
                        && sets.isCrowded(asking.group())
                        && !asking.asks().isEmpty()
                ? new Refusal.UnplannedDevice(
                        asking.pod(),
                        asking.asks().getFirst().claim(),
                        "requests for overlapping devices in more than %d combinations".formatted(DeviceSets.MOST_SETS))
                : refusal;
    }

    /** Returns a pod's request to nodes without the resources that devices serve. */
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
     * Returns the occupations by claims that no single pod holds, see {@code DeviceHolders.apart}.
     *
     * @param now seconds since the epoch
     * @param settings the grace for occupations past their end
     */
    public List<Occupation> apart(Collection<Occupation> residents, long now, LoopSettings settings) {
        return holders.apart(residents, now, settings);
    }

    private static String mark(String claim) {
        return Place.mark("with device claim " + claim);
    }
}
