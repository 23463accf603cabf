package io.slotwise.core.queue;

import io.slotwise.core.queue.QueueTree.Member;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The use of each queue over time by gangs that do not change. It covers the resources of which some queue states an
 * amount, or all that gangs compete for if none does. With g gangs, n queues, d levels and r resources: O(g (log g + d
 * r) + n r).
 */
final class QueueUses {
    private final QueueTree tree;
    private final List<String> resources;

    /** By the index of the queue and the position of the resource. */
    private final StepFunction[][] functions;

    /** The start of a use with the sign 1, or its end with -1. */
    private record Change(long second, Member member, QueueUse use, int sign) {}

    QueueUses(QueueTree tree, List<QueueUse> uses) {
        this.tree = tree;
        this.resources = tree.resources().isEmpty() ? QueueEntitlements.resources(tree) : tree.resources();
        List<Change> changes = new ArrayList<>();
        for (QueueUse use : uses) {
            Member member = tree.find(use.queue());
            if (member != null) {
                changes.add(new Change(use.interval().start(), member, use, 1));
                changes.add(new Change(use.interval().end(), member, use, -1));
            }
        }
        changes.sort(Comparator.comparingLong(Change::second));
        int members = tree.members().size();
        long[][] sums = new long[members][resources.size()];
        StepFunction.Builder[][] builders = new StepFunction.Builder[members][resources.size()];
        for (Change change : changes) {
            long[] amounts = amounts(change);
            for (Member member = change.member; member != null; member = member.parent()) {
                int index = member.index();
                for (int i = 0; i < amounts.length; i++) {
                    if (amounts[i] != 0) {
                        sums[index][i] += amounts[i];
                        if (builders[index][i] == null) {
                            builders[index][i] = StepFunction.startingAt(0);
                        }
                        builders[index][i].then(change.second, sums[index][i]);
                    }
                }
            }
        }
        this.functions = new StepFunction[members][resources.size()];
        for (int index = 0; index < members; index++) {
            for (int i = 0; i < resources.size(); i++) {
                functions[index][i] =
                        builders[index][i] == null ? StepFunction.constant(0) : builders[index][i].build();
            }
        }
    }

    private long[] amounts(Change change) {
        return resources.stream()
                .mapToLong(resource ->
                        change.sign * Math.min(Amount.MOST, change.use.total().get(resource)))
                .toArray();
    }

    QueueTree tree() {
        return tree;
    }

    /** Returns the resources with a use, sorted. */
    List<String> resources() {
        return resources;
    }

    /** Returns the use of a resource by all gangs of a queue and of the queues below it. */
    StepFunction of(String queue, String resource) {
        Member member = tree.find(queue);
        int i = resources.indexOf(resource);
        return member == null || i < 0 ? StepFunction.constant(0) : functions[member.index()][i];
    }
}
