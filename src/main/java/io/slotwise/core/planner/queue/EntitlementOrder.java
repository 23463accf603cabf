package io.slotwise.core.planner.queue;

import io.slotwise.core.combination.Account;
import io.slotwise.core.money.Cost;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueEntitlements;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The order in which gangs of different queues are served.
 *
 * <p>From the root down, the queues with waiting gangs compete. A queue comes first if its next gang stays within its
 * guarantee in the first second in which the gang may start, next to running, promised and already ranked gangs. Then
 * the queue with the least share comes, then the name decides. The share is the largest, over the resources of the
 * cluster, of the use divided by the entitlement. The use is the unit-seconds of running gangs, promises and ranked
 * gangs. A running gang counts for the mean runtime of the gangs to serve, whatever its own: so a queue of long gangs
 * gets as many nodes at a time as a queue of short ones. The entitlement is that of {@link QueueEntitlements} in this
 * second among the queues with waiting gangs. A use of what a queue is not entitled to is larger than any share.
 * Gangs whose queue does not exist come last.
 *
 * <p>If queues compete by money, the share is the cost of gangs divided by the largest part of a resource of the
 * cluster that the queue is entitled to. The cost is that of ended and running gangs, weighted by age, of promises and
 * of the cheapest windows of ranked gangs.
 *
 * <p>Within a queue the given order stays. Exact in integers. With g gangs, d levels and r resources: O(g d (r + log
 * g)).
 *
 * <p>Source: the dominant share is of A. Ghodsi et al., "Dominant Resource Fairness: Fair Allocation of Multiple
 * Resource Types" (2011), applied in each level.
 */
final class EntitlementOrder {
    private final QueueTimeline queues;
    private final QueueTree tree;
    private final long now;
    private final List<String> resources;
    private final Map<String, ArrayDeque<PlanningGang>> waiting = new HashMap<>();

    /** The branches of the queues' own gangs, by queue. */
    private final Map<String, Branch> ownBranches = new HashMap<>();

    /** The use of gangs while the order is made. */
    private final Map<PlanningGang, BigInteger[]> uses = new HashMap<>();

    private final @Nullable QueueOrder moneyOrder;

    /**
     * @param moneyOrder the costs of gangs and queues, or null if queues do not compete by money
     */
    EntitlementOrder(QueueTimeline queues, long now, @Nullable QueueOrder moneyOrder) {
        this.queues = queues;
        this.moneyOrder = moneyOrder;
        this.tree = queues.tree();
        this.now = now;
        this.resources = QueueEntitlements.resources(tree);
    }

    /** A queue, or the own gangs of a queue. */
    private final class Branch implements Comparable<Branch> {
        private final String name;
        private final @Nullable Branch parent;
        private final boolean own;
        private final BigInteger[] entitled;
        private final BigInteger[] used;
        private final List<Branch> all = new ArrayList<>();
        /** The branches below it that have gangs and compete. */
        private final PriorityQueue<Branch> children = new PriorityQueue<>();

        private final ArrayDeque<PlanningGang> gangs = new ArrayDeque<>();
        private Resources rankedResources = Resources.NONE;
        private boolean guaranteed;
        private BigInteger part = BigInteger.ZERO;
        private BigInteger whole = BigInteger.ONE;

        Branch(String name, @Nullable Branch parent, boolean own, BigInteger[] entitled) {
            this.name = name;
            this.parent = parent;
            this.own = own;
            this.entitled = entitled;
            this.used = new BigInteger[entitled.length];
            Arrays.fill(used, BigInteger.ZERO);
        }

        /** Returns the next gang. Precondition: there is one. */
        PlanningGang next() {
            return own
                    ? gangs.element()
                    : Objects.requireNonNull(children.peek()).next();
        }

        PlanningGang remove() {
            if (own) {
                PlanningGang gang = gangs.remove();
                rank(gang);
                return gang;
            }
            Branch first = children.remove();
            PlanningGang gang = first.remove();
            if (!first.isEmpty()) {
                first.refresh();
                children.add(first);
            }
            rank(gang);
            return gang;
        }

        boolean isEmpty() {
            return own ? gangs.isEmpty() : children.isEmpty();
        }

        /** Lets the branches with gangs compete, from the lowest level up. */
        void enter() {
            for (Branch branch : all) {
                branch.enter();
                if (!branch.isEmpty()) {
                    branch.refresh();
                    children.add(branch);
                }
            }
        }

        private void rank(PlanningGang gang) {
            if (!gang.promised()) {
                rankedResources = rankedResources.plus(gang.gang.total());
                add(use(gang));
            }
        }

        void add(BigInteger[] use) {
            for (int i = 0; i < used.length; i++) {
                used[i] = used[i].add(use[i]);
            }
        }

        /** Computes the figures by which this branch is compared. */
        void refresh() {
            PlanningGang gang = next();
            Resources resources = gang.promised() ? rankedResources : rankedResources.plus(gang.gang.total());
            guaranteed = !own && queues.isGuaranteed(name, resources, Math.max(now, gang.gang.earliestStart()));
            part = BigInteger.ZERO;
            whole = BigInteger.ONE;
            for (int i = 0; i < used.length; i++) {
                if (compare(used[i], entitled[i], part, whole) > 0) {
                    part = used[i];
                    whole = entitled[i];
                }
            }
        }

        @Override
        public int compareTo(Branch other) {
            int order = Boolean.compare(other.guaranteed, guaranteed);
            order = order == 0 ? compare(part, whole, other.part, other.whole) : order;
            order = order == 0 ? Boolean.compare(other.own, own) : order;
            return order == 0 ? name.compareTo(other.name) : order;
        }
    }

    /** Compares two quotients. Something of nothing is more than all else, and nothing of nothing is zero. */
    private static int compare(BigInteger part, BigInteger whole, BigInteger otherPart, BigInteger otherWhole) {
        boolean boundless = part.signum() > 0 && whole.signum() == 0;
        boolean otherBoundless = otherPart.signum() > 0 && otherWhole.signum() == 0;
        if (boundless || otherBoundless) {
            return boundless && otherBoundless ? part.compareTo(otherPart) : Boolean.compare(boundless, otherBoundless);
        }
        return part.multiply(otherWhole.max(BigInteger.ONE)).compareTo(otherPart.multiply(whole.max(BigInteger.ONE)));
    }

    List<PlanningGang> of(List<PlanningGang> gangs) {
        List<PlanningGang> last = new ArrayList<>();
        for (PlanningGang gang : gangs) {
            String queue = gang.gang.queue();
            if (queue == null || !tree.has(queue)) {
                last.add(gang);
            } else {
                waiting.computeIfAbsent(queue, _ -> new ArrayDeque<>()).add(gang);
            }
        }
        Branch rootBranch = branch(Queue.ROOT, null, new QueueEntitlements(tree, now, waiting.keySet()));
        addUse(gangs);
        rootBranch.enter();
        List<PlanningGang> order = new ArrayList<>(gangs.size());
        while (!rootBranch.isEmpty()) {
            order.add(rootBranch.remove());
        }
        order.addAll(last);
        return order;
    }

    /** Returns the branch of a queue, above those of its own gangs and of the queues below it. */
    private Branch branch(String queue, @Nullable Branch parent, QueueEntitlements entitlements) {
        Branch branch = new Branch(queue, parent, false, entitled(entitlements.of(queue)));
        for (String child : tree.children(queue)) {
            branch.all.add(branch(child, branch, entitlements));
        }
        Branch ownBranch = new Branch(queue, branch, true, entitled(entitlements.ofOwn(queue)));
        ownBranch.gangs.addAll(waiting.getOrDefault(queue, new ArrayDeque<>()));
        branch.all.add(ownBranch);
        ownBranches.put(queue, ownBranch);
        return branch;
    }

    /** Returns what uses are compared with: each entitlement, or the largest part of the cluster if money counts. */
    private BigInteger[] entitled(long[] amounts) {
        BigInteger[] entitled =
                Arrays.stream(amounts).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
        if (moneyOrder == null) {
            return entitled;
        }
        BigInteger most = BigInteger.ZERO;
        for (int i = 0; i < entitled.length; i++) {
            // All parts have the product of the capacities as their denominator.
            for (int j = 0; j < entitled.length; j++) {
                long capacity = Math.max(1, tree.capacity().get(resources.get(j)));
                entitled[i] = j == i ? entitled[i] : entitled[i].multiply(BigInteger.valueOf(capacity));
            }
            most = most.max(entitled[i]);
        }
        return new BigInteger[] {most};
    }

    private BigInteger[] use(PlanningGang gang) {
        return uses.computeIfAbsent(
                gang,
                _ -> moneyOrder == null
                        ? use(
                                gang.gang.total(),
                                gang.promised() ? gang.promisedWindow().runtime() : gang.gang.runtime())
                        : new BigInteger[] {moneyOrder.use(gang).exact()});
    }

    private BigInteger[] use(Resources total, long seconds) {
        return resources.stream()
                .map(name -> BigInteger.valueOf(total.get(name)).multiply(BigInteger.valueOf(seconds)))
                .toArray(BigInteger[]::new);
    }

    /** Adds the use of gangs that have started, and of promises, to the queues and all queues above. */
    private void addUse(List<PlanningGang> gangs) {
        if (moneyOrder == null) {
            long seconds = gangs.stream().mapToLong(gang -> gang.gang.runtime()).sum() / Math.max(1, gangs.size());
            for (QueueUse use : queues.state().running()) {
                if (use.interval().end() > now) {
                    addUse(use.queue(), use(use.total(), seconds));
                }
            }
        } else {
            for (String queue : tree.names()) {
                Cost cost = moneyOrder.used().getOrDefault(Account.ofQueue(queue), Cost.ZERO);
                addUse(queue, new BigInteger[] {cost.exact()});
            }
        }
        for (PlanningGang gang : gangs) {
            String queue = gang.gang.queue();
            if (gang.promised() && queue != null && tree.has(queue)) {
                addUse(queue, use(gang));
            }
        }
    }

    private void addUse(String queue, BigInteger[] use) {
        for (Branch branch = ownBranches.get(queue); branch != null; branch = branch.parent) {
            branch.add(use);
        }
    }
}
