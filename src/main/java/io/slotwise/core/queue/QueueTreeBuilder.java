package io.slotwise.core.queue;

import io.slotwise.core.queue.QueueFault.Kind;
import io.slotwise.core.queue.QueueTree.Member;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks stated queues and resolves their amounts, see {@link QueueTree}. */
final class QueueTreeBuilder {
    private static final StepFunction NOTHING = StepFunction.constant(0);
    private static final StepFunction UNBOUNDED = StepFunction.constant(Amount.MOST);

    private final Resources capacity;
    private final List<QueueFault> faults = new ArrayList<>();
    private final List<Vertex> unreadable = new ArrayList<>();

    /** The queues by name, in the order in which they are given. */
    private final Map<String, Vertex> vertices = new LinkedHashMap<>();

    /** A queue whose amounts are resolved step by step. The maps have the names of resources as keys. */
    private static final class Vertex {
        private final Queue queue;
        private final List<Vertex> children = new ArrayList<>();
        private final Map<String, StepFunction> guarantees = new HashMap<>();
        private final Map<String, StepFunction> pools = new HashMap<>();
        private final Map<String, StepFunction> limits = new HashMap<>();
        private @Nullable Vertex parent;
        private boolean refused;

        Vertex(Queue queue) {
            this.queue = queue;
        }

        /** Returns the guarantee, or null before it is known. */
        @Nullable
        StepFunction guarantee(String resource) {
            return guarantees.get(resource);
        }

        /** Returns the part of the pool that the queue does not lend. */
        StepFunction kept(String resource) {
            Amount amount = parent == null ? null : queue.lending().get(resource);
            return amount == null
                    ? NOTHING
                    : StepFunction.combined(
                            of(pools, resource),
                            amount.over(of(guarantees, resource)),
                            (pool, lent) -> Math.max(0, pool - lent));
        }
    }

    QueueTreeBuilder(List<Queue> queues, List<Queue> unreadable, Resources capacity) {
        this.capacity = capacity;
        for (Queue queue : queues) {
            if (vertices.putIfAbsent(queue.name(), new Vertex(queue)) != null) {
                faults.add(new QueueFault(
                        queue.name(), Kind.DUPLICATE, "another queue before it has the name " + queue.name()));
            }
        }
        vertices.putIfAbsent(Queue.ROOT, new Vertex(new Queue(Queue.ROOT, null)));
        vertices.putIfAbsent(Queue.DEFAULT, new Vertex(new Queue(Queue.DEFAULT, null)));
        for (Queue queue : unreadable) {
            Vertex vertex = new Vertex(queue);
            if (vertices.putIfAbsent(queue.name(), vertex) == null) {
                this.unreadable.add(vertex);
            }
        }
    }

    QueueTree build() {
        link();
        List<Vertex> order = new ArrayList<>(List.of(of(vertices, Queue.ROOT)));
        for (int i = 0; i < order.size(); i++) {
            order.addAll(order.get(i).children);
        }
        List<String> resources = resources(order);
        for (String resource : resources) {
            order.forEach(vertex -> resolveStated(vertex, resource));
        }
        order.reversed().forEach(vertex -> sumChildren(vertex, resources));
        order.removeIf(vertex -> vertex.refused);
        order.forEach(vertex -> vertex.children.removeIf(child -> child.refused));
        List<String> left = resources(order);
        for (String resource : left) {
            order.reversed().forEach(vertex -> addPool(vertex, resource));
            order.forEach(vertex -> addLimit(vertex, resource));
        }
        return new QueueTree(members(order, left), left, capacity, faults, leftOut());
    }

    /** Returns the names from each queue that is left out up to one without a parent, and the root. O(n depth). */
    private Map<String, List<String>> leftOut() {
        Map<String, List<String>> leftOut = new HashMap<>();
        for (Vertex ownVertex : vertices.values()) {
            Set<String> path = new LinkedHashSet<>();
            Vertex vertex = ownVertex.refused ? ownVertex : null;
            while (vertex != null && path.add(vertex.queue.name())) {
                vertex = vertex.parent;
            }
            if (!path.isEmpty()) {
                path.add(Queue.ROOT);
                leftOut.put(ownVertex.queue.name(), List.copyOf(path));
            }
        }
        return leftOut;
    }

    private static <T> T of(Map<String, T> map, String name) {
        return Objects.requireNonNull(map.get(name));
    }

    private static List<String> resources(List<Vertex> vertices) {
        return vertices.stream()
                .map(vertex -> vertex.queue)
                .flatMap(queue -> Stream.of(queue.guarantee(), queue.limit(), queue.lending()))
                .flatMap(amounts -> amounts.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Links queues to their parents, and refuses queues without a path to the root. O(n depth). */
    private void link() {
        for (Vertex vertex : vertices.values()) {
            String name = vertex.queue.above();
            vertex.parent = name == null ? null : vertices.get(name);
            if (vertex.parent != null) {
                vertex.parent.children.add(vertex);
            }
        }
        unreadable.forEach(vertex -> refuse(vertex, Kind.UNREADABLE, "it cannot be read"));
        for (Vertex vertex : vertices.values()) {
            String name = vertex.queue.above();
            if (name != null && vertex.parent == null) {
                refuse(vertex, Kind.MISSING_PARENT, "its parent %s does not exist".formatted(name));
            } else if (isAboveItself(vertex)) {
                refuse(vertex, Kind.CIRCLE, "it is above itself, through its parent %s".formatted(name));
            }
        }
    }

    private static boolean isAboveItself(Vertex vertex) {
        Set<Vertex> seen = new HashSet<>();
        Vertex parent = vertex.parent;
        while (parent != null && parent != vertex && seen.add(parent)) {
            parent = parent.parent;
        }
        return parent == vertex;
    }

    /** Refuses a queue and all queues below it. Queues of the same circle are refused on their own. */
    private void refuse(Vertex vertex, Kind kind, String message) {
        if (!vertex.refused) {
            vertex.refused = true;
            faults.add(new QueueFault(vertex.queue.name(), kind, message));
            for (Vertex child : vertex.children) {
                if (!isAboveItself(child)) {
                    String name = vertex.queue.name();
                    refuse(child, Kind.PARENT_REFUSED, "the queue %s above it is left out".formatted(name));
                }
            }
        }
    }

    private StepFunction ofNodes(String resource) {
        return StepFunction.constant(Math.min(Amount.MOST, capacity.get(resource)));
    }

    private void resolveStated(Vertex vertex, String resource) {
        Amount amount = vertex.queue.guarantee().get(resource);
        if (amount == null || vertex.refused) {
            return;
        }
        Vertex parent = vertex.parent;
        StepFunction parentFunction = parent == null ? ofNodes(resource) : parent.guarantee(resource);
        if (parentFunction == null && parent != null && parent.parent == null) {
            parentFunction = ofNodes(resource);
        }
        if (parentFunction == null && amount.isPart()) {
            refuse(
                    vertex,
                    Kind.PART_OF_NOTHING,
                    "it is guaranteed a percentage of the %s of %s, which states no guarantee of it"
                            .formatted(resource, vertex.queue.above()));
        } else {
            vertex.guarantees.put(resource, amount.over(parentFunction == null ? NOTHING : parentFunction));
        }
    }

    /**
     * Refuses children that exceed a stated guarantee, and gives a queue without one the sum of its children's.
     * Precondition: the children are resolved.
     */
    private void sumChildren(Vertex vertex, List<String> resources) {
        Map<String, StepFunction> sums = new HashMap<>();
        for (Vertex child : vertex.children) {
            Map<String, StepFunction> next = new HashMap<>();
            for (String resource : child.refused ? List.<String>of() : resources) {
                StepFunction sumFunction = StepFunction.combined(
                        sums.getOrDefault(resource, NOTHING), of(child.guarantees, resource), Amount::sum);
                Long second = firstExcess(sumFunction, vertex.guarantee(resource));
                if (second != null) {
                    refuse(child, Kind.OVER_PARENT, words(vertex, resource, sumFunction, second));
                }
                next.put(resource, sumFunction);
            }
            sums = child.refused ? sums : next;
        }
        for (String resource : resources) {
            StepFunction sumFunction = sums.getOrDefault(resource, NOTHING);
            vertex.guarantees.putIfAbsent(
                    resource,
                    vertex.parent == null
                            ? StepFunction.combined(sumFunction, ofNodes(resource), Math::max)
                            : sumFunction);
        }
    }

    /** Returns the first second in which a function is more than another one, or null. */
    private static @Nullable Long firstExcess(StepFunction function, @Nullable StepFunction limit) {
        StepFunction excessFunction = limit == null
                ? NOTHING
                : StepFunction.combined(function, limit, (amount, most) -> amount > most ? 1 : 0);
        for (int i = 0; i < excessFunction.pieces(); i++) {
            if (excessFunction.value(i) > 0) {
                return excessFunction.start(i);
            }
        }
        return null;
    }

    private static String words(Vertex parent, String resource, StepFunction sumFunction, long second) {
        return "with the queues before it, it is guaranteed %d of %s%s, and its parent %s %d"
                .formatted(
                        sumFunction.at(second),
                        resource,
                        second == Long.MIN_VALUE ? "" : " at " + Instant.ofEpochSecond(second),
                        parent.queue.name(),
                        of(parent.guarantees, resource).at(second));
    }

    /** Adds the guarantee without what the queues below keep. Precondition: the children have their pools. */
    private static void addPool(Vertex vertex, String resource) {
        StepFunction pool = of(vertex.guarantees, resource);
        for (Vertex child : vertex.children) {
            pool = StepFunction.combined(pool, of(child.guarantees, resource), (all, part) -> all - part);
            pool = StepFunction.combined(pool, of(child.pools, resource), Long::sum);
            pool = StepFunction.combined(pool, child.kept(resource), (all, part) -> all - part);
        }
        vertex.pools.put(resource, pool);
    }

    private void addLimit(Vertex vertex, String resource) {
        StepFunction limit = vertex.parent == null ? UNBOUNDED : of(vertex.parent.limits, resource);
        Amount amount = vertex.queue.limit().get(resource);
        if (amount != null) {
            StepFunction wholeFunction = StepFunction.combined(
                    limit,
                    of(of(vertices, Queue.ROOT).guarantees, resource),
                    (most, guaranteed) -> most == Amount.MOST ? guaranteed : most);
            limit = StepFunction.combined(amount.over(wholeFunction), limit, Math::min);
        }
        vertex.limits.put(resource, limit);
    }

    private static List<Member> members(List<Vertex> order, List<String> resources) {
        Map<String, Member> members = new LinkedHashMap<>();
        for (Vertex vertex : order) {
            Member parent = vertex.parent == null ? null : of(members, vertex.parent.queue.name());
            List<QueueShares> shares = new ArrayList<>();
            for (String resource : resources) {
                StepFunction limit = of(vertex.limits, resource);
                StepFunction parentFunction = vertex.parent == null ? UNBOUNDED : of(vertex.parent.limits, resource);
                shares.add(new QueueShares(
                        of(vertex.guarantees, resource),
                        limit,
                        !limit.equals(parentFunction),
                        of(vertex.pools, resource),
                        vertex.kept(resource)));
            }
            boolean open = !vertex.queue.suspended() && (parent == null || parent.open());
            String name = vertex.queue.name();
            members.put(name, new Member(members.size(), vertex.queue, parent, List.copyOf(shares), open));
        }
        return List.copyOf(members.values());
    }
}
