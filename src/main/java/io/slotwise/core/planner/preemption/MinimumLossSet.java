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
 * <p>Inputs: the losses of n gangs, the cheapest first; whether a set may be displaced (each subset of one that may,
 * may too), and whether it makes enough room (each superset of one that does, does too). Of sets of equal loss the one
 * is found that has the first gang in which they differ.
 *
 * <p>Up to {@value #EXACT} gangs: exact, branch and bound. Each gang in turn is taken or left; a branch ends where it
 * has lost as much as the best set known, where it makes enough room, and where all gangs that are left to it do not.
 * At most {@code 2^(n + 1)} questions for room.
 *
 * <p>More: bounded. Of the gangs that may go together the shortest sequence, from the cheapest on, that makes enough
 * room is looked for by bisection. Its last gang is no dearer than the dearest one of any set that makes enough room,
 * so what is found within the sequence loses at most as many times as much as the best set as it has gangs (counted in
 * the first component of the loss in which they differ). Within it the search is exact if it has {@value #EXACT} gangs
 * or fewer; otherwise blocks of gangs, half as large each time and the dearest first, are spared as long as there is
 * enough room without them, so that in the end each that is left is needed. O(n) questions for room, and O(s log n) for
 * s gangs that are needed where blocks are spared early.
 */
final class MinimumLossSet {
    /** The most gangs of which every set is looked at. */
    static final int EXACT = 10;

    private final List<DisplacementLoss> losses;
    private final Predicate<BitSet> allowed;
    private final Predicate<BitSet> suffices;
    private final Map<BitSet, Boolean> known = new HashMap<>();
    private @Nullable BitSet best;
    private DisplacementLoss leastLoss = DisplacementLoss.NONE;

    /**
     * A search that has not begun.
     *
     * @param losses of the gangs, ascending
     * @param allowed whether a set may be displaced
     * @param suffices whether a set makes enough room
     */
    MinimumLossSet(List<DisplacementLoss> losses, Predicate<BitSet> allowed, Predicate<BitSet> suffices) {
        this.losses = List.copyOf(losses);
        this.allowed = allowed;
        this.suffices = suffices;
    }

    /** Whether a better set may have been missed. */
    boolean bounded() {
        return losses.size() > EXACT;
    }

    /** The set, by the places of its gangs; empty: none makes enough room. */
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

    /** The gangs that may go together, the cheapest first. */
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

    /** The first of these, as few as make enough room. */
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
