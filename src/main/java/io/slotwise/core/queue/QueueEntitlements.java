package io.slotwise.core.queue;

import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The entitlement of each queue in one second: its guarantee, and a part by weight. This part is of what its parent is
 * entitled to and guarantees no child. It is divided among the children that compete, and rounded down to a unit. The
 * root is entitled to the capacity, or to its guarantee if that is more. Own gangs of an inner queue compete like a
 * child of weight 1 without a guarantee. With n queues, d levels and r resources: O(n (d + r)).
 */
public final class QueueEntitlements {
    private final QueueTree tree;
    private final long second;
    private final Set<String> holders;
    private final Set<String> competing = new HashSet<>();
    private final List<String> resources;
    private final Map<String, long[]> ofQueues = new HashMap<>();
    private final Map<String, long[]> ofOwn = new HashMap<>();

    /**
     * @param holders the queues with own gangs that compete; unknown names are ignored
     */
    public QueueEntitlements(QueueTree tree, long second, Set<String> holders) {
        this.tree = tree;
        this.second = second;
        this.holders = holders;
        this.resources = resources(tree);
        holders.stream().filter(tree::has).forEach(holder -> competing.addAll(tree.path(holder)));
        divide(
                Queue.ROOT,
                resources.stream()
                        .mapToLong(resource -> Math.max(tree.capacity().get(resource), guarantee(Queue.ROOT, resource)))
                        .toArray());
    }

    /** Returns the resources of the cluster that gangs compete for, sorted. */
    public static List<String> resources(QueueTree tree) {
        Resources capacity = tree.capacity();
        return IntStream.range(0, capacity.size())
                .mapToObj(capacity::name)
                .filter(name -> !name.equals(Resources.PODS) && !Place.is(name))
                .toList();
    }

    /** Returns the entitlement of a queue of the tree by position of the resource. */
    public long[] of(String queue) {
        return Objects.requireNonNull(ofQueues.get(queue)).clone();
    }

    /** Returns the entitlement of a queue to a resource; 0 for a resource that no node has. */
    public long of(String queue, String resource) {
        int i = resources.indexOf(resource);
        return i < 0 ? 0 : Objects.requireNonNull(ofQueues.get(queue))[i];
    }

    /** Returns the entitlement of the own gangs of a queue of the tree by position of the resource. */
    public long[] ofOwn(String queue) {
        return Objects.requireNonNull(ofOwn.get(queue)).clone();
    }

    private long guarantee(String queue, String resource) {
        return tree.guarantee(queue, resource).at(second);
    }

    /** Divides what a queue is entitled to among its children and its own gangs. */
    private void divide(String queue, long[] entitled) {
        ofQueues.put(queue, entitled);
        List<String> children = tree.children(queue);
        boolean hasOwn = children.isEmpty() || holders.contains(queue);
        long weights = Math.max(
                1,
                (hasOwn ? 1L : 0L)
                        + children.stream()
                                .filter(competing::contains)
                                .mapToLong(child -> tree.queue(child).weight())
                                .sum());
        long[] left = entitled.clone();
        for (int i = 0; i < left.length; i++) {
            for (String child : children) {
                left[i] = Math.max(0, left[i] - guarantee(child, resources.get(i)));
            }
        }
        for (String child : children) {
            long[] share = new long[left.length];
            for (int i = 0; i < share.length; i++) {
                share[i] = guarantee(child, resources.get(i))
                        + part(left[i], tree.queue(child).weight(), weights);
            }
            divide(child, share);
        }
        long[] share = new long[left.length];
        for (int i = 0; i < share.length; i++) {
            share[i] = part(left[i], 1, weights);
        }
        ofOwn.put(queue, share);
    }

    /** Returns {@code whole * part / parts}, rounded down; more than the whole if the parts do not compete. */
    static long part(long whole, long part, long parts) {
        return BigInteger.valueOf(whole)
                .multiply(BigInteger.valueOf(part))
                .divide(BigInteger.valueOf(parts))
                .min(BigInteger.valueOf(Amount.MOST))
                .longValue();
    }
}
