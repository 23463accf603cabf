package io.slotwise.core.queue;

import io.slotwise.core.queue.QueueFault.Kind;
import io.slotwise.core.queue.QueueTree.Member;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks stated queues and resolves their amounts, see {@link QueueTree}. */
final class QueueTreeBuilder {
    private static final StepFunction NOTHING = StepFunction.constant(0);
    private static final StepFunction UNBOUNDED = StepFunction.constant(Amount.MOST);

    private final Resources capacity;

    /** The resources that the queues state, at last those that remain. */
    private List<String> resources;

    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final Map<String, List<Queue>> children = new HashMap<>();
    private final Map<String, QueueFault> faults = new TreeMap<>();
    private final List<QueueFault> duplicates = new ArrayList<>();

    /** The stated guarantees by queue and resource, percentages resolved. */
    private final Map<String, Map<String, StepFunction>> stated = new HashMap<>();

    private final Map<String, Map<String, StepFunction>> guarantees = new HashMap<>();

    QueueTreeBuilder(List<Queue> given, Resources capacity) {
        this.capacity = capacity;
        for (Queue queue : given) {
            if (queues.putIfAbsent(queue.name(), queue) != null) {
                duplicates.add(new QueueFault(
                        queue.name(), Kind.DUPLICATE, "another queue before it has the name " + queue.name()));
            }
        }
        queues.putIfAbsent(Queue.ROOT, new Queue(Queue.ROOT, null));
        queues.putIfAbsent(Queue.DEFAULT, new Queue(Queue.DEFAULT, null));
        resources = resourcesOf(queues.values());
    }

    private static List<String> resourcesOf(Collection<Queue> queues) {
        return queues.stream()
                .flatMap(queue -> Stream.of(queue.guarantee(), queue.limit(), queue.lending()))
                .flatMap(amounts -> amounts.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    QueueTree build() {
        queues.values().forEach(this::checkPath);
        for (Queue queue : queues.values()) {
            String above = queue.above();
            if (above != null && !faults.containsKey(queue.name())) {
                children.computeIfAbsent(above, _ -> new ArrayList<>()).add(queue);
            }
        }
        List<Queue> order = topDown();
        order.forEach(this::resolveStated);
        order = order.stream().filter(queue -> !faults.containsKey(queue.name())).toList();
        order.reversed().forEach(this::sumChildren);
        order = order.stream().filter(queue -> !faults.containsKey(queue.name())).toList();
        resources = resourcesOf(order);
        List<QueueFault> all = new ArrayList<>(duplicates);
        all.addAll(faults.values());
        return new QueueTree(members(order), resources, capacity, all);
    }

    /** Finds a queue without a path to the root. O(depth). */
    private void checkPath(Queue queue) {
        Set<String> seen = new HashSet<>();
        for (Queue above = queue; above.above() != null; ) {
            String name = Objects.requireNonNull(above.above());
            if (!seen.add(above.name())) {
                boolean inside = isAbove(queue, queue.name());
                refuse(
                        queue,
                        inside ? Kind.CIRCLE : Kind.PARENT_REFUSED,
                        inside
                                ? "it is above itself, through its parent %s".formatted(queue.above())
                                : "the queue %s above it is above itself".formatted(above.name()));
                return;
            }
            Queue next = queues.get(name);
            if (next == null) {
                refuse(
                        queue,
                        above == queue ? Kind.MISSING_PARENT : Kind.PARENT_REFUSED,
                        "the parent %s of %s does not exist".formatted(name, above.name()));
                return;
            }
            above = next;
        }
    }

    /** Returns whether a queue of this name is reached from the parent on. */
    private boolean isAbove(Queue queue, String name) {
        Set<String> seen = new HashSet<>();
        String above = queue.above();
        while (above != null && seen.add(above)) {
            if (above.equals(name)) {
                return true;
            }
            above = Objects.requireNonNull(queues.get(above)).above();
        }
        return false;
    }

    private void refuse(Queue queue, Kind kind, String message) {
        faults.putIfAbsent(queue.name(), new QueueFault(queue.name(), kind, message));
    }

    private void refuseWithChildren(Queue queue, Kind kind, String message) {
        refuse(queue, kind, message);
        children.getOrDefault(queue.name(), List.of())
                .forEach(child -> refuseWithChildren(
                        child, Kind.PARENT_REFUSED, "the queue %s above it is left out".formatted(queue.name())));
    }

    private List<Queue> topDown() {
        List<Queue> order = new ArrayList<>();
        order.add(Objects.requireNonNull(queues.get(Queue.ROOT)));
        for (int i = 0; i < order.size(); i++) {
            order.addAll(children.getOrDefault(order.get(i).name(), List.of()));
        }
        return order;
    }

    private void resolveStated(Queue queue) {
        if (faults.containsKey(queue.name())) {
            return;
        }
        String above = queue.above();
        Map<String, StepFunction> resolved = new HashMap<>();
        for (String resource : resources) {
            Amount amount = queue.guarantee().get(resource);
            StepFunction whole = above == null
                    ? StepFunction.constant(Math.min(Amount.MOST, capacity.get(resource)))
                    : statedBy(above, resource);
            if (amount != null && amount.isPart() && whole == null) {
                refuseWithChildren(
                        queue,
                        Kind.PART_OF_NOTHING,
                        "it is guaranteed a percentage of the %s of %s, which states no guarantee of it"
                                .formatted(resource, above));
                return;
            }
            if (amount != null) {
                resolved.put(resource, resolved(amount, whole == null ? NOTHING : whole));
            }
        }
        stated.put(queue.name(), resolved);
    }

    /** Returns the guarantee of which a child may state a percentage, or null if there is none. */
    private @Nullable StepFunction statedBy(String queue, String resource) {
        StepFunction given = Objects.requireNonNull(stated.get(queue)).get(resource);
        return given == null && queue.equals(Queue.ROOT)
                ? StepFunction.constant(Math.min(Amount.MOST, capacity.get(resource)))
                : given;
    }

    private static StepFunction resolved(Amount amount, StepFunction whole) {
        StepFunction part = StepFunction.combined(amount.millionths(), whole, (millionths, all) -> Math.multiplyHigh(
                                millionths, all)
                        == 0
                ? Long.divideUnsigned(millionths * all, 1_000_000)
                : all / 1_000_000 * millionths);
        return StepFunction.combined(amount.units(), part, QueueTreeBuilder::plus);
    }

    private static long plus(long a, long b) {
        return Math.min(Amount.MOST, a + b);
    }

    /** Resolves the guarantees of a queue whose children are resolved, and refuses children that exceed a stated one. */
    private void sumChildren(Queue queue) {
        Map<String, StepFunction> given = Objects.requireNonNull(stated.get(queue.name()));
        Map<String, StepFunction> sums = new HashMap<>();
        for (Queue child : children.getOrDefault(queue.name(), List.of())) {
            if (faults.containsKey(child.name())) {
                continue;
            }
            Map<String, StepFunction> more = new HashMap<>();
            for (String resource : resources) {
                StepFunction sum = StepFunction.combined(
                        sums.getOrDefault(resource, NOTHING), guarantee(child, resource), QueueTreeBuilder::plus);
                StepFunction most = given.get(resource);
                if (most != null && excess(sum, most) != null) {
                    refuseWithChildren(child, Kind.OVER_PARENT, words(queue, resource, sum, most));
                    break;
                }
                more.put(resource, sum);
            }
            sums = faults.containsKey(child.name()) ? sums : more;
        }
        Map<String, StepFunction> all = new HashMap<>();
        for (String resource : resources) {
            StepFunction sum = sums.getOrDefault(resource, NOTHING);
            StepFunction own = given.get(resource);
            if (own == null && queue.name().equals(Queue.ROOT)) {
                own = StepFunction.combined(
                        sum, StepFunction.constant(Math.min(Amount.MOST, capacity.get(resource))), Math::max);
            }
            all.put(resource, own == null ? sum : own);
        }
        guarantees.put(queue.name(), all);
    }

    private StepFunction guarantee(Queue queue, String resource) {
        return Objects.requireNonNull(Objects.requireNonNull(guarantees.get(queue.name()))
                .get(resource));
    }

    /** Returns the first second in which a function is more than another one, or null. */
    private static @Nullable Long excess(StepFunction sum, StepFunction most) {
        StepFunction over = StepFunction.combined(sum, most, (a, b) -> a > b ? 1 : 0);
        for (int i = 0; i < over.pieces(); i++) {
            if (over.value(i) > 0) {
                return over.start(i);
            }
        }
        return null;
    }

    private static String words(Queue parent, String resource, StepFunction sum, StepFunction most) {
        long second = Objects.requireNonNull(excess(sum, most));
        return "with the queues before it, it is guaranteed %d of %s%s, and its parent %s %d"
                .formatted(
                        sum.at(second),
                        resource,
                        second == Long.MIN_VALUE ? "" : " at " + Instant.ofEpochSecond(second),
                        parent.name(),
                        most.at(second));
    }

    private List<Member> members(List<Queue> order) {
        Map<String, List<StepFunction>> pools = new HashMap<>();
        Map<String, List<StepFunction>> kept = new HashMap<>();
        for (Queue queue : order.reversed()) {
            List<StepFunction> poolOf = new ArrayList<>();
            List<StepFunction> keptOf = new ArrayList<>();
            for (int i = 0; i < resources.size(); i++) {
                StepFunction pool = pool(queue, i, kept);
                poolOf.add(pool);
                keptOf.add(kept(queue, resources.get(i), pool));
            }
            pools.put(queue.name(), poolOf);
            kept.put(queue.name(), keptOf);
        }
        List<Member> members = new ArrayList<>();
        Map<String, Member> byName = new HashMap<>();
        for (Queue queue : order) {
            String above = queue.above();
            Member parent = above == null ? null : Objects.requireNonNull(byName.get(above));
            List<QueueShares> shares = new ArrayList<>();
            for (int i = 0; i < resources.size(); i++) {
                StepFunction limit = limit(queue, parent, i, members);
                boolean ownLimit = !limit.equals(
                        parent == null ? UNBOUNDED : parent.shares().get(i).limit());
                shares.add(new QueueShares(
                        guarantee(queue, resources.get(i)),
                        limit,
                        ownLimit,
                        Objects.requireNonNull(pools.get(queue.name())).get(i),
                        Objects.requireNonNull(kept.get(queue.name())).get(i)));
            }
            boolean open = !queue.suspended() && (parent == null || parent.open());
            Member member = new Member(members.size(), queue, parent, List.copyOf(shares), open);
            members.add(member);
            byName.put(queue.name(), member);
        }
        return members;
    }

    /** Returns the guarantee without what the queues below keep. */
    private StepFunction pool(Queue queue, int resource, Map<String, List<StepFunction>> kept) {
        StepFunction pool = guarantee(queue, resources.get(resource));
        for (Queue child : children.getOrDefault(queue.name(), List.of())) {
            if (!faults.containsKey(child.name())) {
                pool = StepFunction.combined(pool, withheld(child, resource, kept), (all, less) -> all - less);
            }
        }
        return pool;
    }

    /** Returns what a queue and all queues below it keep for themselves. */
    private StepFunction withheld(Queue queue, int resource, Map<String, List<StepFunction>> kept) {
        StepFunction sum = Objects.requireNonNull(kept.get(queue.name())).get(resource);
        for (Queue child : children.getOrDefault(queue.name(), List.of())) {
            if (!faults.containsKey(child.name())) {
                sum = StepFunction.combined(sum, withheld(child, resource, kept), QueueTreeBuilder::plus);
            }
        }
        return sum;
    }

    private StepFunction kept(Queue queue, String resource, StepFunction pool) {
        Amount lending = queue.lending().get(resource);
        return lending == null || queue.name().equals(Queue.ROOT)
                ? NOTHING
                : StepFunction.combined(
                        pool, resolved(lending, guarantee(queue, resource)), (all, lent) -> Math.max(0, all - lent));
    }

    private StepFunction limit(Queue queue, @Nullable Member parent, int resource, List<Member> members) {
        StepFunction above = parent == null ? UNBOUNDED : parent.shares().get(resource).limit();
        Amount amount = queue.limit().get(resources.get(resource));
        if (amount == null) {
            return above;
        }
        StepFunction all = parent == null
                ? guarantee(queue, resources.get(resource))
                : members.getFirst().shares().get(resource).guarantee();
        StepFunction whole =
                StepFunction.combined(above, all, (limit, guaranteed) -> limit == Amount.MOST ? guaranteed : limit);
        return StepFunction.combined(resolved(amount, whole), above, Math::min);
    }
}
