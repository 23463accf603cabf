package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.money.Money;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.disturbance.Disturbance.OwnerJob;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and their pods, as they are and as they are expected to be. Not thread-safe.
 *
 * <p>A pod keeps its room from its start to its real end, which no scheduler knows in advance. It is expected to end as
 * planned, and after that second at the end of the next {@link OverrunGrace}. With s running pods, {@link #advance}
 * takes O(log s) for each one that ends or is late, and {@link #picture} takes O(N + s).
 */
final class SimulatedCluster {
    private final SortedMap<String, Place> places = new TreeMap<>();
    private final PriorityQueue<Allocation> next = new PriorityQueue<>(
            Comparator.comparingLong(Allocation::next).thenComparingLong(allocation -> allocation.number));
    private final OverrunGrace grace;

    /** The nodes on which jobs of owners wait. */
    private final SortedMap<String, Place> awaited = new TreeMap<>();

    /** The present nodes; null after a change. */
    private @Nullable Inventory inventory;

    private final ClusterLoad load = new ClusterLoad();
    private long numbers;

    private static final class Place {
        private Node node;
        private boolean present = true;
        private boolean counted = true;

        private final Set<Allocation> allocations = new LinkedHashSet<>();
        /** The sum of what all placements take, by resource. */
        private final Map<String, Long> taken = new HashMap<>();

        private final Deque<OwnerJob> owners = new ArrayDeque<>();

        Place(Node node) {
            this.node = node;
        }

        boolean holdsNow(Resources resources) {
            for (int i = 0; i < resources.size(); i++) {
                String name = resources.name(i);
                if (node.allocatable().get(name) - taken.getOrDefault(name, 0L) < resources.amount(i)) {
                    return false;
                }
            }
            return true;
        }

        void add(Allocation allocation) {
            allocations.add(allocation);
            for (int i = 0; i < allocation.resources.size(); i++) {
                taken.merge(allocation.resources.name(i), allocation.resources.amount(i), Long::sum);
            }
        }

        boolean remove(Allocation allocation) {
            if (!allocations.remove(allocation)) {
                return false;
            }
            for (int i = 0; i < allocation.resources.size(); i++) {
                taken.merge(allocation.resources.name(i), -allocation.resources.amount(i), Long::sum);
            }
            return true;
        }

        /** Returns the expected end of everything that runs. */
        long expectedIdle(long now) {
            return allocations.stream()
                    .mapToLong(allocation -> allocation.expectedEnd)
                    .max()
                    .orElse(now);
        }
    }

    static final class Allocation {
        private final long number;
        private final String holder;
        private final String node;
        private final Resources resources;
        private final long start;
        private final boolean owners;
        private long end;
        private final long planned;
        private long expectedEnd;
        private boolean overrun;

        private Allocation(long number, Taking taking) {
            this.number = number;
            this.holder = taking.holder;
            this.node = taking.node;
            this.resources = taking.resources;
            this.start = taking.start;
            this.end = taking.end;
            this.owners = taking.owners;
            this.planned = taking.expectedEnd;
            this.expectedEnd = taking.expectedEnd;
        }

        private long next() {
            return Math.min(end, expectedEnd);
        }

        Occupation occupation() {
            return new Occupation(holder, node, resources, new Interval(start, expectedEnd), overrun);
        }

        boolean on(String name) {
            return node.equals(name);
        }
    }

    /** A use of capacity that really ends at {@code end}; {@code owners} marks a job of the node's owner. */
    record Taking(
            String holder, String node, Resources resources, long start, long end, long expectedEnd, boolean owners) {}

    SimulatedCluster(Collection<Node> nodes, OverrunGrace grace) {
        nodes.forEach(node -> {
            places.put(node.name(), new Place(node));
            load.add(node);
        });
        this.grace = grace;
    }

    Iterator<Node> nodes() {
        return places.values().stream().map(place -> place.node).iterator();
    }

    Node node(String name) {
        return place(name).node;
    }

    private Place place(String name) {
        Place place = places.get(name);
        if (place == null) {
            throw new IllegalArgumentException("The node (%s) must be one of the cluster's.".formatted(name));
        }
        return place;
    }

    /** Takes room that must be free. */
    Allocation takeFree(Taking taking) {
        if (!place(taking.node).holdsNow(taking.resources)) {
            throw new IllegalStateException("The node (%s) must have room for %s in second %d."
                    .formatted(taking.node, taking.holder, taking.start));
        }
        return take(taking);
    }

    Allocation take(Taking taking) {
        Allocation allocation = new Allocation(numbers++, taking);
        Place place = place(taking.node);
        place.add(allocation);
        load.take(allocation.resources, allocation.owners);
        next.add(allocation);
        return allocation;
    }

    void give(Allocation allocation) {
        leave(allocation);
        next.remove(allocation);
    }

    /** Evicts a pod, which is gone by second {@code gone}. */
    void evict(Allocation allocation, long gone) {
        next.remove(allocation);
        allocation.end = Math.min(allocation.end, gone);
        allocation.expectedEnd = Math.min(allocation.expectedEnd, gone);
        next.add(allocation);
    }

    private void leave(Allocation allocation) {
        if (place(allocation.node).remove(allocation)) {
            load.give(allocation.resources, allocation.owners);
        }
    }

    boolean holds(Allocation allocation) {
        return place(allocation.node).allocations.contains(allocation);
    }

    /** The changes of a second: whether pods ended, and whether anything differs from the expectation. */
    record News(boolean ended, boolean surprising) {}

    /** Ends the pods that end by now, extends the expectation for late ones, and starts owners' jobs that have room. */
    News advance(long now) {
        boolean ended = false;
        boolean surprising = false;
        for (Allocation allocation = next.peek();
                allocation != null && allocation.next() <= now;
                allocation = next.peek()) {
            next.remove();
            if (allocation.end <= now) {
                leave(allocation);
                ended = true;
                surprising |= allocation.end != allocation.expectedEnd || allocation.overrun;
            } else {
                allocation.expectedEnd = grace.until(allocation.start, allocation.planned, now - allocation.planned);
                allocation.overrun = true;
                surprising = true;
                next.add(allocation);
            }
        }
        return new News(ended, startOwners(now) || surprising);
    }

    private boolean startOwners(long now) {
        boolean any = false;
        for (Place place : awaited.values()) {
            Iterator<OwnerJob> waiting = place.owners.iterator();
            while (place.present && waiting.hasNext()) {
                OwnerJob job = waiting.next();
                if (place.holdsNow(job.resources())) {
                    waiting.remove();
                    long end = now + job.seconds();
                    take(new Taking(holder(job), job.node(), job.resources(), now, end, end, true));
                    any = true;
                }
            }
        }
        awaited.values().removeIf(place -> place.owners.isEmpty());
        return any;
    }

    private static String holder(OwnerJob job) {
        return "owner/" + job.node() + "-" + job.second();
    }

    /** Adds an owner's job, which starts in the first {@link #advance} with room for it. */
    void owns(OwnerJob job) {
        Place place = place(job.node());
        if (place.node.allocatable().times(job.resources()) == 0) {
            throw new IllegalArgumentException(
                    "The owner's job (%s) must fit on the idle node (%s).".formatted(job, place.node.allocatable()));
        }
        place.owners.add(job);
        awaited.put(job.node(), place);
    }

    void remove(String node) {
        Place place = place(node);
        place.owners.clear();
        List.copyOf(place.allocations).forEach(this::give);
        if (place.present) {
            place.present = false;
            load.remove(place.node);
            inventory = null;
        }
    }

    /** Adds a node that is absent for now. */
    void expect(Node node) {
        Place place = new Place(node);
        place.counted = false;
        if (places.putIfAbsent(node.name(), place) != null) {
            throw new IllegalArgumentException("The node (%s) must not be there already.".formatted(node.name()));
        }
        inventory = null;
    }

    void arrive(String node) {
        Place place = place(node);
        place.counted = true;
        load.add(place.node);
    }

    /** Removes an empty node for good. */
    void drop(String node) {
        Place place = place(node);
        if (!place.allocations.isEmpty()) {
            throw new IllegalStateException("The node (%s) must not have pods.".formatted(node));
        }
        places.remove(node);
        if (place.counted) {
            load.remove(place.node);
        }
        inventory = null;
    }

    long free(String node, String resource) {
        Place place = place(node);
        return place.node.allocatable().get(resource) - place.taken.getOrDefault(resource, 0L);
    }

    boolean isIdle(String node) {
        return place(node).allocations.isEmpty();
    }

    void putBack(String node) {
        Place place = place(node);
        if (!place.present) {
            place.present = true;
            load.add(place.node);
            inventory = null;
        }
    }

    void reprice(String name, Money price) {
        Place place = place(name);
        Node node = place.node;
        place.node = node.at(StepFunction.constant(price.micros()));
        if (place.present) {
            load.remove(node);
            load.add(place.node);
            inventory = null;
        }
    }

    /** Returns the next second in which {@link #advance} has something to do, without further events. */
    long nextSecond() {
        Allocation first = next.peek();
        return first == null ? Scheduler.NEVER : first.next();
    }

    /** Returns the present nodes and their expected load, including waiting jobs of owners. */
    Cluster picture(long now) {
        List<Occupation> held = new ArrayList<>();
        for (Place place : places.values()) {
            if (!place.present) {
                continue;
            }
            for (Allocation allocation : place.allocations) {
                held.add(allocation.occupation());
            }
            for (OwnerJob job : place.owners) {
                Interval interval = new Interval(now, place.expectedIdle(now) + job.seconds());
                held.add(new Occupation(holder(job), job.node(), job.resources(), interval));
            }
        }
        return new Cluster(present(), held);
    }

    private Inventory present() {
        Inventory presentInventory = inventory;
        if (presentInventory == null) {
            presentInventory = new Inventory(places.values().stream()
                    .filter(place -> place.present)
                    .map(place -> place.node)
                    .toList());
            inventory = presentInventory;
        }
        return presentInventory;
    }

    MachineLoad load(long now) {
        return load.at(now);
    }

    /**
     * The milli-cores of the present nodes with their use and price, updated with every change. O(1) for a change or a
     * query, and O(log N) for each node with a price calendar. Not thread-safe.
     */
    private static final class ClusterLoad {
        private final SortedMap<String, Node> calendars = new TreeMap<>();
        private long cores;
        private long flatPrice;
        private long busy;
        private long owners;

        void add(Node node) {
            cores += node.allocatable().get(Resources.CPU);
            if (node.price().isConstant()) {
                flatPrice = Math.addExact(flatPrice, node.price().min());
            } else {
                calendars.put(node.name(), node);
            }
        }

        void remove(Node node) {
            cores -= node.allocatable().get(Resources.CPU);
            if (calendars.remove(node.name()) == null) {
                flatPrice -= node.price().min();
            }
        }

        void take(Resources resources, boolean byOwner) {
            change(resources.get(Resources.CPU), byOwner);
        }

        void give(Resources resources, boolean byOwner) {
            change(-resources.get(Resources.CPU), byOwner);
        }

        private void change(long milliCores, boolean byOwner) {
            if (byOwner) {
                owners += milliCores;
            } else {
                busy += milliCores;
            }
        }

        /** Returns the milli-cores that jobs can have and do have, and the price of a core. */
        MachineLoad at(long now) {
            long price = flatPrice;
            for (Node node : calendars.values()) {
                price = Math.addExact(price, node.price().at(now));
            }
            return new MachineLoad(cores - owners, busy, cores == 0 ? 0 : Math.multiplyExact(price, 1000) / cores);
        }
    }
}
