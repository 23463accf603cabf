package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.resource.Place;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The effect of volume claims on where and when pods can run, with the semantics of kube-scheduler's VolumeBinding,
 * VolumeZone, VolumeRestrictions and NodeVolumeLimits plugins. Used for one intake.
 * <ul>
 * <li>A pod with a bound claim runs where the volume's node affinity and zone labels allow.
 * <li>A pod with a claim whose class waits for the pod runs where the class's allowed topologies or a suitable free
 * volume are. Free volumes of a class without provisioning are counted by node, which is exact if each can be reached
 * from one node only.
 * <li>A claim that several pods have, and by which a volume is attached to one node at a time, is a rule: the pods run
 * on one node.
 * <li>The attachable volumes of a driver are counted by node and pod. A volume that two pods share counts twice, which
 * is on the safe side.
 * </ul>
 *
 * <p>With p pods, c claims and v volumes this takes O(p) if no waiting pod has a claim, else O(p + c + v). Each
 * different kind of claim for a free volume adds O(v); a namespace has at most 200 kinds.
 */
public final class PodVolumes {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private final OptionalObjects objects;
    private final VolumeClaims claims;
    private final FreeVolumes free;
    /** The counted amounts of nodes, by the name of the place and by node. */
    private final Map<String, Map<String, Long>> limits = new TreeMap<>();
    /** The claims that one node at a time can use, and that several pods have. */
    private final Set<String> shared = new TreeSet<>();
    /**
     * @param files whether the objects are from files, where no controller creates claims and volumes
     */
    public PodVolumes(OptionalObjects objects, boolean files, Collection<Node> nodes) {
        this.objects = objects;
        this.claims = new VolumeClaims(objects, files);
        this.free = new FreeVolumes(objects, files, nodes, claims);
    }

    /**
     * Reads the claims of waiting pods.
     *
     * @param waiting pods of Slotwise without a node that have not ended
     * @param promised returns the promised start of a gang, seconds since the epoch, or {@link Long#MAX_VALUE}
     */
    public void look(
            Collection<Pod> pods,
            Collection<Pod> waiting,
            Function<Pod, GangId> gangOf,
            ToLongFunction<GangId> promised) {
        List<Pod> users = waiting.stream().filter(VolumeClaims::areOf).toList();
        if (users.isEmpty()) {
            return;
        }
        Map<String, List<Pod>> exclusive = new TreeMap<>();
        // A pod that cannot be read is refused later, with its gang.
        users.forEach(pod -> Isolated.run(() -> look(pod, exclusive), _ -> {}));
        if (exclusive.isEmpty()) {
            return;
        }
        Map<String, List<Pod>> running = new HashMap<>();
        pods.stream()
                .filter(pod -> VolumeClaims.areOf(pod) && Pods.node(pod) != null && !Pods.isTerminal(pod))
                .forEach(pod -> Isolated.run(
                        () -> claims.uses(pod).stream()
                                .filter(use -> exclusive.containsKey(use.claim()))
                                .forEach(use -> running.computeIfAbsent(use.claim(), _ -> new ArrayList<>())
                                        .add(pod)),
                        _ -> {}));
        Comparator<Pod> order = order(users, gangOf, promised);
        exclusive.forEach((claim, claimPods) -> {
            List<Pod> runningPods = running.getOrDefault(claim, List.of());
            if (claims.isForOnePod(claim)) {
                claims.give(
                        claim,
                        runningPods.isEmpty()
                                ? claimPods.stream().min(order).orElseThrow()
                                : runningPods.stream().min(Pods.BY_NAME).orElseThrow());
            } else if (runningPods.size() + claimPods.size() > 1) {
                shared.add(claim);
            }
        });
    }

    /**
     * Orders pods that wait for the same claim: by promised start, then by arrival of the gang. The order is by gang,
     * so that no two gangs wait for each other.
     */
    private static Comparator<Pod> order(
            List<Pod> users, Function<Pod, GangId> gangOf, ToLongFunction<GangId> promised) {
        Map<GangId, List<Pod>> gangs = new HashMap<>();
        users.forEach(pod ->
                gangs.computeIfAbsent(gangOf.apply(pod), _ -> new ArrayList<>()).add(pod));
        Map<GangId, Long> arrivals = new HashMap<>();
        gangs.forEach((gang, pods) ->
                arrivals.put(gang, Isolated.get(() -> Pods.arrival(pods, Long.MAX_VALUE), _ -> Long.MAX_VALUE)));
        return Comparator.<Pod>comparingLong(pod -> promised.applyAsLong(gangOf.apply(pod)))
                .thenComparingLong(pod -> arrivals.getOrDefault(gangOf.apply(pod), Long.MAX_VALUE))
                .thenComparing(gangOf)
                .thenComparing(Pods.BY_NAME);
    }

    private void look(Pod pod, Map<String, List<Pod>> exclusive) {
        for (VolumeClaims.Use use : claims.uses(pod)) {
            String driver = claims.driver(use);
            if (driver != null) {
                limits.put(attached(driver), claims.attachable(driver));
            }
            String place = free.place(use);
            if (place != null) {
                limits.computeIfAbsent(place, _ -> free.reachable(use));
            }
            if (claims.isForOnePod(use.claim()) || claims.isForOneNode(use)) {
                exclusive.computeIfAbsent(use.claim(), _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    /** Returns whether no place is counted for volumes and no pod bears the mark of one. */
    public boolean isEmpty() {
        return limits.isEmpty() && shared.isEmpty();
    }

    /** Returns the counted amounts of nodes, by place and node. A node without an entry is not limited. */
    public Map<String, Map<String, Long>> limits() {
        return limits;
    }

    /** Returns the places and marks of a pod. */
    public Map<String, Long> places(Pod pod) {
        if (isEmpty() || !VolumeClaims.areOf(pod)) {
            return Map.of();
        }
        Map<String, Long> places = new HashMap<>();
        for (VolumeClaims.Use use : claims.uses(pod)) {
            String driver = claims.driver(use);
            if (driver != null && limits.containsKey(attached(driver))) {
                places.merge(attached(driver), 1L, Long::sum);
            }
            String place = Pods.node(pod) == null ? free.place(use) : null;
            if (place != null) {
                places.merge(place, 1L, Long::sum);
            }
            if (shared.contains(use.claim())) {
                places.put(mark(use.claim()), 1L);
            }
        }
        return places;
    }

    /** Returns the rules by which a pod shares its node with others. */
    public List<PodRule> rules(Pod pod) {
        return shared.isEmpty() || !VolumeClaims.areOf(pod)
                ? List.of()
                : claims.uses(pod).stream()
                        .map(VolumeClaims.Use::claim)
                        .filter(shared::contains)
                        .sorted()
                        .<PodRule>map(claim -> new PodRule.Together(List.of(HOST_NAME), mark(claim), claim))
                        .toList();
    }

    /**
     * Returns, for each volume that not every node can reach, alternative terms of which a node has to meet one.
     *
     * @throws IllegalArgumentException if a volume's node affinity cannot be read, or the namespace has too many kinds
     *     of claims
     */
    public List<List<Term>> reach(Pod pod) {
        if (!VolumeClaims.areOf(pod)) {
            return List.of();
        }
        Set<List<Term>> reach = new HashSet<>();
        for (VolumeClaims.Use use : claims.uses(pod)) {
            free.requireWithinLimit(use);
            PersistentVolume volume = claims.volume(use);
            if (volume != null) {
                reach.addAll(VolumeReach.of(volume));
            } else if (use.spec() != null && !claims.isBound(use)) {
                reach.addAll(unbound(use, use.spec()));
            }
        }
        return reach.stream().sorted(Comparator.comparing(List::toString)).toList();
    }

    /** Returns why a pod cannot start anywhere, or null. */
    @Nullable
    public Refusal obstacle(Pod pod) {
        if (!VolumeClaims.areOf(pod)) {
            return null;
        }
        for (VolumeClaims.Use use : claims.uses(pod)) {
            Refusal refusal = claims.obstacle(pod, use);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /**
     * Returns the objects that pods name, of kinds that the input lacks altogether. Complete after all obstacles were
     * computed.
     */
    public PodFindings missing() {
        return claims.missing();
    }

    /** Returns the terms for a claim that is bound when its pod starts. */
    private List<List<Term>> unbound(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        StorageClass storageClass = claims.classOf(use);
        if (storageClass == null || !VolumeClaims.volumeName(use).isEmpty()) {
            return List.of();
        }
        String selected = use.object() == null ? null : Annotations.find(use.object(), SELECTED_NODE);
        List<Term> createdTerms =
                VolumeClaims.makes(storageClass) ? VolumeReach.allowed(storageClass) : VolumeReach.NOWHERE;
        if (selected != null && !selected.isEmpty()) {
            Term term = new Term(List.of(), List.of(new Requirement("metadata.name", Operator.IN, List.of(selected))));
            return createdTerms.isEmpty() ? List.of(List.of(term)) : List.of(List.of(term), createdTerms);
        }
        if (createdTerms.isEmpty() || !VolumeClaims.waits(storageClass) || !objects.knows(PersistentVolume.class)) {
            return createdTerms.isEmpty() || createdTerms.equals(VolumeReach.NOWHERE)
                    ? List.of()
                    : List.of(createdTerms);
        }
        Set<Term> terms = new HashSet<>(createdTerms.equals(VolumeReach.NOWHERE) ? List.of() : createdTerms);
        for (PersistentVolume volume : free.suitable(use, spec)) {
            List<List<Term>> reach = VolumeReach.of(volume);
            if (reach.isEmpty()) {
                return List.of();
            }
            // If there are an affinity and zone labels, only the affinity counts, as in kube-scheduler before it binds.
            terms.addAll(reach.getFirst());
        }
        return List.of(terms.isEmpty() ? VolumeReach.NOWHERE : VolumeReach.merged(terms));
    }

    private static String attached(String driver) {
        return "volumes of " + SafeText.value(driver);
    }

    private static String mark(String claim) {
        return Place.mark("with volume claim " + claim);
    }
}
