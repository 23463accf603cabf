package io.slotwise.core.recall;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.NodeKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes have free at some instants, and for how many pods of each size: it tells which nodes can take a pod
 * that starts in few seconds without a look at most of the others.
 *
 * <p>A pod of at least d seconds that starts from {@code first} to {@code last} is there at one of the multiples of s =
 * the largest power of two that is no more than d, of those from {@code first} to {@code last + s - 1}. In steps of a
 * g that divides s it is there at floor(d / g) multiples in a row, of which the first is less than g seconds after its
 * start. So a node that has no room for a pod at all of these takes none that starts then, and where too few units have
 * it there is no window. What all gangs of a pod size ask is answered once: the nodes with room at so many instants in
 * a row, how many units they have, and the least that so many of them add to a sum, by the {@link NodeKeys} of the pod
 * size, whatever a gang's runtime. Only where that leaves a second open nodes are looked at for the gang itself.
 *
 * <p>Then those are left out on which one pod, with the least that all others add, adds more than some sum may be.
 *
 * <p>What is known of an instant is looked up anew on the nodes that have changed since. Where units were only taken
 * since, what follows from there having been more of them holds as a bound, and is not worked out again.
 *
 * <p>A cycle leaves what it knew of instants to the next one ({@link Kept}), which looks at the nodes alone on which
 * something else is free than at its end.
 *
 * <p>O(N log b) for the first instants of a pod size, for N nodes of b breakpoints, and O(N) for instants in a row that
 * are asked for first, from two halves; O(log b) for each change since; O(instants) for a gang that they settle, and
 * O(open nodes x instants) for one that they do not. Safe for threads as long as no caller changes the free capacity.
 */
final class Instants {
    private static final int MOST_INSTANTS = 256;

    /** In a finer step than s so many are looked at. */
    private static final int FINE_INSTANTS = 16;

    /** Where there are no nodes runtimes are longer than any plan, which lasts no longer than this. */
    private static final long LONGEST = 1L << 40;

    /** The finest step is this part of s. */
    private static final int FINEST = 2;

    /** So much is kept of all instants together. */
    private static final long MOST_FIGURES = 1L << 26;

    private final Timeline timeline;
    private final EarlierInstants before;
    private final Map<Resources, InstantRooms> known = Collections.synchronizedMap(new HashMap<>());
    private long figures;

    /** Those of a timeline of which nothing is known. */
    Instants(Timeline timeline) {
        this(timeline, Long.MIN_VALUE, Kept.NOTHING);
    }

    /**
     * Those of a timeline.
     *
     * @param now nothing is asked about seconds before this one
     * @param before what the cycle before knew
     */
    Instants(Timeline timeline, long now, Kept before) {
        this.timeline = timeline;
        this.before = new EarlierInstants(timeline, now, before);
    }

    /**
     * For how many pods of each size there was room on each node at some seconds; it stays as it is.
     *
     * @param nodes by name, as they were at the end of a cycle
     * @param units by what a pod asks for, by the second, by the position of the node
     */
    record Kept(List<NodeTimeline> nodes, Map<Resources, Map<Long, byte[]>> units) {
        static final Kept NOTHING = new Kept(List.of(), Map.of());
    }

    /**
     * What the next cycle may go on from, at the end of this one, whose nodes change no more. Where nothing was asked
     * that is what this one could have gone on from.
     */
    Kept kept() {
        if (known.values().stream().allMatch(InstantRooms::isEmpty)) {
            return before.kept();
        }
        Map<Resources, Map<Long, byte[]>> units = new HashMap<>();
        known.forEach((request, rooms) -> units.put(request, rooms.kept()));
        return new Kept(timeline.nodes(), units);
    }

    /**
     * Where and when a gang's pods may stand.
     *
     * @param nodes the positions of the nodes that may take some of them
     * @param first none starts before this second
     * @param last none starts after it; before {@code first}: there is no second at all
     */
    record Open(BitSet nodes, long first, long last) {
        private static final Open NOWHERE = new Open(new BitSet(), 0, -1);

        boolean isEmpty() {
            return last < first;
        }
    }

    /**
     * What is asked.
     *
     * @param request of one pod
     * @param shortest no pod ends sooner than so many seconds after its start, positive
     * @param first they start no sooner
     * @param last they start no later
     * @param pods so many start together
     */
    record Asked(Resources request, long shortest, long first, long last, int pods) {
        private Asked within(Open open) {
            return new Asked(request, shortest, open.first(), open.last(), pods);
        }

        /** In steps as fine as there are not too many of; null: there are too many of the coarsest. */
        private @Nullable Grid grid() {
            long whole = Long.highestOneBit(Math.min(shortest, LONGEST));
            long step = whole;
            if ((last - first) / step > MOST_INSTANTS) {
                return null;
            }
            long finest = Math.max(1, step / FINEST);
            while (step > finest && (last - first) / (step / 2) <= FINE_INSTANTS) {
                step /= 2;
            }
            return new Grid(step, (int) (whole / step));
        }
    }

    /** Multiples of a step, and at how many of them in a row a pod is there at least, a power of two. */
    record Grid(long step, int row) {
        long firstInstant(Asked asked) {
            return Math.ceilDiv(asked.first, step) * step;
        }

        /** None of a pod's instants in a row begin later. */
        int instants(Asked asked) {
            long lastInstant = Math.floorDiv(asked.last + step - 1, step) * step;
            return (int) ((lastInstant - firstInstant(asked)) / step) + 1;
        }
    }

    /** Pods of the gang that count as away: so many on each of these nodes. */
    static final class Seats {
        static final Seats NONE = new Seats(new int[0], new int[0]);

        private final int[] nodes;
        private final int[] counts;

        Seats(int[] nodes, int[] counts) {
            this.nodes = nodes;
            this.counts = counts;
        }

        int on(int node) {
            for (int i = 0; i < nodes.length; i++) {
                if (nodes[i] == node) {
                    return counts[i];
                }
            }
            return 0;
        }

        int total() {
            return Arrays.stream(counts).sum();
        }

        /** Of how many nodes. */
        int size() {
            return nodes.length;
        }

        int node(int i) {
            return nodes[i];
        }

        int count(int i) {
            return counts[i];
        }
    }

    /** How a gang sees a node. */
    interface View {
        /** Its own pods. */
        Seats own();

        /**
         * Whether a pod has room from one of these seconds on until it ends on a node where the gang has seats, these
         * being free.
         */
        boolean takesOwn(int node, long first, long last);

        /** Seconds that a pod takes there, turnover included. */
        long length(int node);

        /** No pod starts there later. */
        long latestStart(int node);

        /** The nodes by how long a pod takes. */
        NodeKeys durations();

        /** No pod that starts at this second or later is on a node with a larger one of these keys. */
        long mostOfDurations(long first);

        /** At least one of these a pod must be; null: none of them must. */
        @Nullable
        NewStarts fresh();

        /** What must not be more than some bound. */
        List<Sum> sums();
    }

    /**
     * A sum over all pods.
     *
     * @param least what one on a node adds at least
     * @param most it must not be more
     * @param keys of the nodes, from which what one adds follows from below
     * @param mostOfKeys the keys' sum is no more if the sum is not
     */
    record Sum(IntToLongFunction least, long most, NodeKeys keys, long mostOfKeys) {}

    /** From when until when nodes have room for a pod of this request, as it is now. */
    FreeStays stays(Resources request) {
        return rooms(request).stays();
    }

    private InstantRooms rooms(Resources request) {
        InstantRooms rooms =
                known.computeIfAbsent(request, size -> new InstantRooms(timeline, size, before, this::makePlace));
        rooms.settle();
        return rooms;
    }

    /**
     * The nodes that can take pods of this request, and the seconds from which on so many have room together: at
     * instants in a row as many units must be free as there are pods, on nodes that have room for one from a second on
     * that comes no more than a step sooner, one of them on a fresh node, and within the bounds on sums.
     *
     * @return null: there would be too many instants to look at
     */
    @Nullable
    Open open(Asked asked, View view) {
        Grid grid = asked.grid();
        if (grid == null) {
            return null;
        }
        InstantRooms rooms = rooms(asked.request());
        List<Sum> sums = view.sums();
        Hull hull = new Hull(asked, grid);
        UnitBounds bounds = new UnitBounds(asked, view, rooms.stays());
        List<UnitRow> rough = allowed(rooms.of(asked, grid), hull, bounds);
        if (rough.isEmpty()) {
            return Open.NOWHERE;
        }
        bounds.nodes(rough, hull.first, hull.last, hull.nodes);
        Open open = hull.open();
        BitSet fresh = bounds.useful();
        Open near = sums.isEmpty() ? open : among(rooms, open.nodes(), asked.within(open), grid, view, fresh);
        if (near.isEmpty()) {
            return near;
        }
        BitSet nodes = near.nodes();
        for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
            nodes.set(node, rooms.stays().takes(node, near.first(), near.last(), view));
        }
        return among(rooms, nodes, asked.within(near), grid, view, fresh);
    }

    /** The rows at which there may be room by what is free at these instants alone, whose seconds the hull takes. */
    private static List<UnitRow> allowed(List<UnitRow> rows, Hull hull, UnitBounds bounds) {
        List<UnitRow> allowed = new ArrayList<>();
        long t = hull.grid.firstInstant(hull.asked);
        for (UnitRow row : rows) {
            if (bounds.allow(row, hull.from(t), hull.to(t))) {
                allowed.add(row);
                hull.add(t);
            }
            t += hull.grid.step();
        }
        return allowed;
    }

    /** On these nodes, by all that is asked; nodes on which one pod alone is too much are left out. */
    private Open among(InstantRooms rooms, BitSet nodes, Asked asked, Grid grid, View view, @Nullable BitSet fresh) {
        List<Sum> sums = view.sums();
        BitSet within = nodes;
        for (Sum sum : sums) {
            within = withinBound(within, asked.pods(), sum);
        }
        int[] left = within.stream().toArray();
        List<LeastFirst> ordered =
                sums.stream().map(sum -> new LeastFirst(left, sum)).toList();
        int[] units = new int[left.length];
        int[] own = Arrays.stream(left).map(view.own()::on).toArray();
        Hull hull = new Hull(asked, grid);
        long t = grid.firstInstant(asked);
        for (UnitRow row : rooms.of(asked, grid)) {
            long all = 0;
            for (int i = 0; i < left.length; i++) {
                units[i] = row.units(left[i], asked.pods()) + own[i];
                all += units[i];
            }
            if (all >= asked.pods() && ordered.stream().allMatch(sum -> sum.allows(asked.pods(), units, fresh))) {
                hull.add(t, left, units);
            }
            t += grid.step();
        }
        return hull.open();
    }

    /** Those on which one pod, with the least that all others add, adds no more than by the bound. */
    private static BitSet withinBound(BitSet nodes, int pods, Sum sum) {
        int[] all = nodes.stream().toArray();
        long[] adds = Arrays.stream(all).mapToLong(sum.least()).toArray();
        long most = sum.most() - (pods - 1) * Arrays.stream(adds).min().orElse(0);
        BitSet within = new BitSet(nodes.length());
        for (int i = 0; i < all.length; i++) {
            within.set(all[i], adds[i] <= most);
        }
        return within;
    }

    /** The instants that are left, and the nodes that have room at one of them. */
    private final class Hull {
        private final Asked asked;
        private final Grid grid;
        private final BitSet nodes = new BitSet(timeline.nodes().size());
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        Hull(Asked asked, Grid grid) {
            this.asked = asked;
            this.grid = grid;
        }

        /** An instant at which there is room for so many on each of these nodes. */
        void add(long t, int[] some, int[] units) {
            for (int i = 0; i < some.length; i++) {
                if (units[i] > 0) {
                    nodes.set(some[i]);
                }
            }
            add(t);
        }

        void add(long t) {
            first = Math.min(first, from(t));
            last = Math.max(last, to(t));
        }

        /** The first second of those that an instant stands for. */
        private long from(long t) {
            return Math.max(asked.first(), t - grid.step() + 1);
        }

        private long to(long t) {
            return Math.min(asked.last(), t);
        }

        Open open() {
            return first <= last ? new Open(nodes, first, last) : Open.NOWHERE;
        }
    }

    /** Where too much is known all is forgotten. */
    private synchronized void makePlace(int instants) {
        figures += (long) instants * timeline.nodes().size();
        if (figures > MOST_FIGURES) {
            known.clear();
            figures = (long) instants * timeline.nodes().size();
        }
    }
}
