package io.slotwise.core.queue;

import io.slotwise.core.queue.QueueTree.Member;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The use of each queue over time. Tells which seconds the rules of {@link QueueTree} close to a further gang, and
 * which are borrowed. Working state of one planning run. Several threads may read it while no thread changes it.
 *
 * <p>A root without a stated guarantee bounds nothing if all queues lend all of theirs: the nodes do.
 *
 * <p>With d queues on the path to the root, r resources and b pieces each, a change and a question take O(d r b).
 */
public final class QueueTimeline {
    private final QueueState state;
    private final QueueTree tree;

    /** True if some queue keeps a part of a resource for itself, by position of the resource. */
    private final boolean[] keeps;

    /** The use by all gangs below a queue, by its index and the position of the resource. */
    private final UseLine[][] totals;

    /** The need of a queue beyond what queues below it keep. The same objects as the totals if none keeps anything. */
    private final UseLine[][] needs;

    private final Map<String, QueueUse> running = new HashMap<>();

    /** The queues whose use has changed since the last call of {@link #borrowing}, by index. */
    private final BitSet changed = new BitSet();

    /** The queues that use more than they are guaranteed, as of that call, by index. */
    private final BitSet borrowing = new BitSet();

    private Map<String, Set<String>> borrowingByTop = Map.of();

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
        for (int i = 0; i < resources; i++) {
            for (Member member : tree.members()) {
                keeps[i] |= !member.shares().get(i).kept().equals(StepFunction.constant(0));
            }
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
    StepFunction use(String queue, String resource) {
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
        Member queueMember = tree.find(queue);
        if (queueMember == null) {
            return;
        }
        long[] amounts = tree.counted(total);
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] == 0) {
                continue;
            }
            Piece first = new Piece(interval.start(), interval.end(), sign * amounts[i]);
            List<Piece> pieces = List.of(first);
            for (Member member = queueMember; member != null; member = member.parent()) {
                add(totals[member.index()][i], List.of(first));
                changed.set(member.index());
                if (keeps[i]) {
                    List<Piece> above = passedOn(member, i, pieces);
                    add(needs[member.index()][i], pieces);
                    pieces = above;
                }
            }
        }
    }

    private static void add(UseLine line, List<Piece> pieces) {
        pieces.forEach(piece -> line.add(piece.from, piece.to, piece.amount));
    }

    /** Returns by how much a queue's need beyond what it keeps changes if its need changes by these amounts. */
    private List<Piece> passedOn(Member member, int resource, List<Piece> pieces) {
        List<Piece> passed = new ArrayList<>();
        StepFunction kept = member.shares().get(resource).kept();
        for (Piece piece : pieces) {
            each(needs[member.index()][resource], kept, piece, (from, to, need, bound) -> {
                long more = Math.max(0, need + piece.amount - bound) - Math.max(0, need - bound);
                if (more != 0) {
                    passed.add(new Piece(from, to, more));
                }
            });
        }
        return passed;
    }

    /** Visits the pieces of a use and a bound in the seconds of a piece. */
    private static void each(UseLine line, StepFunction boundFunction, Piece piece, PieceVisitor visitor) {
        int i = line.pieceAt(piece.from);
        int j = boundFunction.pieceAt(piece.from);
        for (long second = piece.from; second < piece.to; ) {
            long next = Math.min(piece.to, Math.min(line.end(i), boundFunction.end(j)));
            visitor.visit(second, next, line.value(i), boundFunction.value(j));
            i += line.end(i) == next && i + 1 < line.pieces() ? 1 : 0;
            j += boundFunction.end(j) == next && j + 1 < boundFunction.pieces() ? 1 : 0;
            second = next;
        }
    }

    /** Adds the seconds of a piece in which a use and the piece's amount together exceed a bound. */
    private static void addExcess(UseLine line, StepFunction boundFunction, Piece piece, List<Interval> seconds) {
        int i = boundFunction.pieceAt(piece.from);
        for (; i < boundFunction.pieces() && boundFunction.start(i) < piece.to; i++) {
            if (boundFunction.value(i) < Amount.MOST) {
                line.addExcess(
                        boundFunction.value(i) - piece.amount,
                        Math.max(piece.from, boundFunction.start(i)),
                        Math.min(piece.to, boundFunction.end(i)),
                        seconds);
            }
        }
    }

    /**
     * Returns the seconds of an interval that are closed to a gang: disjoint, ascending, and not adjacent.
     *
     * @param total the sum of the gang's requests
     * @param ownInterval the seconds of a window of the same gang with its use in this timeline, which stay open; null
     *     if there is none
     */
    public List<Interval> closed(String queue, Resources total, Interval interval, @Nullable Interval ownInterval) {
        Member queueMember = tree.find(queue);
        List<Interval> closed = new ArrayList<>();
        if (queueMember == null || !queueMember.open()) {
            closed.add(interval);
        } else {
            long[] amounts = tree.counted(total);
            for (int i = 0; i < amounts.length; i++) {
                if (amounts[i] > 0) {
                    Piece piece = new Piece(interval.start(), interval.end(), amounts[i]);
                    for (Member member = queueMember; member != null; member = member.parent()) {
                        QueueShares shares = member.shares().get(i);
                        if (shares.ownLimit()) {
                            addExcess(totals[member.index()][i], shares.limit(), piece, closed);
                        }
                    }
                    addBeyondPool(queueMember, i, piece, closed);
                }
            }
        }
        List<Interval> union = Interval.union(closed);
        return ownInterval == null ? union : Interval.without(union, ownInterval);
    }

    /** Returns whether no second of an interval is closed to a gang, see {@link #closed}. */
    public boolean allows(String queue, Resources total, Interval interval, @Nullable Interval ownInterval) {
        return closed(queue, total, interval, ownInterval).isEmpty();
    }

    private void addBeyondPool(Member queueMember, int resource, Piece piece, List<Interval> closed) {
        Member rootMember = tree.members().getFirst();
        if (!keeps[resource]
                && !rootMember.queue().guarantee().containsKey(tree.resources().get(resource))) {
            return;
        }
        List<Piece> pieces = List.of(piece);
        if (keeps[resource]) {
            for (Member member = queueMember; member.parent() != null; member = member.parent()) {
                pieces = passedOn(member, resource, pieces);
            }
        }
        StepFunction pool = rootMember.shares().get(resource).pool();
        for (Piece passedPiece : pieces) {
            addExcess(needs[rootMember.index()][resource], pool, passedPiece, closed);
        }
    }

    /**
     * Returns the seconds of an interval in which a queue, with a further use, has more of a resource than it is
     * guaranteed: disjoint and ascending.
     *
     * @param total requests; only their resources count
     * @param added whether the requests are the further use; otherwise there is none
     */
    private List<Interval> unguaranteed(String queue, Resources total, Interval interval, boolean added) {
        Member member = tree.find(queue);
        long[] amounts = tree.counted(total);
        List<Interval> seconds = new ArrayList<>();
        for (int i = 0; member != null && i < amounts.length; i++) {
            if (amounts[i] > 0) {
                Piece piece = new Piece(interval.start(), interval.end(), added ? amounts[i] : 0);
                addExcess(totals[member.index()][i], member.shares().get(i).guarantee(), piece, seconds);
            }
        }
        return Interval.union(seconds);
    }

    /** Returns the seconds in which a gang with these requests would not be within the guarantee of each queue. */
    public List<Interval> unguaranteed(List<String> queues, Resources total, Interval interval) {
        return Interval.union(queues.stream()
                .flatMap(queue -> unguaranteed(queue, total, interval, true).stream())
                .toList());
    }

    /** Returns whether a queue of the tree stays within its guarantee in a second with this use added. */
    public boolean isGuaranteed(String queue, Resources total, long second) {
        return unguaranteed(queue, total, new Interval(second, second + 1), true)
                .isEmpty();
    }

    /** Returns whether there is a second of an interval in which each queue uses more than it is guaranteed. */
    public boolean borrows(List<String> queues, Resources total, Interval interval) {
        List<Interval> borrowed = List.of(interval);
        for (String queue : queues) {
            borrowed = borrowed.stream()
                    .flatMap(seconds -> unguaranteed(queue, total, seconds, false).stream())
                    .toList();
        }
        return !borrowed.isEmpty();
    }

    /**
     * Returns the queues by the first queue, from each up to the root, that uses no more of each resource than it is
     * guaranteed in any second; the root if there is none. The same object until a queue begins or ceases to borrow.
     * O(c r b) for c queues with changes since the last call, and O(queues) for a new object.
     */
    public synchronized Map<String, Set<String>> borrowing() {
        BitSet before = (BitSet) borrowing.clone();
        changed.stream()
                .forEach(index -> borrowing.set(index, borrows(tree.members().get(index))));
        changed.clear();
        if (borrowingByTop.isEmpty() || !borrowing.equals(before)) {
            String[] tops = new String[totals.length];
            for (Member member : tree.members()) {
                Member parent = member.parent();
                tops[member.index()] =
                        parent != null && borrowing.get(member.index()) ? tops[parent.index()] : member.name();
            }
            borrowingByTop = tree.members().stream()
                    .collect(Collectors.groupingBy(
                            member -> tops[member.index()], Collectors.mapping(Member::name, Collectors.toSet())));
        }
        return borrowingByTop;
    }

    private boolean borrows(Member member) {
        List<Interval> seconds = new ArrayList<>();
        Piece wholePiece = new Piece(-Interval.FOREVER, Interval.FOREVER, 0);
        for (int i = 0; i < tree.resources().size(); i++) {
            addExcess(totals[member.index()][i], member.shares().get(i).guarantee(), wholePiece, seconds);
        }
        return !seconds.isEmpty();
    }

    /**
     * Returns the seconds from the first to the last one of an interval in which a queue uses more of a resource than
     * it is guaranteed, or null if there is none. Only resources that the gang requests count.
     */
    public @Nullable Interval borrowed(String queue, Resources total, Interval interval) {
        List<Interval> borrowed = unguaranteed(queue, total, interval, false);
        return borrowed.isEmpty()
                ? null
                : new Interval(borrowed.getFirst().start(), borrowed.getLast().end());
    }
}
