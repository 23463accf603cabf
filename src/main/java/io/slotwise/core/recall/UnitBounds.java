package io.slotwise.core.recall;

import io.slotwise.core.slot.NodeKeys;
import io.slotwise.core.window.Window;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a gang needs of the units that are free at some instants, by what all gangs of its pod size share. */
final class UnitBounds {
    private final int pods;
    private final List<Instants.Sum> sums;
    private final Instants.Seats own;
    private final int ownUnits;

    /** Of each sum, the keys of the gang's own seats, the least ones first, added up. */
    private final List<long[]> ownKeys;

    private final @Nullable NewStarts fresh;

    /** The nodes of the fresh starts of which one may be a pod's of a window. */
    private final BitSet useful = new BitSet();

    private final Instants.View view;
    private final FreeStays stays;
    private final NodeKeys durations;

    /** Of each sum, the most that the key of a node with a pod may be at one of the instants that were allowed. */
    private final long[] mostOfKey;

    /** The same of a node that is not fresh, where one pod must be on one that is. */
    private final long[] mostOfOther;

    UnitBounds(Instants.Asked what, Instants.View view, FreeStays stays) {
        this.stays = stays;
        this.pods = what.pods();
        this.sums = view.sums();
        this.view = view;
        this.durations = view.durations();
        this.own = view.own();
        this.mostOfKey = new long[sums.size()];
        this.mostOfOther = new long[sums.size()];
        Arrays.fill(mostOfKey, -1);
        Arrays.fill(mostOfOther, -1);
        this.ownUnits = own.total();
        this.ownKeys = sums.stream().map(sum -> ofOwn(own, sum.keys())).toList();
        this.fresh = view.fresh();
    }

    private static long[] ofOwn(Instants.Seats own, NodeKeys keys) {
        long[] sums = IntStream.range(0, own.size())
                .flatMap(i -> IntStream.generate(() -> own.node(i)).limit(own.count(i)))
                .mapToLong(keys::of)
                .sorted()
                .toArray();
        for (int i = 1; i < sums.length; i++) {
            sums[i] = Window.sum(sums[i - 1], sums[i]);
        }
        return sums;
    }

    /** The nodes of which one must take a pod; null: none of them must. */
    @Nullable
    BitSet useful() {
        return fresh == null ? null : useful;
    }

    /**
     * Whether there may be room for the gang at these instants, if it starts from one second to another. Where a
     * pod must be a fresh start, the others add no less than as many of the least units do: there is one among
     * these seconds that keeps within every sum beside them, and has room until a pod ends.
     */
    boolean allow(UnitRow row, long from, long to) {
        if (!hasFresh(row, from, to) || !hasEnough(row)) {
            return false;
        }
        long[] ofKey = new long[sums.size()];
        for (int i = 0; i < ofKey.length; i++) {
            Instants.Sum sum = sums.get(i);
            long[] least = row.least(sum.keys(), pods);
            long others = together(least, ownKeys.get(i), pods - 1);
            long all = fresh == null ? together(least, ownKeys.get(i), pods) : others;
            if (all > sum.mostOfKeys()) {
                return false;
            }
            ofKey[i] = sum.mostOfKeys() - others;
        }
        long[] ofOther = fresh == null ? ofKey : ofOther(row, from, to, ofKey);
        if (ofOther == null) {
            return false;
        }
        for (int i = 0; i < ofKey.length; i++) {
            mostOfKey[i] = Math.max(mostOfKey[i], ofKey[i]);
            mostOfOther[i] = Math.max(mostOfOther[i], ofOther[i]);
        }
        return true;
    }

    /** What another pod may add, one being a fresh start in these seconds; null: there is none that may be one. */
    private long @Nullable [] ofOther(UnitRow row, long from, long to, long[] ofKey) {
        NewStarts starts = Objects.requireNonNull(fresh);
        long[] least = new long[ofKey.length];
        Arrays.fill(least, Long.MAX_VALUE);
        boolean none = true;
        for (int start = 0; start < starts.size(); start++) {
            int node = starts.node(start);
            if (starts.reaches(start, from, to)
                    && isOpen(row, node)
                    && isWithin(node, ofKey)
                    && stays.takes(node, Math.max(from, starts.first(start)), Math.min(to, starts.last(start)), view)) {
                none = false;
                useful.set(node);
                for (int i = 0; i < least.length; i++) {
                    least[i] = Math.min(least[i], sums.get(i).keys().of(node));
                }
            }
        }
        if (none) {
            return null;
        }
        for (int i = 0; i < least.length; i++) {
            Instants.Sum sum = sums.get(i);
            least[i] = Math.min(ofKey[i], mostOfOther(sum, row.least(sum.keys(), pods), ownKeys.get(i), least[i]));
        }
        return least;
    }

    private boolean isWithin(int node, long[] most) {
        for (int i = 0; i < most.length; i++) {
            if (sums.get(i).keys().of(node) > most[i]) {
                return false;
            }
        }
        return true;
    }

    /** Beside one on a fresh node, and as many others as are left. */
    private long mostOfOther(Instants.Sum sum, long[] free, long[] mine, long leastFresh) {
        return pods == 1 ? -1 : sum.mostOfKeys() - Window.sum(together(free, mine, pods - 2), leastFresh);
    }

    /**
     * The nodes with room in one of these rows, all of which were allowed, or with a seat of the gang's own, on
     * which a pod with the least that all others add there keeps within every sum, and ends soon enough, and has
     * room from one of these seconds on until it ends. Proof: of the units at the row's instants the pods of a
     * window are some, so those beside one of them add no less than as many of the least, and where one of these
     * must be a fresh start no less than the least such one and as many of the least as are left.
     */
    void nodes(List<UnitRow> rows, long from, long to, BitSet into) {
        BitSet open = new BitSet();
        rows.forEach(row -> open.or(row.open()));
        for (int i = 0; i < own.size(); i++) {
            open.set(own.node(i));
        }
        if (sums.isEmpty()) {
            into.or(open);
            return;
        }
        long longest = view.mostOfDurations(from);
        NodeKeys order = durations;
        int fewest = order.upTo(longest);
        for (int i = 0; i < mostOfOther.length; i++) {
            NodeKeys keys = sums.get(i).keys();
            int count = keys.upTo(mostOfOther[i]);
            order = count < fewest ? keys : order;
            fewest = Math.min(fewest, count);
        }
        if (fewest < open.cardinality()) {
            for (int rank = 0; rank < fewest; rank++) {
                int node = order.node(rank);
                into.set(node, open.get(node) && keeps(node, mostOfOther, longest, from, to));
            }
        } else {
            for (int node = open.nextSetBit(0); node >= 0; node = open.nextSetBit(node + 1)) {
                into.set(node, keeps(node, mostOfOther, longest, from, to));
            }
        }
        // Among them all fresh ones of those above, whose bound is no lower.
        for (int node = useful.nextSetBit(0); node >= 0; node = useful.nextSetBit(node + 1)) {
            into.set(node, open.get(node) && keeps(node, mostOfKey, longest, from, to));
        }
    }

    /** Whether a pod on a node keeps within these keys, takes no longer and has room. */
    private boolean keeps(int node, long[] most, long longest, long from, long to) {
        return durations.of(node) <= longest && isWithin(node, most) && stays.takes(node, from, to, view);
    }

    /** By a sum it shows in what so many add. */
    private boolean hasEnough(UnitRow row) {
        return !sums.isEmpty() || ownUnits >= pods || row.holds(pods - ownUnits);
    }

    private boolean isOpen(UnitRow row, int node) {
        return row.has(node) || own.on(node) > 0;
    }

    private boolean hasFresh(UnitRow row, long from, long to) {
        NewStarts starts = fresh;
        if (starts == null) {
            return true;
        }
        for (int start = 0; start < starts.size(); start++) {
            if (starts.reaches(start, from, to) && isOpen(row, starts.node(start))) {
                return true;
            }
        }
        return false;
    }

    /** The least sum of the keys of so many units, free ones and own seats. */
    private static long together(long[] free, long[] own, int pods) {
        long least = Long.MAX_VALUE;
        for (int mine = 0; mine <= Math.min(own.length, pods); mine++) {
            long others = free[pods - mine];
            least = Math.min(least, mine == 0 ? others : Window.sum(others, own[mine - 1]));
        }
        return least;
    }
}
