package io.slotwise.core.planner.preemption;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the set of gangs whose displacement loses least and makes enough room.
 *
 * <p>The inputs are the losses of n gangs, the cheapest first, and two monotone tests. If a set may be displaced, each
 * subset may, too. If a set makes enough room, each superset does, too. Ties go to the set with the first gang in which
 * two sets differ.
 *
 * <p>Up to {@value #EXACT} gangs the search is exact: branch and bound, in which each gang in turn is taken or left. A
 * branch ends if it has lost as much as the best known set, if it makes enough room, or if it does not even with all
 * gangs that are left. At most {@code 2^(n + 1)} tests for room.
 *
 * <p>For more gangs the search is bounded. Bisection finds the shortest sequence, from the cheapest gang on, that may
 * be displaced together and makes enough room. The loss of its last gang is at most the largest loss in any set that
 * makes enough room. So the loss of a result within the sequence is at most the best loss times the number of its gangs
 * (in the first component in which they differ). A sequence of at most {@value #EXACT} gangs is searched exactly. In a
 * longer one, blocks of gangs are spared as long as there is enough room without them, halving in size, the largest
 * losses first. In the end each remaining gang is needed. O(n) tests for room, and O(s log n) for s needed gangs where
 * blocks are spared early.
 */
final class MinimumLossSet {
    /** The largest number of gangs of which every set is considered. */
    static final int EXACT = 10;

    private final List<DisplacementLoss> losses;
    private final Predicate<BitSet> allowed;
    private final Predicate<BitSet> suffices;
    private final Map<BitSet, Boolean> known = new HashMap<>();
    private @Nullable BitSet best;
    private DisplacementLoss leastLoss = DisplacementLoss.NONE;

    /** Takes ascending losses, and tests whether a set may be displaced and whether it makes enough room. */
    MinimumLossSet(List<DisplacementLoss> losses, Predicate<BitSet> allowed, Predicate<BitSet> suffices) {
        this.losses = List.copyOf(losses);
        this.allowed = allowed;
        this.suffices = suffices;
    }

    boolean bounded() {
        return losses.size() > EXACT;
    }

    /** Returns the indices of the gangs of the set; empty if no set makes enough room. */
    Optional<BitSet> find() {
        BitSet all = new BitSet();
        all.set(0, losses.size());
        if (!suffices(all)) {
            return Optional.empty();
        }
        if (!bounded()) {
            return exact(all);
        }
        BitSet together = together();
        if (!suffices(together)) {
            return Optional.empty();
        }
        BitSet sequence = shortest(together);
        return sequence.cardinality() <= EXACT ? exact(sequence) : Optional.of(spared(sequence));
    }

    private Optional<BitSet> exact(BitSet among) {
        branch(among.stream().toArray(), 0, new BitSet(), DisplacementLoss.NONE);
        return Optional.ofNullable(best);
    }

    private void branch(int[] gangs, int from, BitSet taken, DisplacementLoss loss) {
        if (best != null && loss.compareTo(leastLoss) >= 0) {
            return;
        }
        if (suffices(taken)) {
            best = taken;
            leastLoss = loss;
            return;
        }
        BitSet most = (BitSet) taken.clone();
        for (int i = from; i < gangs.length; i++) {
            most.set(gangs[i]);
        }
        if (from == gangs.length || !suffices(most)) {
            return;
        }
        BitSet more = (BitSet) taken.clone();
        more.set(gangs[from]);
        if (allowed.test(more)) {
            branch(gangs, from + 1, more, loss.plus(losses.get(gangs[from])));
        }
        branch(gangs, from + 1, taken, loss);
    }

    private BitSet together() {
        BitSet together = new BitSet();
        for (int i = 0; i < losses.size(); i++) {
            together.set(i);
            if (!allowed.test(together)) {
                together.clear(i);
            }
        }
        return together;
    }

    /** Returns the shortest sequence of these gangs that makes enough room. */
    private BitSet shortest(BitSet together) {
        int[] gangs = together.stream().toArray();
        int enough = gangs.length;
        int tooFew = -1;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            if (suffices(first(gangs, middle))) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return first(gangs, enough);
    }

    private static BitSet first(int[] gangs, int count) {
        BitSet first = new BitSet();
        for (int i = 0; i < count; i++) {
            first.set(gangs[i]);
        }
        return first;
    }

    private BitSet spared(BitSet sequence) {
        BitSet left = sequence;
        for (int block = Math.max(1, sequence.cardinality() / 2); block > 0; block /= 2) {
            int[] gangs = left.stream().toArray();
            for (int to = gangs.length; to > 0; to -= block) {
                BitSet without = (BitSet) left.clone();
                for (int i = Math.max(0, to - block); i < to; i++) {
                    without.clear(gangs[i]);
                }
                if (suffices(without)) {
                    left = without;
                }
            }
        }
        return left;
    }

    private boolean suffices(BitSet set) {
        Boolean before = known.get(set);
        if (before == null) {
            before = suffices.test(set);
            known.put((BitSet) set.clone(), before);
        }
        return before;
    }
}
