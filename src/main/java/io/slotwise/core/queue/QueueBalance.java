package io.slotwise.core.queue;

import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The guarantee and the use of a queue for one resource in one second. Amounts include the queues below.
 *
 * @param level the number of queues above
 * @param limit {@link Amount#MOST} for none
 * @param used by gangs that run
 * @param promised what windows that have not started use at most at once
 * @param borrowed the use beyond the guarantee
 * @param lent the part of the guarantee that other queues use. What siblings lend together is divided in proportion to
 *     what each may lend and does not use; remainders go to the first names.
 * @param entitled see {@link QueueEntitlements}
 */
public record QueueBalance(
        String queue,
        int level,
        String resource,
        long guarantee,
        long limit,
        long used,
        long promised,
        long borrowed,
        long lent,
        long entitled) {
    /**
     * Returns the balances of all queues: each behind its parent, siblings by name, resources by name. These are the
     * resources of which some queue states an amount, or all that gangs compete for if none does. With n queues, d
     * levels, g gangs and r resources: O(n (d + r) + g (log g + d r)).
     *
     * @param windows the use by windows that have not started
     * @param holders the queues with own gangs, which compete by their weights
     */
    public static List<QueueBalance> of(QueueState state, List<QueueUse> windows, Set<String> holders, long second) {
        QueueUses runningUses = new QueueUses(state.tree(), state.running());
        Balancing balancing = new Balancing(
                runningUses,
                new QueueUses(state.tree(), windows),
                new QueueEntitlements(state.tree(), second, holders),
                second,
                new ArrayList<>());
        balancing.add(Queue.ROOT, new long[runningUses.resources().size()], 0);
        return balancing.balances;
    }

    /** A pass over the tree from the root down. */
    private record Balancing(
            QueueUses runningUses,
            QueueUses windowUses,
            QueueEntitlements entitlements,
            long second,
            List<QueueBalance> balances) {
        void add(String queue, long[] lent, int level) {
            QueueTree tree = runningUses.tree();
            List<String> resources = runningUses.resources();
            for (int i = 0; i < lent.length; i++) {
                String resource = resources.get(i);
                balances.add(new QueueBalance(
                        queue,
                        level,
                        resource,
                        guarantee(queue, resource),
                        tree.limit(queue, resource).at(second),
                        used(queue, resource),
                        windowUses.of(queue, resource).max(second, Interval.FOREVER),
                        borrowed(queue, resource),
                        lent[i],
                        entitlements.of(queue, resource)));
            }
            List<String> children = tree.children(queue);
            long[][] lentByChildren = new long[children.size()][lent.length];
            for (int i = 0; i < lent.length; i++) {
                lend(queue, i, lent[i], lentByChildren);
            }
            for (int child = 0; child < lentByChildren.length; child++) {
                add(children.get(child), lentByChildren[child], level + 1);
            }
        }

        /**
         * Divides among the children of a queue what they lend: what they do not use, without what the queue itself
         * neither uses nor lends.
         */
        private void lend(String queue, int position, long lent, long[][] lentByChildren) {
            String resource = runningUses.resources().get(position);
            List<String> children = runningUses.tree().children(queue);
            long unused = children.stream()
                    .mapToLong(child -> Math.max(0, guarantee(child, resource) - used(child, resource)))
                    .sum();
            long[] lendable = children.stream()
                    .mapToLong(child -> lendable(child, resource))
                    .toArray();
            long all = Arrays.stream(lendable).sum();
            long idle = Math.max(0, guarantee(queue, resource) - lent - used(queue, resource));
            long together = Math.clamp(unused - idle, 0, all);
            long left = together;
            for (int child = 0; child < lendable.length && all > 0; child++) {
                lentByChildren[child][position] = QueueEntitlements.part(together, lendable[child], all);
                left -= lentByChildren[child][position];
            }
            for (int child = 0; child < lendable.length && left > 0; child++) {
                if (lentByChildren[child][position] < lendable[child]) {
                    lentByChildren[child][position]++;
                    left--;
                }
            }
        }

        /** Returns what a queue may lend of its guarantee and does not use. */
        private long lendable(String queue, String resource) {
            long guarantee = guarantee(queue, resource);
            Amount lendingAmount = runningUses.tree().queue(queue).lending().get(resource);
            long most = lendingAmount == null
                    ? guarantee
                    : lendingAmount
                            .over(runningUses.tree().guarantee(queue, resource))
                            .at(second);
            return Math.max(0, Math.min(most, guarantee - used(queue, resource)));
        }

        /** Returns the use beyond the guarantee; 0 of a resource of which no queue states an amount. */
        private long borrowed(String queue, String resource) {
            return runningUses.tree().resources().isEmpty()
                    ? 0
                    : Math.max(0, used(queue, resource) - guarantee(queue, resource));
        }

        private long guarantee(String queue, String resource) {
            return runningUses.tree().guarantee(queue, resource).at(second);
        }

        private long used(String queue, String resource) {
            return runningUses.of(queue, resource).at(second);
        }
    }
}
