package io.slotwise.core.recall;

import io.slotwise.core.slot.NodeKeys;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For how many pods of one size there is room on each node at all of some instants. */
final class UnitRow {
    /** So many units of a node stand for any more of them. */
    static final int MOST_UNITS = Byte.MAX_VALUE;

    private final byte[] units;

    /** The halves; none of a single instant. */
    private final List<UnitRow> halves;

    private static final class Least {
        private final NodeKeys keys;
        private final long[] sums;

        Least(NodeKeys keys, long[] sums) {
            this.keys = keys;
            this.sums = sums;
        }
    }

    /** The nodes with units, once they are asked for. */
    private volatile @Nullable BitSet some;

    /** As they are, or were when there were more units. */
    private volatile List<Least> known = List.of();

    /** Of a single instant. */
    UnitRow(byte[] units) {
        this.units = units;
        this.halves = List.of();
    }

    /** At the instants of both. */
    UnitRow(UnitRow one, UnitRow other) {
        this.units = new byte[one.units.length];
        this.halves = List.of(one, other);
        for (int i = 0; i < units.length; i++) {
            units[i] = (byte) Math.min(one.units[i], other.units[i]);
        }
    }

    /** As its halves are now. */
    void follow(int node) {
        put(node, Math.min(halves.getFirst().units[node], halves.getLast().units[node]));
    }

    /** Whether that is another count than before. */
    boolean put(int node, int count) {
        int before = units[node];
        if (count == before) {
            return false;
        }
        if (count > before) {
            known = List.of();
        }
        units[node] = (byte) count;
        BitSet open = some;
        if (open != null) {
            open.set(node, count > 0);
        }
        return true;
    }

    /** The nodes with units; not to be changed. O(nodes) once. */
    BitSet open() {
        BitSet open = some;
        if (open == null) {
            open = new BitSet(units.length);
            for (int node = 0; node < units.length; node++) {
                if (units[node] > 0) {
                    open.set(node);
                }
            }
            some = open;
        }
        return open;
    }

    /** Of no more than so many. */
    int units(int node, int most) {
        return units[node] == MOST_UNITS ? most : Math.min(most, units[node]);
    }

    boolean has(int node) {
        return units[node] > 0;
    }

    /** By the position of the node; not to be changed. */
    byte[] units() {
        return units;
    }

    /** Whether so many pods have room together. */
    boolean holds(int pods) {
        long all = 0;
        for (int i = 0; i < units.length && all < pods; i++) {
            all += units(i, pods);
        }
        return all >= pods;
    }

    /** The least sum of the keys of k units, for each k up to so many; more than anything: there are fewer. */
    @SuppressWarnings("ReferenceEquality") // Keys are told apart by their identity.
    long[] least(NodeKeys keys, int pods) {
        for (Least least : known) {
            if (least.keys == keys && least.sums.length > pods) {
                return least.sums;
            }
        }
        long[] sums = sums(keys, 2 * Integer.highestOneBit(pods));
        List<Least> more = new ArrayList<>(known);
        more.removeIf(least -> least.keys == keys);
        more.add(new Least(keys, sums));
        known = List.copyOf(more);
        return sums;
    }

    private long[] sums(NodeKeys keys, int most) {
        long[] sums = new long[most + 1];
        int filled = 0;
        for (int rank = 0; rank < units.length && filled < most; rank++) {
            int node = keys.node(rank);
            for (int unit = units(node, most - filled); unit > 0; unit--) {
                sums[filled + 1] = Window.sum(sums[filled], keys.of(node));
                filled++;
            }
        }
        Arrays.fill(sums, filled + 1, sums.length, Long.MAX_VALUE);
        return sums;
    }
}
