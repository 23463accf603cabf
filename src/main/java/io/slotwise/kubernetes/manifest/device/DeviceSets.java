package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.Steps;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sets of devices that requests select, and their counts on nodes. Used for one intake.
 *
 * <p>Each union of overlapping sets is a {@link Place} of the nodes, see {@link PodDevices}.
 */
final class DeviceSets {
    /** The most devices of one claim, by its API. */
    static final int MOST_DEVICES = 32;

    static final int MOST_SETS = 64;
    /** The group of pods with a promise, in place of a namespace. */
    static final String PROMISED = "";

    static final long ALL = -1;

    private final DeviceSelectors.Cycle cycle;
    /** The resources that pods may use of each node, by its name. */
    private final Map<String, Resources> nodes;

    private NodeDevices devices = new NodeDevices(List.of());
    private List<Device> all = List.of();
    private final Map<Kind, Selected> selected = new HashMap<>();
    /** The kinds for which a payer had no steps left. */
    private final Set<Map.Entry<String, Kind>> withoutSteps = new HashSet<>();
    /** The unions of overlapping sets of requested devices, by name. */
    private final SortedMap<String, BitSet> unions = new TreeMap<>();
    /** The sets of which a request needs all devices, by name. */
    private final SortedMap<String, Selected> wholes = new TreeMap<>();
    /** The namespaces whose sets overlap in too many combinations. */
    private final Set<String> crowded = new HashSet<>();

    private final Map<String, Map<String, Long>> limits = new TreeMap<>();

    /**
     * The devices that a request selects.
     *
     * @param on the nodes whose devices are meant; empty for all
     * @param unreported the claim whose selection is unknown, so that all devices are meant; empty if known
     */
    record Kind(String className, List<String> ofClass, List<String> own, Set<String> on, String unreported) {
        Kind(String className, List<String> ofClass, List<String> own) {
            this(className, ofClass, own, Set.of(), "");
        }

        /** Returns all devices of these nodes, for a claim whose selectors have no steps left. */
        static Kind all(Set<String> on, String claim) {
            return new Kind("", List.of(), List.of(), on, claim);
        }

        String words() {
            return (className.isEmpty() ? "devices" : "devices of class " + SafeText.value(className))
                    + own.stream()
                            .map(SafeText::value)
                            .collect(Collectors.joining(" and ", own.isEmpty() ? "" : " where ", ""))
                    + on.stream().sorted().collect(Collectors.joining(" ", on.isEmpty() ? "" : " on ", ""))
                    + (unreported.isEmpty()
                            ? ""
                            : ", as the selectors of %s have used up the %,d steps of their namespace in a cycle"
                                    .formatted(unreported, DeviceSelectors.MOST_STEPS));
        }

        private boolean isMeant(Device device) {
            return on.isEmpty() || (device.node() != null && on.contains(device.node()));
        }

        private List<String> expressions() {
            return Stream.concat(ofClass.stream(), own.stream()).toList();
        }
    }

    /**
     * The devices of a kind.
     *
     * @param any all of them
     * @param free those without taints
     * @param problem why they are unknown, or null
     * @param beyond a feature of one of them that is not planned, or null
     */
    record Selected(
            BitSet any,
            BitSet free,
            @Nullable String problem,
            @Nullable String beyond) {}

    DeviceSets(DeviceSelectors selectors, Map<String, Resources> nodes) {
        this.cycle = selectors.new Cycle();
        this.nodes = nodes;
    }

    void index(Collection<ResourceSlice> slices) {
        devices = new NodeDevices(slices.stream()
                .sorted(Comparator.comparing(slice -> slice.getMetadata().getName()))
                .toList());
        all = devices.all();
    }

    /** Returns the only node that can use a device, or null if several can. */
    @Nullable
    String node(int position) {
        return all.get(position).node();
    }

    /** Returns the positions of a claim's allocated devices, without those for admin access. */
    BitSet taken(AllocationResult allocation) {
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

    boolean isCrowded(String group) {
        return crowded.contains(group);
    }

    Map<String, Map<String, Long>> limits() {
        return limits;
    }

    boolean isOfNodes(String resource) {
        return nodes.values().stream().anyMatch(allocatable -> allocatable.get(resource) > 0);
    }

    boolean isEmpty(Kind kind) {
        Selected selected = selected(kind);
        return selected.problem() == null && selected.any().isEmpty();
    }

    /** Returns the devices of a kind. Precondition: {@code known} has been called for it. */
    Selected selected(Kind kind) {
        return Objects.requireNonNull(selected.get(kind));
    }

    /**
     * Returns the kind by which a pod is counted: the requested kind if its devices are known. If the namespace has no
     * steps left, a pod with a promise is counted by the kind's devices on the promised nodes. If these take too many
     * steps too, all devices of these nodes count.
     *
     * @param promisedNodes empty without a promise
     * @param claim the claim of the request
     * @return null if the devices are unknown and the pod has no promise
     */
    @Nullable
    Kind known(Pod pod, Set<String> promisedNodes, Kind kind, String claim) {
        String namespace = pod.getMetadata().getNamespace();
        if (isSelected(namespace, kind)) {
            return kind;
        }
        if (promisedNodes.isEmpty()) {
            return null;
        }
        Kind existingKind = new Kind(kind.className(), kind.ofClass(), kind.own(), promisedNodes, "");
        Kind countedKind =
                isSelected(namespace + "/promised", existingKind) ? existingKind : Kind.all(promisedNodes, claim);
        return isSelected(namespace, countedKind) ? countedKind : null;
    }

    private boolean isSelected(String payer, Kind kind) {
        if (!selected.containsKey(kind)) {
            if (withoutSteps.contains(Map.entry(payer, kind))) {
                return false;
            }
            Selected selectedDevices = Isolated.get(
                    () -> select(payer, kind),
                    error -> new Selected(new BitSet(), new BitSet(), Isolated.words(error), null));
            if (selectedDevices == null) {
                withoutSteps.add(Map.entry(payer, kind));
                return false;
            }
            selected.put(kind, selectedDevices);
        }
        return true;
    }

    private @Nullable Selected select(String payer, Kind kind) {
        BitSet any = new BitSet();
        BitSet free = new BitSet();
        String beyond = null;
        for (int i = 0; i < all.size(); i++) {
            Device device = all.get(i);
            if (!kind.isMeant(device) || (device.node() != null && !nodes.containsKey(device.node()))) {
                continue;
            }
            DeviceSelectors.Answer answer = cycle.allTake(payer, kind.expressions(), device);
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

    /**
     * Finds the sets of devices that are counted, and their sizes on each node. If the sets of promises alone are too
     * many, because the devices have changed, no others are counted.
     */
    void gather(
            SortedMap<String, SortedMap<String, Kind>> exactOf, SortedMap<String, SortedMap<String, Kind>> wholeOf) {
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
        wholes.forEach((name, selected) -> limits.put(name, asWhole(selected)));
    }

    private Map<BitSet, String> sets(SortedMap<String, Kind> kinds) {
        Map<BitSet, String> named = new LinkedHashMap<>();
        kinds.values().forEach(kind -> named.putIfAbsent(selected(kind).free(), kind.words()));
        return named;
    }

    /**
     * Returns the sets of these kinds and the unions of overlapping ones, with their names. Null if they are too many.
     */
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
            Steps.add(Steps.Kind.DEVICES, single.size());
        }
        return named.size() > MOST_SETS ? null : named;
    }

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
     * Returns the whole place for nodes on which all devices of a set can be had. Others have one less, enough for any
     * other request.
     */
    private Map<String, Long> asWhole(Selected selected) {
        Map<String, Long> counts = onNodes(selected.any());
        Map<String, Long> free = onNodes(selected.free());
        counts.replaceAll((node, count) ->
                count > 0 && count <= MOST_DEVICES && count.equals(free.get(node)) && !devices.isUnsettled(node)
                        ? Place.WHOLE
                        : Place.WHOLE - 1);
        return counts;
    }

    void add(Map<String, Long> places, BitSet taken) {
        unions.forEach((name, set) -> {
            BitSet within = (BitSet) set.clone();
            within.and(taken);
            if (!within.isEmpty()) {
                places.merge(name, (long) within.cardinality(), Long::sum);
            }
        });
        wholes.forEach((name, selected) -> {
            if (selected.any().intersects(taken)) {
                places.merge(name, 1L, Long::sum);
            }
        });
    }

    /**
     * @param count the number of devices; {@link #ALL} for all
     */
    void add(Map<String, Long> places, Kind kind, long count) {
        if (count == 0) {
            return;
        }
        BitSet free = selected(kind).free();
        String own = "all " + kind.words();
        if (count == ALL) {
            places.merge(own, Place.WHOLE, Long::sum);
        } else {
            unions.forEach((name, set) -> {
                if (isWithin(free, set)) {
                    places.merge(name, count, Long::sum);
                }
            });
        }
        wholes.forEach((name, selected) -> {
            if (selected.any().intersects(free) && !(count == ALL && name.equals(own))) {
                places.merge(name, 1L, Long::sum);
            }
        });
    }
}
