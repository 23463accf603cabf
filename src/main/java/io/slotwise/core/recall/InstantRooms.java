package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * For how many pods of one size there is room at instants, on all nodes, as it is now. Safe for threads as long as no
 * caller changes the free capacity.
 */
final class InstantRooms {
    /** So many instants are looked at together: a node's first one takes as long as many more. */
    private static final int LOOKS = 16;

    /** What is known is kept where few nodes have changed, or no more than one of so many. */
    private static final int FEW_CHANGED = 4;

    private static final int KEPT_PART = 16;

    private final Timeline timeline;
    private final EarlierInstants before;
    private final IntConsumer place;
    private final Resources request;
    private final FreeStays stays;
    private final Map<Stay, UnitRow> rows = new HashMap<>();

    /** Those of several instants, each behind its halves. */
    private final List<UnitRow> whole = new ArrayList<>();

    /** The seconds of single instants, in order; none: they are not known. */
    private long[] singles = new long[0];

    /** So many changes are taken note of. */
    private volatile long seen;

    /** So many instants in a row, a power of two; the step of a single one is 0. */
    private record Stay(long from, long step, int instants) {}

    /**
     * Of pods that ask for this.
     *
     * @param before what the cycle before knew
     * @param place is told of how many instants more is going to be known
     */
    InstantRooms(Timeline timeline, Resources request, EarlierInstants before, IntConsumer place) {
        this.timeline = timeline;
        this.before = before;
        this.place = place;
        this.request = request;
        this.stays = new FreeStays(timeline, request);
        this.seen = timeline.changes();
    }

    /** From when until when there is room; these are settled, too. */
    FreeStays stays() {
        return stays;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The rows that begin at the instants at which a pod's can. */
    synchronized List<UnitRow> of(Instants.Asked asked, Instants.Grid grid) {
        settle();
        long from = grid.firstInstant(asked);
        int count = grid.instants(asked);
        List<UnitRow> all = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long t = from + i * grid.step();
            UnitRow row = rows.get(stay(t, grid.step(), grid.row()));
            if (row == null) {
                look(t, grid.step(), count - i + grid.row() - 1);
                row = row(t, grid.step(), grid.row());
            }
            all.add(row);
        }
        return all;
    }

    /** Takes note of what has changed since. */
    void settle() {
        if (seen != timeline.changes()) {
            renew(Math.max(FEW_CHANGED, timeline.nodes().size() / KEPT_PART));
        }
    }

    private static Stay stay(long from, long step, int instants) {
        return new Stay(from, instants == 1 ? 0 : step, instants);
    }

    /** Of two halves; single instants are known. */
    private UnitRow row(long from, long step, int instants) {
        Stay stay = stay(from, step, instants);
        UnitRow known = rows.get(stay);
        if (known != null) {
            return known;
        }
        int half = instants / 2;
        UnitRow made = new UnitRow(row(from, step, half), row(from + half * step, step, half));
        place.accept(1);
        rows.put(stay, made);
        whole.add(made);
        return made;
    }

    /**
     * Looks at all nodes at those of these instants that are not known, and at some before and behind them, which
     * other gangs will ask for.
     */
    private void look(long from, long step, int count) {
        long part = step * LOOKS;
        long begin = Math.floorDiv(from, part) * part;
        long end = Math.ceilDiv(from + count * step, part) * part;
        long[] missing = LongStream.iterate(begin, t -> t < end, t -> t + step)
                .filter(t -> !rows.containsKey(stay(t, 0, 1)))
                .toArray();
        if (missing.length == 0) {
            return;
        }
        place.accept(missing.length);
        Map<Long, byte[]> then = before.units(request);
        BitSet changed = then.isEmpty() ? null : before.changedSince();
        BitSet all = new BitSet(timeline.nodes().size());
        all.set(0, timeline.nodes().size());
        if (changed == null) {
            look(missing, all, t -> new byte[all.length()]);
            return;
        }
        look(LongStream.of(missing).filter(t -> !then.containsKey(t)).toArray(), all, t -> new byte[all.length()]);
        look(
                LongStream.of(missing).filter(then::containsKey).toArray(),
                changed,
                t -> before.moved(Objects.requireNonNull(then.get(t))));
    }

    /** Looks at these nodes at these instants; of the others so many units are known. */
    private void look(long[] seconds, BitSet nodes, LongFunction<byte[]> others) {
        if (seconds.length == 0) {
            return;
        }
        byte[][] made = new byte[seconds.length][];
        Arrays.setAll(made, k -> others.apply(seconds[k]));
        int[] counts = new int[seconds.length];
        for (int i = nodes.nextSetBit(0); i >= 0; i = nodes.nextSetBit(i + 1)) {
            timeline.nodes().get(i).roomAt(request, UnitRow.MOST_UNITS, seconds, counts);
            for (int k = 0; k < made.length; k++) {
                made[k][i] = (byte) counts[k];
            }
        }
        for (int k = 0; k < made.length; k++) {
            rows.put(stay(seconds[k], 0, 1), new UnitRow(made[k]));
        }
        singles = new long[0];
    }

    /** What is known of single instants, as it is now. */
    synchronized Map<Long, byte[]> kept() {
        rows.keySet().removeIf(stay -> stay.instants() != 1);
        whole.clear();
        // However many have changed: to look at all of them in the next cycle would take longer.
        renew(timeline.nodes().size());
        Map<Long, byte[]> units = new HashMap<>();
        rows.forEach((stay, row) -> units.put(stay.from(), row.units()));
        return units;
    }

    /** Looks at the nodes again that have changed; where that are more than so many all is forgotten. */
    private synchronized void renew(int most) {
        long now = timeline.changes();
        if (seen == now) {
            return;
        }
        BitSet changed = new BitSet(timeline.nodes().size());
        boolean forgets = timeline.changed(seen) < 0;
        for (long change = seen; change < now && !forgets; change++) {
            changed.set(timeline.changed(change));
        }
        before.settle();
        if (forgets) {
            changed.set(0, timeline.nodes().size());
        }
        stays.forget(changed);
        if (forgets || changed.cardinality() > most) {
            rows.clear();
            whole.clear();
            singles = new long[0];
        } else if (!rows.isEmpty()) {
            lookAgain(changed);
        }
        // Last, so that whoever sees it sees all the rest.
        seen = now;
    }

    private long[] singleSeconds() {
        long[] known = singles;
        if (known.length == 0) {
            known = rows.keySet().stream()
                    .filter(stay -> stay.instants() == 1)
                    .mapToLong(Stay::from)
                    .sorted()
                    .toArray();
            singles = known;
        }
        return known;
    }

    private void lookAgain(BitSet changed) {
        long[] seconds = singleSeconds();
        UnitRow[] single = new UnitRow[seconds.length];
        Arrays.setAll(single, k -> row(seconds[k], 0, 1));
        int[] counts = new int[seconds.length];
        for (int node = changed.nextSetBit(0); node >= 0; node = changed.nextSetBit(node + 1)) {
            timeline.nodes().get(node).roomAt(request, UnitRow.MOST_UNITS, seconds, counts);
            boolean isOther = false;
            for (int k = 0; k < counts.length; k++) {
                isOther |= single[k].put(node, counts[k]);
            }
            for (int k = 0; isOther && k < whole.size(); k++) {
                whole.get(k).follow(node);
            }
        }
    }
}
