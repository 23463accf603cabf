package io.slotwise.testing;

import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rules of queues in one second, from the stated amounts alone: the guarantee of a queue, the amounts available to
 * it, and the use beyond. It follows the recursion of Kueue's {@code available}, and none of the planner's code.
 */
public final class QueueOracle {
    private final QueueTree tree;
    private final Resources capacity;
    private final Collection<QueueUse> uses;
    private final Map<String, List<String>> children = new HashMap<>();
    private final Set<String> counted = new TreeSet<>();
    private final Set<String> lent = new TreeSet<>();

    public QueueOracle(QueueTree tree, Resources capacity, Collection<QueueUse> uses) {
        this.tree = tree;
        this.capacity = capacity;
        this.uses = uses;
        for (String name : tree.names()) {
            Queue queue = tree.queue(name);
            counted.addAll(queue.guarantee().keySet());
            counted.addAll(queue.limit().keySet());
            counted.addAll(queue.lending().keySet());
            lent.addAll(queue.lending().keySet());
            String parent = tree.parent(name);
            if (parent != null) {
                children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(name);
            }
        }
    }

    /** Returns whether a gang may use its queue in every second of {@code [from, to)}. */
    public boolean allows(String queue, Resources total, long from, long to) {
        for (long second = from; second < to; second++) {
            if (!allows(queue, total, second)) {
                return false;
            }
        }
        return true;
    }

    public boolean allows(String queue, Resources total, long second) {
        if (!tree.has(queue)) {
            return false;
        }
        for (String above : tree.path(queue)) {
            if (tree.queue(above).suspended()) {
                return false;
            }
        }
        return counted.stream()
                .allMatch(resource ->
                        total.get(resource) == 0 || new Second(resource, second).allows(queue, total.get(resource)));
    }

    /** Returns whether a queue uses more of some of these resources than it is guaranteed. */
    public boolean isBeyond(String queue, Resources total, long second) {
        return counted.stream().anyMatch(resource -> {
            Second here = new Second(resource, second);
            return total.get(resource) > 0 && here.total(queue) > here.guarantee(queue);
        });
    }

    /** Returns whether the use of a queue or of one above is more than its limit. */
    public boolean isOverLimit(String queue, long second) {
        return counted.stream().anyMatch(resource -> {
            Second here = new Second(resource, second);
            return tree.path(queue).stream().anyMatch(above -> here.total(above) > here.limit(above));
        });
    }

    private final class Second {
        private final String resource;
        private final long second;
        private final Map<String, Long> figures = new HashMap<>();

        Second(String resource, long second) {
            this.resource = resource;
            this.second = second;
        }

        private List<String> children(String queue) {
            return children.getOrDefault(queue, List.of());
        }

        /** Computes a figure once. */
        private long once(String figure, String queue, ToLongFunction<String> compute) {
            Long known = figures.get(figure + " " + queue);
            if (known == null) {
                known = compute.applyAsLong(queue);
                figures.put(figure + " " + queue, known);
            }
            return known;
        }

        long guarantee(String queue) {
            return once("guarantee", queue, this::computedGuarantee);
        }

        private long pool(String queue) {
            return once("pool", queue, this::computedPool);
        }

        private long need(String queue) {
            return once("need", queue, this::computedNeed);
        }

        private @Nullable Amount stated(String queue, Function<Queue, Map<String, Amount>> kind) {
            return kind.apply(tree.queue(queue)).get(resource);
        }

        private long valueOf(Amount amount, long whole) {
            return amount.units().at(second) + amount.millionths().at(second) * whole / 1_000_000;
        }

        private long computedGuarantee(String queue) {
            Amount amount = stated(queue, Queue::guarantee);
            String parent = tree.parent(queue);
            if (amount != null) {
                return valueOf(
                        amount,
                        !amount.isPart()
                                        || parent == null
                                        || (parent.equals(Queue.ROOT) && stated(Queue.ROOT, Queue::guarantee) == null)
                                ? capacity.get(resource)
                                : guarantee(parent));
            }
            long sum = children(queue).stream().mapToLong(this::guarantee).sum();
            return parent == null ? Math.max(sum, capacity.get(resource)) : sum;
        }

        long limit(String queue) {
            String parent = tree.parent(queue);
            long above = parent == null ? Amount.MOST : limit(parent);
            Amount amount = stated(queue, Queue::limit);
            if (amount == null) {
                return above;
            }
            return Math.min(above, valueOf(amount, above == Amount.MOST ? guarantee(Queue.ROOT) : above));
        }

        private long own(String queue) {
            return uses.stream()
                    .filter(use -> use.queue().equals(queue)
                            && use.interval().start() <= second
                            && second < use.interval().end())
                    .mapToLong(use -> use.total().get(resource))
                    .sum();
        }

        long total(String queue) {
            return own(queue) + children(queue).stream().mapToLong(this::total).sum();
        }

        private long computedPool(String queue) {
            long pool = guarantee(queue);
            for (String child : children(queue)) {
                pool += pool(child) - kept(child) - guarantee(child);
            }
            return pool;
        }

        private long kept(String queue) {
            Amount lending = stated(queue, Queue::lending);
            return lending == null || tree.parent(queue) == null
                    ? 0
                    : Math.max(0, pool(queue) - valueOf(lending, guarantee(queue)));
        }

        private long computedNeed(String queue) {
            long need = own(queue);
            for (String child : children(queue)) {
                need += Math.max(0, need(child) - kept(child));
            }
            return need;
        }

        boolean allows(String queue, long amount) {
            for (String above : tree.path(queue)) {
                long limit = limit(above);
                if (limit < Amount.MOST && total(above) + amount > limit) {
                    return false;
                }
            }
            return (stated(Queue.ROOT, Queue::guarantee) == null && !lent.contains(resource)) || fits(queue, amount);
        }

        /** Returns whether what the queue keeps, and then what is available to its parent, is enough. */
        private boolean fits(String queue, long amount) {
            String parent = tree.parent(queue);
            if (parent == null) {
                return need(queue) + amount <= pool(queue);
            }
            long local = Math.max(0, kept(queue) - need(queue));
            return amount <= local || fits(Objects.requireNonNull(parent), amount - local);
        }
    }
}
