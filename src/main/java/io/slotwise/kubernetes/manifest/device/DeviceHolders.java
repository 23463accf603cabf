package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The holders of allocated devices, and the claims that several pods share. Used for one intake. */
final class DeviceHolders {
    private final DeviceClaims claims;
    private final DeviceSets sets;
    private final Function<Pod, GangId> gangOf;
    /** The devices that a pod holds by claims, by the pod's name. */
    private final Map<String, BitSet> held = new HashMap<>();
    /** The claims that several pods share, with the first pod of each of their gangs. */
    private final Map<String, Set<String>> carriers = new HashMap<>();

    private final BitSet allocated = new BitSet();
    /** The claims whose devices no single pod holds. */
    private final List<Apart> apart = new ArrayList<>();

    /**
     * A claim whose devices are held for pods of several gangs, or for no existing pod.
     *
     * @param users the pods that have it and have not ended
     * @param left when the last of its ended pods ended, seconds since the epoch; empty if unknown
     */
    private record Apart(String claim, BitSet devices, Set<String> users, OptionalLong left) {}

    DeviceHolders(DeviceClaims claims, DeviceSets sets, Function<Pod, GangId> gangOf) {
        this.claims = claims;
        this.sets = sets;
        this.gangOf = gangOf;
    }

    Set<String> shared() {
        return carriers.keySet();
    }

    /** Returns whether a claim's requests count for this pod. Pods of one gang that share a claim count once. */
    boolean carries(Pod pod, String claim) {
        Set<String> first = carriers.get(claim);
        return first == null || first.contains(Pods.name(pod));
    }

    @Nullable
    BitSet held(Pod pod) {
        return held.get(Pods.name(pod));
    }

    BitSet allocated(String node) {
        BitSet taken = new BitSet();
        allocated.stream().filter(position -> node.equals(sets.node(position))).forEach(taken::set);
        return taken;
    }

    /** Finds the users of each claim, and the holders of allocated devices. */
    void share(Collection<Pod> pods, Collection<ResourceClaim> objects) {
        Map<String, SortedMap<String, Pod>> users = new HashMap<>();
        Map<String, Pod> podsByName = new HashMap<>();
        for (Pod pod : pods) {
            podsByName.put(Pods.name(pod), pod);
            if (DeviceClaims.areOf(pod) && !Pods.isTerminal(pod)) {
                Isolated.run(
                        () -> claims.uses(pod)
                                .forEach(use -> users.computeIfAbsent(use.claim(), _ -> new TreeMap<>())
                                        .put(Pods.name(pod), pod)),
                        _ -> {});
            }
        }
        objects.forEach(claim -> Isolated.run(() -> allocate(claim, users, podsByName), _ -> {}));
        users.forEach((claim, claimPods) -> {
            if (DeviceClaims.allocation(claims.find(claim)) == null && claimPods.size() > 1) {
                carriers.put(claim, carriers(claimPods.values()));
            }
        });
    }

    private void allocate(ResourceClaim claim, Map<String, SortedMap<String, Pod>> users, Map<String, Pod> podsByName) {
        AllocationResult allocation = DeviceClaims.allocation(claim);
        if (allocation == null) {
            return;
        }
        SortedMap<String, Pod> claimPods = users.computeIfAbsent(DeviceClaims.name(claim), _ -> new TreeMap<>());
        List<Pod> over = new ArrayList<>();
        claim.getStatus().getReservedFor().forEach(user -> {
            Pod pod = podsByName.get(claim.getMetadata().getNamespace() + "/" + user.getName());
            if (pod == null || !"pods".equals(user.getResource()) || !isIt(pod, user.getUid())) {
                return;
            }
            if (Pods.isTerminal(pod)) {
                over.add(pod);
            } else {
                claimPods.put(Pods.name(pod), pod);
            }
        });
        OptionalLong left = over.stream()
                .map(Pods::endedAt)
                .flatMapToLong(OptionalLong::stream)
                .max();
        BitSet taken = sets.taken(allocation);
        allocated.or(taken);
        hold(DeviceClaims.name(claim), taken, List.copyOf(claimPods.values()), left);
    }

    private static boolean isIt(Pod pod, @Nullable String uid) {
        return uid == null
                || pod.getMetadata().getUid() == null
                || uid.equals(pod.getMetadata().getUid());
    }

    private Set<String> carriers(Collection<Pod> pods) {
        Map<GangId, String> first = new HashMap<>();
        pods.stream().sorted(Pods.BY_NAME).forEach(pod -> first.putIfAbsent(gangOf.apply(pod), Pods.name(pod)));
        return Set.copyOf(first.values());
    }

    /** Assigns a claim's devices to its pod, to the first pod of its gang, or to several gangs at once. */
    private void hold(String claim, BitSet taken, List<Pod> users, OptionalLong left) {
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

    /**
     * Returns the occupations by claims that no single pod holds, until the last of their pods has ended.
     * kube-controller-manager takes unreturned devices from the claim later, and until then kube-scheduler allocates
     * them to no pod.
     *
     * @param now seconds since the epoch
     * @param settings the grace for occupations past their end
     */
    List<Occupation> apart(Collection<Occupation> residents, long now, LoopSettings settings) {
        List<Occupation> all = new ArrayList<>();
        for (Apart apartDevices : apart) {
            Interval interval = residents.stream()
                    .filter(occupation -> apartDevices.users().contains(occupation.holder()))
                    .map(Occupation::interval)
                    .max(Comparator.comparingLong(Interval::end))
                    .map(last -> new Interval(now, Math.max(last.end(), now + 1)))
                    .orElseGet(() -> held(apartDevices.left(), now, settings));
            Map<String, BitSet> byNode = new TreeMap<>();
            apartDevices.devices().stream().forEach(i -> {
                String node = sets.node(i);
                if (node != null) {
                    byNode.computeIfAbsent(node, _ -> new BitSet()).set(i);
                }
            });
            byNode.forEach((node, devices) -> {
                Map<String, Long> places = new HashMap<>();
                sets.add(places, devices);
                if (!places.isEmpty()) {
                    all.add(new Occupation(
                            apartDevices.claim() + " (ResourceClaim)", node, Resources.of(places), interval));
                }
            });
        }
        return all;
    }

    /**
     * Returns the interval in which devices are held without a pod. They block every pod within the turnover after
     * their pod's end, and after it for longer and longer graces.
     */
    private static Interval held(OptionalLong left, long now, LoopSettings settings) {
        if (left.isEmpty()) {
            return new Interval(now, now + settings.overrunGrace());
        }
        long end = Math.min(left.getAsLong(), now);
        return new Interval(end - 1, settings.graced(end - 1, end, now));
    }
}
