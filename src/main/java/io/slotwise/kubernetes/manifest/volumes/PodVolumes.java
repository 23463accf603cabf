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
 * What the volume claims of pods mean for where and when they can run: nodes within reach of a volume, what of a node
 * is counted, who cannot start at all. With the meaning that kube-scheduler's VolumeBinding, VolumeZone,
 * VolumeRestrictions and NodeVolumeLimits give them. Scratch of one run.
 *
 * <ul>
 *   <li>A claim that is bound goes where its volume's node affinity and zone labels allow.
 *   <li>One whose class waits for a pod goes where the class's allowed topologies or a free volume that suits it are.
 *       Free volumes of a class that makes none are counted by node, exactly where each can be reached from one node.
 *   <li>A claim by which a volume is attached to one node at a time, and that several pods have, is a rule: they are on
 *       one node.
 *   <li>The volumes of a driver that a node can have attached are counted, each pod's by themselves: a volume that two
 *       pods share counts twice, on the safe side.
 * </ul>
 *
 * <p>With p pods, c claims and v volumes it takes O(p) where no waiting pod has a claim, else O(p + c + v), and O(v)
 * more for each different kind of claims that look for a free volume, of which a namespace has at most 200.
 */
public final class PodVolumes {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private final OptionalObjects objects;
    private final VolumeClaims claims;
    private final FreeVolumes free;
    /** What is counted of nodes, by the place's name and the node. */
    private final Map<String, Map<String, Long>> limits = new TreeMap<>();
    /** Claims that one node at a time can use, and that several pods have. */
    private final Set<String> shared = new TreeSet<>();
    /**
     * @param files whether they are from files, where no controller makes claims and volumes
     */
    public PodVolumes(OptionalObjects objects, boolean files, Collection<Node> nodes) {
        this.objects = objects;
        this.claims = new VolumeClaims(objects, files);
        this.free = new FreeVolumes(objects, files, nodes, claims);
    }

    /**
     * Looks at what waits.
     *
     * @param waiting those of ours without a node that are not over
     * @param promised when a gang is to start by its promise, seconds since the epoch; {@link Long#MAX_VALUE}: it has
     *     none
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
        // What cannot be read is refused with its gang, when that is taken in.
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
        exclusive.forEach((claim, those) -> {
            List<Pod> there = running.getOrDefault(claim, List.of());
            if (claims.isForOnePod(claim)) {
                claims.give(
                        claim,
                        there.isEmpty()
                                ? those.stream().min(order).orElseThrow()
                                : there.stream().min(Pods.BY_NAME).orElseThrow());
            } else if (there.size() + those.size() > 1) {
                shared.add(claim);
            }
        });
    }

    /**
     * Who comes first among those that wait for one claim: who has a promise, then who came first, gang by gang, so
     * that no two gangs wait for each other.
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

    /** Whether nothing of nodes is counted for volumes and no pod bears a mark of one. */
    public boolean isEmpty() {
        return limits.isEmpty() && shared.isEmpty();
    }

    /**
     * What nodes have of the places that are counted for volumes, by place and node; a node that is not there is not
     * limited.
     */
    public Map<String, Map<String, Long>> limits() {
        return limits;
    }

    /** What a pod takes of what is counted, and the marks that it bears. */
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

    /** With whom a pod has to be on one node. */
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
     * For each volume that not every node reaches, terms of which one must hold.
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
            free.requireAmongMost(use);
            PersistentVolume volume = claims.volume(use);
            if (volume != null) {
                reach.addAll(VolumeReach.of(volume));
            } else if (use.spec() != null && !claims.isBound(use)) {
                reach.addAll(unbound(use, use.spec()));
            }
        }
        return reach.stream().sorted(Comparator.comparing(List::toString)).toList();
    }

    /** Why a pod cannot start anywhere; null: it can. */
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

    /** What pods name that is not there, where nothing of its kind is known; complete once all obstacles were asked. */
    public PodFindings missing() {
        return claims.missing();
    }

    /** Where a claim may be bound that is bound when its pod starts. */
    private List<List<Term>> unbound(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        StorageClass one = claims.classOf(use);
        if (one == null || !VolumeClaims.volumeName(use).isEmpty()) {
            return List.of();
        }
        String selected = use.object() == null ? null : Annotations.find(use.object(), SELECTED_NODE);
        List<Term> made = VolumeClaims.makes(one) ? VolumeReach.allowed(one) : VolumeReach.NOWHERE;
        if (selected != null && !selected.isEmpty()) {
            Term term = new Term(List.of(), List.of(new Requirement("metadata.name", Operator.IN, List.of(selected))));
            return made.isEmpty() ? List.of(List.of(term)) : List.of(List.of(term), made);
        }
        if (made.isEmpty() || !VolumeClaims.waits(one) || !objects.knows(PersistentVolume.class)) {
            return made.isEmpty() || made.equals(VolumeReach.NOWHERE) ? List.of() : List.of(made);
        }
        Set<Term> terms = new HashSet<>(made.equals(VolumeReach.NOWHERE) ? List.of() : made);
        for (PersistentVolume volume : free.suitable(use, spec)) {
            List<List<Term>> reach = VolumeReach.of(volume);
            if (reach.isEmpty()) {
                return List.of();
            }
            // With both an affinity and zone labels the affinity is taken alone, as kube-scheduler does before it
            // binds.
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
