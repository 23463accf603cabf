package io.slotwise.core.queue;

import io.slotwise.core.queue.QueueTree.Member;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the gangs of each queue use over time, and the seconds that are closed to a further gang by the rules of {@link
 * QueueTree}. Working state of one planning run. Several threads may read it while no thread changes it.
 *
 * <p>A root without a stated guarantee bounds nothing if all queues lend all of theirs: the nodes do.
 *
 * <p>With d queues on the path to the root, r resources and b pieces each, a change and a question take O(d r b).
 */
public final class QueueTimeline {
    private final QueueState state;
    private final QueueTree tree;

    /** Whether some queue keeps a part of a resource for itself, by position of the resource. */
    private final boolean[] keeps;

    /** The use by all gangs below a queue, by its index and the position of the resource. */
    private final UseLine[][] totals;

    /** What a queue needs beyond what queues below it keep. The same objects as the totals if none keeps anything. */
    private final UseLine[][] needs;

    private final Map<String, QueueUse> running = new HashMap<>();

    /** Seconds with one amount. */
    private record Piece(long from, long to, long amount) {}

    @FunctionalInterface
    private interface PieceVisitor {
        void visit(long from, long to, long use, long bound);
    }

    public QueueTimeline(QueueState state) {
        this.state = state;
        this.tree = state.tree();
        int resources = tree.resources().size();
        this.keeps = new boolean[resources];
        this.totals = new UseLine[tree.members().size()][resources];
        this.needs = new UseLine[tree.members().size()][resources];
        StepFunction nothing = StepFunction.constant(0);
        for (int i = 0; i < resources; i++) {
            int resource = i;
            keeps[i] = tree.members().stream()
                    .anyMatch(member -> !member.shares().get(resource).kept().equals(nothing));
            for (int member = 0; member < totals.length; member++) {
                totals[member][i] = new UseLine();
                needs[member][i] = keeps[i] ? new UseLine() : totals[member][i];
            }
        }
        for (QueueUse use : state.running()) {
            running.put(use.holder(), use);
            take(use.queue(), use.total(), use.interval());
        }
    }

    /** Returns the queues as they were before any window took its use. */
    public QueueState state() {
        return state;
    }

    public QueueTree tree() {
        return tree;
    }

    /** Returns the use of a resource by all gangs of a queue and of the queues below it. */
    public StepFunction use(String queue, String resource) {
        Member member = tree.find(queue);
        int i = tree.resources().indexOf(resource);
        return member == null || i < 0 ? StepFunction.constant(0) : totals[member.index()][i].function();
    }

    /** Adds the use of a gang. A queue that is not in the tree is ignored. */
    public void take(String queue, Resources total, Interval interval) {
        change(queue, total, interval, 1);
    }

    /** Gives up what {@link #take} took. */
    public void giveUp(String queue, Resources total, Interval interval) {
        change(queue, total, interval, -1);
    }

    /** Ends the use of a running gang at a second, or does nothing for a holder that uses no queue. */
    public void leave(String holder, long second) {
        shorten(holder, second, -1);
    }

    /** Takes again what {@link #leave} gave up. */
    public void stay(String holder, long second) {
        shorten(holder, second, 1);
    }

    private void shorten(String holder, long second, int sign) {
        QueueUse use = running.get(holder);
        if (use != null && second < use.interval().end()) {
            long from = Math.max(second, use.interval().start());
            change(use.queue(), use.total(), new Interval(from, use.interval().end()), sign);
        }
    }

    private void change(String queue, Resources total, Interval interval, int sign) {
        Member own = tree.find(queue);
        if (own == null) {
            return;
        }
        long[] amounts = tree.counted(total);
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] == 0) {
                continue;
            }
            for (Member member = own; member != null; member = member.parent()) {
                totals[member.index()][i].add(interval.start(), interval.end(), sign * amounts[i]);
            }
            List<Piece> pieces = List.of(new Piece(interval.start(), interval.end(), sign * amounts[i]));
            for (Member member = own; keeps[i] && member != null && !pieces.isEmpty(); member = member.parent()) {
                List<Piece> above = passedOn(member, i, pieces);
                for (Piece piece : pieces) {
                    needs[member.index()][i].add(piece.from(), piece.to(), piece.amount());
                }
                pieces = above;
            }
        }
    }

    /** Returns by how much a queue's need beyond what it keeps changes if its need changes by these amounts. */
    private List<Piece> passedOn(Member member, int resource, List<Piece> pieces) {
        List<Piece> passed = new ArrayList<>();
        for (Piece piece : pieces) {
            each(
                    needs[member.index()][resource],
                    member.shares().get(resource).kept(),
                    piece.from(),
                    piece.to(),
                    (from, to, need, kept) -> {
                        long more = Math.max(0, need + piece.amount() - kept) - Math.max(0, need - kept);
                        if (more != 0) {
                            passed.add(new Piece(from, to, more));
                        }
                    });
        }
        return passed;
    }

    /** Visits the pieces of a use and a bound on {@code [from, to)}. */
    private static void each(UseLine use, StepFunction bound, long from, long to, PieceVisitor visitor) {
        int i = use.pieceAt(from);
        int j = bound.pieceAt(from);
        for (long second = from; second < to; ) {
            long next = Math.min(to, Math.min(use.end(i), bound.end(j)));
            visitor.visit(second, next, use.value(i), bound.value(j));
            i += use.end(i) == next && i + 1 < use.pieces() ? 1 : 0;
            j += bound.end(j) == next && j + 1 < bound.pieces() ? 1 : 0;
            second = next;
        }
    }

    /**
     * Returns the seconds from {@code from} until before {@code to} that are closed to a gang: disjoint, ascending, and
     * not adjacent.
     *
     * @param total the sum of the gang's requests
     * @param own the seconds of a window of the same gang with its use in this timeline, which stay open; null if there
     *     is none
     */
    public List<Interval> closed(String queue, Resources total, Interval within, @Nullable Interval own) {
        List<Interval> closed = new ArrayList<>();
        Member member = tree.find(queue);
        if (member == null || !member.open()) {
            closed.add(within);
        } else {
            long[] amounts = tree.counted(total);
            for (int i = 0; i < amounts.length; i++) {
                if (amounts[i] > 0) {
                    addBeyondLimits(member, i, new Piece(within.start(), within.end(), amounts[i]), closed);
                    addBeyondPool(member, i, new Piece(within.start(), within.end(), amounts[i]), closed);
                }
            }
        }
        return without(own, merged(closed));
    }

    /** Returns whether no second of an interval is closed to a gang, see {@link #closed}. */
    public boolean allows(String queue, Resources total, Interval interval, @Nullable Interval own) {
        return closed(queue, total, interval, own).isEmpty();
    }

    private void addBeyondLimits(Member own, int resource, Piece asked, List<Interval> closed) {
        for (Member member = own; member != null; member = member.parent()) {
            QueueShares shares = member.shares().get(resource);
            if (shares.ownLimit()) {
                each(
                        totals[member.index()][resource],
                        shares.limit(),
                        asked.from(),
                        asked.to(),
                        (from, to, use, limit) -> {
                            if (limit < Amount.MOST && use + asked.amount() > limit) {
                                closed.add(new Interval(from, to));
                            }
                        });
            }
        }
    }

    private void addBeyondPool(Member own, int resource, Piece asked, List<Interval> closed) {
        Member root = tree.members().getFirst();
        if (!keeps[resource]
                && !root.queue().guarantee().containsKey(tree.resources().get(resource))) {
            return;
        }
        List<Piece> pieces = List.of(asked);
        if (keeps[resource]) {
            for (Member member = own; member != root && member != null; member = member.parent()) {
                pieces = passedOn(member, resource, pieces);
            }
        }
        for (Piece piece : pieces) {
            each(
                    needs[root.index()][resource],
                    root.shares().get(resource).pool(),
                    piece.from(),
                    piece.to(),
                    (from, to, need, pool) -> {
                        if (need + piece.amount() > pool) {
                            closed.add(new Interval(from, to));
                        }
                    });
        }
    }

    private static List<Interval> merged(List<Interval> intervals) {
        List<Interval> merged = new ArrayList<>();
        intervals.sort(Comparator.comparingLong(Interval::start).thenComparingLong(Interval::end));
        for (Interval interval : intervals) {
            if (!merged.isEmpty() && interval.start() <= merged.getLast().end()) {
                Interval last = merged.removeLast();
                merged.add(new Interval(last.start(), Math.max(last.end(), interval.end())));
            } else {
                merged.add(interval);
            }
        }
        return merged;
    }

    private static List<Interval> without(@Nullable Interval own, List<Interval> intervals) {
        if (own == null) {
            return intervals;
        }
        List<Interval> left = new ArrayList<>();
        for (Interval interval : intervals) {
            if (interval.start() < Math.min(own.start(), interval.end())) {
                left.add(new Interval(interval.start(), Math.min(own.start(), interval.end())));
            }
            if (Math.max(own.end(), interval.start()) < interval.end()) {
                left.add(new Interval(Math.max(own.end(), interval.start()), interval.end()));
            }
        }
        return left;
    }

    /** Returns whether a queue of the tree stays within its guarantee in a second with this use added. */
    public boolean isGuaranteed(String queue, Resources more, long second) {
        Member member = tree.find(queue);
        long[] amounts = tree.counted(more);
        for (int i = 0; member != null && i < amounts.length; i++) {
            UseLine total = totals[member.index()][i];
            if (amounts[i] > 0
                    && total.value(total.pieceAt(second)) + amounts[i]
                            > member.shares().get(i).guarantee().at(second)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the seconds from the first to the last one of an interval in which a queue uses more of a resource than
     * it is guaranteed, or null if there is none. Only resources that the gang requests count.
     */
    public @Nullable Interval borrowed(String queue, Resources total, Interval interval) {
        Member member = tree.find(queue);
        if (member == null) {
            return null;
        }
        List<Interval> beyond = new ArrayList<>();
        long[] amounts = tree.counted(total);
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] > 0) {
                each(
                        totals[member.index()][i],
                        member.shares().get(i).guarantee(),
                        interval.start(),
                        interval.end(),
                        (from, to, use, guarantee) -> {
                            if (use > guarantee) {
                                beyond.add(new Interval(from, to));
                            }
                        });
            }
        }
        List<Interval> all = merged(beyond);
        return all.isEmpty()
                ? null
                : new Interval(all.getFirst().start(), all.getLast().end());
    }
}
