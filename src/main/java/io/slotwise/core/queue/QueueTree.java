package io.slotwise.core.queue;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Queues under one root, with the amounts of each resource in each second. Immutable.
 *
 * <p>For each second and resource:
 * <ul>
 * <li>The guarantee of a queue is the stated one, otherwise the sum of its children's. It includes what its children
 * are guaranteed. The root's is otherwise the capacity, or its children's sum if that is more.
 * <li>The limit is the stated one and at most the parent's, otherwise the parent's. The root has none.
 * <li>The pool is the guarantee without what queues below keep for themselves: the part that no child is guaranteed,
 * and of each child the pool that it lends.
 * <li>A queue keeps the part of its pool beyond the stated amount that it lends, or nothing if none is stated.
 * <li>What the queue needs is the use of its own gangs, and what its children need beyond what they keep.
 * </ul>
 *
 * <p>Two conditions allow a gang in a second. The use of its queue and of each queue above stays within the limit. The
 * root needs no more than its pool, or queues below keep enough for the gang. These are the rules of Kueue's
 * {@code nominalQuota}, {@code borrowingLimit} (the limit minus the guarantee), {@code lendingLimit} and nested
 * cohorts, in each second. They differ in one case: the limit of an inner queue counts what queues below it keep and
 * use, not what they keep.
 *
 * <p>A percentage of a guarantee is of the parent's, of a limit of the parent's (the root's guarantee if that has
 * none), and of lending of the queue's own guarantee.
 *
 * <p>Queues that contradict each other are left out with all queues below them, and the rest stays: {@link #faults}. If
 * children are guaranteed more than their parent, the later ones of the list are left out. With n queues of depth d,
 * r resources and p pieces: O(n (d + r p)).
 */
public final class QueueTree {
    private final List<QueueFault> faults;
    private final List<String> resources;
    private final Resources capacity;

    /** The queues, each behind its parent, with the root first. */
    private final List<Member> members;

    private final SortedMap<String, Member> byName = new TreeMap<>();
    private final Map<String, List<String>> children = new HashMap<>();

    /** The queues that are left out, with their names and those of the queues above that exist. */
    private final Map<String, List<String>> leftOut;

    /**
     * A queue in the tree.
     *
     * @param index its position, behind its parent's
     * @param parent null for the root
     * @param shares by position of the resource
     * @param open whether neither it nor a queue above is suspended
     */
    record Member(int index, Queue queue, @Nullable Member parent, List<QueueShares> shares, boolean open) {
        String name() {
            return queue.name();
        }
    }

    QueueTree(
            List<Member> members,
            List<String> resources,
            Resources capacity,
            Collection<QueueFault> faults,
            Map<String, List<String>> leftOut) {
        this.capacity = capacity;
        this.leftOut = Map.copyOf(leftOut);
        this.members = List.copyOf(members);
        this.resources = List.copyOf(resources);
        this.faults = faults.stream()
                .sorted(Comparator.comparing(QueueFault::queue).thenComparing(QueueFault::kind))
                .toList();
        members.forEach(member -> byName.put(member.name(), member));
        byName.forEach((name, member) -> {
            if (member.parent() != null) {
                children.computeIfAbsent(member.parent().name(), _ -> new ArrayList<>())
                        .add(name);
            }
        });
    }

    /**
     * Joins queues under one root.
     *
     * @param queues in order of their creation
     * @param capacity the sum of what the nodes have
     */
    public static QueueTree of(List<Queue> queues, Resources capacity) {
        return of(queues, List.of(), capacity);
    }

    /**
     * The same, next to queues that are left out.
     *
     * @param unreadable queues of which only the name and the parent are known
     */
    public static QueueTree of(List<Queue> queues, List<Queue> unreadable, Resources capacity) {
        return new QueueTreeBuilder(queues, unreadable, capacity).build();
    }

    /** Returns why queues are left out, by name. */
    public List<QueueFault> faults() {
        return faults;
    }

    /** Returns the sum of what the nodes have. */
    public Resources capacity() {
        return capacity;
    }

    /** Returns the resources of which some queue states an amount, sorted. */
    public List<String> resources() {
        return resources;
    }

    /** Returns the names of the queues, sorted. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    public boolean has(String queue) {
        return byName.containsKey(queue);
    }

    /** Returns whether the queue exists and neither it nor a queue above is suspended. */
    public boolean isOpen(String queue) {
        Member member = byName.get(queue);
        return member != null && member.open();
    }

    /** Returns the queue as stated. Throws if there is none. */
    public Queue queue(String queue) {
        return member(queue).queue();
    }

    /** Returns the name of the queue above, or null for the root. */
    public @Nullable String parent(String queue) {
        Member parent = member(queue).parent();
        return parent == null ? null : parent.name();
    }

    /** Returns the names of the queues directly below, sorted. */
    public List<String> children(String queue) {
        return children.getOrDefault(queue, List.of());
    }

    /** Returns the names from a queue up to below the first queue that has the other one below it or is it. */
    public List<String> below(String queue, String other) {
        List<String> names = new ArrayList<>(path(queue));
        names.removeAll(path(other));
        return names;
    }

    /** Returns the names from the queue to the root. */
    public List<String> path(String queue) {
        List<String> path = new ArrayList<>();
        for (Member member = member(queue); member != null; member = member.parent()) {
            path.add(member.name());
        }
        return path;
    }

    /**
     * Returns the names of the queues that pay for a gang: its queue and those above, also while its queue is left out.
     * None for an unknown queue.
     */
    public List<String> payers(String queue) {
        return has(queue) ? path(queue) : leftOut.getOrDefault(queue, List.of());
    }

    /** Returns the resolved guarantee of a resource over time. */
    public StepFunction guarantee(String queue, String resource) {
        int i = resources.indexOf(resource);
        return i < 0 ? StepFunction.constant(0) : member(queue).shares().get(i).guarantee();
    }

    /** Returns the resolved limit of a resource over time, {@link Amount#MOST} for none. */
    public StepFunction limit(String queue, String resource) {
        int i = resources.indexOf(resource);
        return i < 0
                ? StepFunction.constant(Amount.MOST)
                : member(queue).shares().get(i).limit();
    }

    List<Member> members() {
        return members;
    }

    @Nullable
    Member find(String queue) {
        return byName.get(queue);
    }

    private Member member(String queue) {
        return Objects.requireNonNull(byName.get(queue), () -> "There is no queue (%s).".formatted(queue));
    }

    /** Returns the sum of the requests that the tree counts, by position of the resource. */
    long[] counted(Resources total) {
        long[] counted = new long[resources.size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = Math.min(Amount.MOST, total.get(resources.get(i)));
        }
        return counted;
    }
}
