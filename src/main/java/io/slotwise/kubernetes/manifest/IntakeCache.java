package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.device.DeviceSelectors;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.holds.RecordSize;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity;
import io.slotwise.kubernetes.manifest.nodes.NodeReader;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import io.slotwise.kubernetes.manifest.pods.ObjectCache;
import io.slotwise.kubernetes.manifest.pods.PodBounds;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values that were read from cluster objects, kept while the objects stay the same. They are values of nodes, of gangs'
 * terms, and of bound pods that belong to no gang of Slotwise and state no end, which are most pods of a cluster. An
 * informer returns the same object until there is another version.
 *
 * <p>With v nodes, p pods and c changed objects an intake takes O(v + p) reference comparisons and O(c log p) for the
 * rest. While no node changes in what the planner sees, the {@link Inventory} stays the same object, and with it
 * everything that the planner derived from the nodes.
 */
public final class IntakeCache {
    private static final Comparator<Occupation> ORDER =
            Comparator.comparing(Occupation::holder).thenComparing(Occupation::node);

    private NodeReader.@Nullable Basis basis;
    private Map<String, Known> nodes = new HashMap<>();
    private Inventory inventory = new Inventory(List.of());
    private Map<String, io.slotwise.core.cluster.Node> byName = Map.of();
    private RecordSize recordSize = RecordSize.on(inventory);
    private Inventory offeringInventory = inventory;
    private Set<String> offered = Set.of();
    private Map<String, Map<String, Long>> limited = Map.of();
    private IdentityHashMap<Pod, Occupation> endless = new IdentityHashMap<>();
    private final TreeSet<Occupation> inOrder = new TreeSet<>(ORDER);
    private final DeviceSelectors selectors = new DeviceSelectors();
    private final AmountCache amounts;
    private final ObjectCache<Pod, NodeConstraint> constraintCache = new ObjectCache<>();
    private final ObjectCache<Pod, Optional<String>> obstacleCache = new ObjectCache<>();
    /** The terms that gangs state, as read in this intake. */
    private Map<GangId, KnownTerms> terms = new HashMap<>();
    /** The terms that were read in the previous intake. */
    private Map<GangId, KnownTerms> termsBefore = Map.of();

    /** The cached pods with a required anti-affinity. */
    private final List<Pod> withAntiAffinity = new ArrayList<>();

    public IntakeCache() {
        this(new AmountCache());
    }

    public IntakeCache(AmountCache amounts) {
        this.amounts = amounts;
    }

    private record Known(Node node, NodeReader.Reading reading) {}

    /** Reads the nodes that have changed. */
    @SuppressWarnings("ReferenceEquality") // Another object is another version.
    void read(List<Node> objects, NodeReader reader) {
        boolean isSameBasis = reader.basis().equals(basis);
        boolean same = isSameBasis && objects.size() == nodes.size();
        Map<String, Known> before = isSameBasis ? nodes : Map.of();
        Map<String, Known> now = HashMap.newHashMap(objects.size());
        for (Node node : objects) {
            String name = node.getMetadata().getName();
            Known known = before.get(name);
            if (known == null || known.node() != node) {
                NodeReader.Reading reading =
                        Isolated.get(() -> reader.read(node), error -> NodeReader.failed(node, error));
                boolean looksTheSame = known != null && known.reading().node().equals(reading.node());
                same &= looksTheSame;
                known = new Known(
                        node,
                        looksTheSame && known != null
                                ? new NodeReader.Reading(known.reading().node(), reading.warnings())
                                : reading);
            }
            now.put(name, known);
        }
        nodes = now;
        basis = reader.basis();
        if (!same) {
            inventory = new Inventory(
                    now.values().stream().map(known -> known.reading().node()).toList());
            byName = inventory.stream()
                    .collect(Collectors.toMap(io.slotwise.core.cluster.Node::name, Function.identity()));
            recordSize = RecordSize.on(inventory);
            offeringInventory = inventory;
            offered = Set.of();
            limited = Map.of();
        }
    }

    Inventory nodes() {
        return inventory;
    }

    Map<String, io.slotwise.core.cluster.Node> byName() {
        return byName;
    }

    RecordSize recordSize() {
        return recordSize;
    }

    /**
     * Returns the nodes, each of which has these {@code Place}s in addition to its resources. The inventory is the same
     * object as before if neither nodes nor places have changed.
     *
     * @param limits amounts by place and node name; without an entry the amount is unlimited
     */
    Inventory nodes(Set<String> places, Map<String, Map<String, Long>> limits) {
        if (!places.equals(offered) || !limits.equals(limited)) {
            offeringInventory = inventory.offering(places, limits);
            offered = Set.copyOf(places);
            limited = Map.copyOf(limits);
        }
        return offeringInventory;
    }

    /** Returns the cached results of expressions for devices. Other threads may use it too. */
    public DeviceSelectors selectors() {
        return selectors;
    }

    List<IntakeWarning> warnings() {
        return nodes.values().stream()
                .filter(known -> !known.reading().warnings().isEmpty())
                .sorted(Comparator.comparing(known -> known.reading().node().name()))
                .flatMap(known -> known.reading().warnings().stream())
                .toList();
    }

    /** The terms of a gang, and the objects that they were read from. */
    private record KnownTerms(
            List<Pod> pods, GangDefaults defaults, List<KnownGroup> groups, AnnotatedGang.Reading reading) {
        @SuppressWarnings("ReferenceEquality") // Another object is another version.
        boolean holds(List<Pod> now, GroupObjects objects, GangDefaults gangDefaults) {
            if (now.size() != pods.size() || !defaults.equals(gangDefaults)) {
                return false;
            }
            for (int i = 0; i < pods.size(); i++) {
                if (pods.get(i) != now.get(i)) {
                    return false;
                }
            }
            return groups.stream().allMatch(group -> objects.find(group.key()) == group.found());
        }
    }

    /** An object of another project; null if it did not exist. */
    private record KnownGroup(GroupKey key, @Nullable GenericKubernetesResource found) {}

    /**
     * Reads the terms of a gang, see {@link AnnotatedGang#read}. O(pods) reference comparisons while the pods and the
     * objects that they depend on stay the same.
     *
     * @param pods pods of the gang in a fixed order
     */
    AnnotatedGang.Reading terms(GangId gang, List<Pod> pods, GroupObjects groups, GangDefaults defaults) {
        KnownTerms readTerms = terms.get(gang);
        if (readTerms == null) {
            readTerms = termsBefore.get(gang);
        }
        if (readTerms == null || !readTerms.holds(pods, groups, defaults)) {
            List<KnownGroup> asked = new ArrayList<>();
            AnnotatedGang.Reading reading = AnnotatedGang.read(
                    pods,
                    key -> {
                        GenericKubernetesResource found = groups.find(key);
                        asked.add(new KnownGroup(key, found));
                        return found;
                    },
                    defaults);
            readTerms = new KnownTerms(List.copyOf(pods), defaults, asked, reading);
        }
        terms.put(gang, readTerms);
        return readTerms.reading();
    }

    AmountCache amounts() {
        return amounts;
    }

    /** Returns the node constraint of a pod that Slotwise has not pinned and that no node has refused. */
    NodeConstraint constraint(Pod pod) {
        return constraintCache.get(pod, one -> PodConstraints.of(one.getSpec(), null, Set.of()));
    }

    /** Returns why a pod is too large, or cannot be started through the scheduler that it names, or null. */
    @Nullable
    String obstacle(Pod pod, PodFilter filter) {
        return obstacleCache
                .get(
                        pod,
                        one -> Optional.ofNullable(PodBounds.problem(one))
                                .or(() -> Optional.ofNullable(filter.obstacle(one))))
                .orElse(null);
    }

    /** Begins an intake. Values of pods that are not among these are removed. */
    void retain(List<Pod> pods) {
        termsBefore = terms;
        terms = new HashMap<>();
        amounts.turn();
        constraintCache.turn();
        obstacleCache.turn();
        long there = pods.stream().filter(endless::containsKey).count();
        if (there == endless.size()) {
            return;
        }
        IdentityHashMap<Pod, Occupation> left = new IdentityHashMap<>(endless.size());
        for (Pod pod : pods) {
            Occupation occupation = endless.remove(pod);
            if (occupation != null) {
                left.put(pod, occupation);
            }
        }
        endless.values().forEach(inOrder::remove);
        withAntiAffinity.removeIf(pod -> !left.containsKey(pod));
        endless = left;
    }

    /** Returns whether the occupation of a pod is cached. */
    boolean isEndless(Pod pod) {
        return endless.containsKey(pod);
    }

    void add(Pod pod, Occupation occupation) {
        endless.put(pod, occupation);
        inOrder.add(occupation);
        if (!AntiAffinity.terms(pod).isEmpty()) {
            withAntiAffinity.add(pod);
        }
    }

    List<Pod> withAntiAffinity() {
        return withAntiAffinity;
    }

    /** Returns the cached occupations and these others, by holder and node. */
    List<Occupation> with(List<Occupation> others) {
        List<Occupation> sorted = new ArrayList<>(others);
        sorted.sort(ORDER);
        List<Occupation> all = new ArrayList<>(inOrder.size() + sorted.size());
        Iterator<Occupation> rest = sorted.iterator();
        Occupation next = rest.hasNext() ? rest.next() : null;
        for (Occupation knownOccupation : inOrder) {
            while (next != null && ORDER.compare(next, knownOccupation) < 0) {
                all.add(next);
                next = rest.hasNext() ? rest.next() : null;
            }
            all.add(knownOccupation);
        }
        if (next != null) {
            all.add(next);
            rest.forEachRemaining(all::add);
        }
        return all;
    }
}
