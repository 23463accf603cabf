package io.slotwise.core.planner.queue;

import io.slotwise.core.queue.Queue;
import io.slotwise.core.queue.QueueEntitlements;
import io.slotwise.core.queue.QueueState;
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

/**
 * The order in which gangs of different queues are served.
 *
 * <p>From the root down, the queues with waiting gangs compete. A queue comes first if its next gang stays within its
 * guarantee in the first second in which the gang may start, next to running, promised and already ranked gangs. Then
 * the queue with the least share comes, then the name decides. The share is the largest, over the resources of the
 * cluster, of the use divided by the entitlement. The use is the unit-seconds of running gangs, promises and ranked
 * gangs, and of past use. The entitlement is that of {@link QueueEntitlements} in this second among the queues with
 * waiting gangs. A use of what a queue is not entitled to is larger than any share. Gangs whose queue does not exist
 * come last.
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

    private final Map<String, Branch> branches = new HashMap<>();

    EntitlementOrder(QueueTimeline queues, long now) {
        this.queues = queues;
        this.tree = queues.tree();
        this.now = now;
        this.resources = QueueEntitlements.resources(tree);
    }

    /** A queue, or the own gangs of a queue. */
    private final class Branch implements Comparable<Branch> {
        private final String name;
        private final boolean own;
        private final BigInteger[] entitled;
        private final BigInteger[] used = new BigInteger[resources.size()];
        private final PriorityQueue<Branch> children = new PriorityQueue<>();
        private final ArrayDeque<PlanningGang> gangs = new ArrayDeque<>();
        private Resources rankedResources = Resources.NONE;
        private boolean guaranteed;
        private BigInteger part = BigInteger.ZERO;
        private BigInteger whole = BigInteger.ONE;

        Branch(String name, boolean own, long[] entitled) {
            this.name = name;
            this.own = own;
            this.entitled =
                    Arrays.stream(entitled).mapToObj(BigInteger::valueOf).toArray(BigInteger[]::new);
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

        private void rank(PlanningGang gang) {
            if (!gang.promised()) {
                rankedResources = rankedResources.plus(gang.gang.total());
                add(gang.gang.total(), gang.gang.runtime());
            }
        }

        void add(Resources total, long seconds) {
            for (int i = 0; i < used.length; i++) {
                long amount = total.get(resources.get(i));
                if (amount > 0) {
                    used[i] = used[i].add(BigInteger.valueOf(amount).multiply(BigInteger.valueOf(seconds)));
                }
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
        QueueEntitlements entitlements = new QueueEntitlements(tree, now, waiting.keySet());
        for (String queue : tree.names()) {
            branches.put(queue, new Branch(queue, false, entitlements.of(queue)));
            Branch ownBranch = new Branch(queue, true, entitlements.ofOwn(queue));
            ownBranch.gangs.addAll(waiting.getOrDefault(queue, new ArrayDeque<>()));
            branches.put(ownName(queue), ownBranch);
        }
        Branch rootBranch = Objects.requireNonNull(branches.get(Queue.ROOT));
        addUse(gangs);
        enter(rootBranch);
        List<PlanningGang> order = new ArrayList<>(gangs.size());
        while (!rootBranch.isEmpty()) {
            order.add(rootBranch.remove());
        }
        order.addAll(last);
        return order;
    }

    private static String ownName(String queue) {
        return queue + "/";
    }

    /** Adds the use of running gangs, promises and the past to the queues and all queues above. */
    private void addUse(List<PlanningGang> gangs) {
        QueueState state = queues.state();
        for (QueueUse use : state.running()) {
            long seconds = use.interval().end() - Math.max(now, use.interval().start());
            addUse(use.queue(), use.total(), Math.max(0, seconds));
        }
        state.past().forEach((queue, hours) -> addUse(queue, hours, 3600));
        for (PlanningGang gang : gangs) {
            String queue = gang.gang.queue();
            if (gang.promised() && queue != null) {
                addUse(queue, gang.gang.total(), gang.promisedWindow().runtime());
            }
        }
    }

    private void addUse(String queue, Resources total, long seconds) {
        if (tree.has(queue)) {
            Objects.requireNonNull(branches.get(ownName(queue))).add(total, seconds);
            tree.path(queue)
                    .forEach(
                            above -> Objects.requireNonNull(branches.get(above)).add(total, seconds));
        }
    }

    /** Lets the branches with gangs enter the competition of their parent, from the lowest level up. */
    private void enter(Branch branch) {
        for (String child : tree.children(branch.name)) {
            Branch childBranch = Objects.requireNonNull(branches.get(child));
            enter(childBranch);
            add(branch, childBranch);
        }
        add(branch, Objects.requireNonNull(branches.get(ownName(branch.name))));
    }

    private static void add(Branch branch, Branch childBranch) {
        if (!childBranch.isEmpty()) {
            childBranch.refresh();
            branch.children.add(childBranch);
        }
    }
}
