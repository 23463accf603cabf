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

/** Who holds the devices that claims have been given, and which claims several pods have. Scratch of one run. */
final class DeviceHolders {
    private final DeviceClaims claims;
    private final DeviceSets sets;
    private final Function<Pod, GangId> gangOf;
    /** The devices that a pod holds by claims, by its name. */
    private final Map<String, BitSet> held = new HashMap<>();
    /** Claims that several pods have, and the first pod of each of their gangs. */
    private final Map<String, Set<String>> carriers = new HashMap<>();

    private final BitSet allocated = new BitSet();
    /** Claims whose devices no single pod holds. */
    private final List<Apart> apart = new ArrayList<>();

    /**
     * A claim whose devices are held for several pods, or for none that is there.
     *
     * @param users the pods that have it and have not ended
     * @param left when the last of those had ended that had it, seconds since the epoch; empty: no pod says so
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

    /** Whether what a claim asks for is counted for this pod: of those of one gang that share it for the first. */
    boolean carries(Pod pod, String claim) {
        Set<String> first = carriers.get(claim);
        return first == null || first.contains(Pods.name(pod));
    }

    @Nullable
    BitSet held(Pod pod) {
        return held.get(Pods.name(pod));
    }

    /** The devices of a node that claims hold. */
    BitSet allocated(String node) {
        BitSet taken = new BitSet();
        allocated.stream().filter(position -> node.equals(sets.node(position))).forEach(taken::set);
        return taken;
    }

    /** Finds who has which claim, and who holds the devices that are allocated. */
    void share(Collection<Pod> pods, Collection<ResourceClaim> objects) {
        Map<String, SortedMap<String, Pod>> users = new HashMap<>();
        Map<String, Pod> there = new HashMap<>();
        for (Pod pod : pods) {
            there.put(Pods.name(pod), pod);
            if (DeviceClaims.areOf(pod) && !Pods.isTerminal(pod)) {
                Isolated.run(
                        () -> claims.uses(pod)
                                .forEach(use -> users.computeIfAbsent(use.claim(), _ -> new TreeMap<>())
                                        .put(Pods.name(pod), pod)),
                        _ -> {});
            }
        }
        objects.forEach(claim -> Isolated.run(() -> allocate(claim, users, there), _ -> {}));
        users.forEach((claim, those) -> {
            if (DeviceClaims.allocation(claims.find(claim)) == null && those.size() > 1) {
                carriers.put(claim, carriers(those.values()));
            }
        });
    }

    private void allocate(ResourceClaim claim, Map<String, SortedMap<String, Pod>> users, Map<String, Pod> there) {
        AllocationResult allocation = DeviceClaims.allocation(claim);
        if (allocation == null) {
            return;
        }
        SortedMap<String, Pod> those = users.computeIfAbsent(DeviceClaims.name(claim), _ -> new TreeMap<>());
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
        BitSet taken = sets.taken(allocation);
        allocated.or(taken);
        hold(DeviceClaims.name(claim), taken, List.copyOf(those.values()), left);
    }

    private static boolean isIt(Pod pod, @Nullable String uid) {
        return uid == null
                || pod.getMetadata().getUid() == null
                || uid.equals(pod.getMetadata().getUid());
    }

    /** The first pod of each gang. */
    private Set<String> carriers(Collection<Pod> pods) {
        Map<GangId, String> first = new HashMap<>();
        pods.stream().sorted(Pods.BY_NAME).forEach(pod -> first.putIfAbsent(gangOf.apply(pod), Pods.name(pod)));
        return Set.copyOf(first.values());
    }

    /** The devices of a claim are held by its pod, by the first of a gang's pods, or for several gangs at once. */
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
     * What is held by claims that no single pod has, until the last of those that have it has ended. Devices that were
     * not given back when their pod ended are on their way: kube-controller-manager takes them from the claim, and
     * until then kube-scheduler gives them to no pod.
     *
     * @param now seconds since the epoch
     * @param settings how long what should be over holds its place at a time
     */
    List<Occupation> apart(Collection<Occupation> residents, long now, LoopSettings settings) {
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
                String node = sets.node(i);
                if (node != null) {
                    byNode.computeIfAbsent(node, _ -> new BitSet()).set(i);
                }
            });
            byNode.forEach((node, those) -> {
                Map<String, Long> places = new HashMap<>();
                sets.add(places, those);
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
}
