package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.time.Interval;
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
import io.slotwise.live.settings.NodeTariff;
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
 * What was read of a cluster's objects and holds for as long as they are the same objects: nodes, and bound pods that
 * no gang of ours counts in and that say nothing of their end, which are most of a cluster. An informer hands out the
 * same object until it has another version of it.
 *
 * <p>With v nodes, p pods and c of them changed an intake takes O(v + p) in comparisons of references and O(c log p)
 * for the rest. While no node changes in what the planner sees of it, the {@link Inventory} stays the same, and with it
 * what the planner knows of the nodes.
 */
public final class IntakeCache {
    private static final Comparator<Occupation> ORDER =
            Comparator.comparing(Occupation::holder).thenComparing(Occupation::node);

    private @Nullable Interval interval;
    private List<NodeTariff> tariffs = List.of();
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
    /** What gangs say of themselves, as it was read in this intake. */
    private Map<GangId, KnownTerms> terms = new HashMap<>();
    /** The same of the last one. */
    private Map<GangId, KnownTerms> termsBefore = Map.of();

    /** Those among them with a required anti-affinity. */
    private final List<Pod> withAntiAffinity = new ArrayList<>();

    public IntakeCache() {
        this(new AmountCache());
    }

    public IntakeCache(AmountCache amounts) {
        this.amounts = amounts;
    }

    private record Known(Node node, NodeReader.Reading reading) {}

    /**
     * Reads the nodes that have changed.
     *
     * @param pricesInterval the seconds for which prices are read
     */
    @SuppressWarnings("ReferenceEquality") // Another object is another version.
    void read(List<Node> objects, Interval pricesInterval, NodeReader reader) {
        boolean atSamePrices =
                pricesInterval.equals(interval) && reader.tariffs().equals(tariffs);
        boolean same = atSamePrices && objects.size() == nodes.size();
        Map<String, Known> before = atSamePrices ? nodes : Map.of();
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
        interval = pricesInterval;
        tariffs = reader.tariffs();
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

    /** The same, to be looked up. */
    Map<String, io.slotwise.core.cluster.Node> byName() {
        return byName;
    }

    /** How large records of windows on them may get. */
    RecordSize recordSize() {
        return recordSize;
    }

    /**
     * The nodes where each has these places, by name; the same inventory as before if neither nodes nor places have
     * changed.
     *
     * @param limits by place, by the node's name, how much of it there is; what is not there is all of it
     */
    Inventory nodes(Set<String> places, Map<String, Map<String, Long>> limits) {
        if (!places.equals(offered) || !limits.equals(limited)) {
            offeringInventory = inventory.offering(places, limits);
            offered = Set.copyOf(places);
            limited = Map.copyOf(limits);
        }
        return offeringInventory;
    }

    /** Which devices expressions select, as far as anybody has asked; other threads may ask too. */
    public DeviceSelectors selectors() {
        return selectors;
    }

    /** What an admin should know of them, by the nodes' names. */
    List<IntakeWarning> warnings() {
        return nodes.values().stream()
                .filter(known -> !known.reading().warnings().isEmpty())
                .sorted(Comparator.comparing(known -> known.reading().node().name()))
                .flatMap(known -> known.reading().warnings().stream())
                .toList();
    }

    /** What the pods of a gang say, and from what it was read, objects of other projects among it. */
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

    /** An object of another project as it was found, or that it was not there. */
    private record KnownGroup(GroupKey key, @Nullable GenericKubernetesResource found) {}

    /**
     * What the pods of a gang say: see {@link AnnotatedGang#read}. O(pods) in comparisons of references while they and
     * the objects that count for them are the same.
     *
     * @param pods of the gang in an order of their own
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

    /** Where a pod may run that Slotwise has not pinned and that no node has refused. */
    NodeConstraint constraint(Pod pod) {
        return constraintCache.get(pod, one -> PodConstraints.of(one.getSpec(), null, Set.of()));
    }

    /** Why a pod is too large, or cannot be started the way that it names, in words; null: it can. */
    @Nullable
    String obstacle(Pod pod, PodFilter filter) {
        return obstacleCache
                .get(
                        pod,
                        one -> Optional.ofNullable(PodBounds.problem(one))
                                .or(() -> Optional.ofNullable(filter.obstacle(one))))
                .orElse(null);
    }

    /** An intake begins with these pods: forgets those that are not among them any more. */
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

    /** Whether what a pod holds is known already. */
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

    /** The pods whose holding is known and that have a required anti-affinity. */
    List<Pod> withAntiAffinity() {
        return withAntiAffinity;
    }

    /** All that is held: what is known here and the others, by holder and node. */
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
