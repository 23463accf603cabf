package io.slotwise.core.recall;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.NodeKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

    /** So many instants are looked at together: a node's first one takes as long as many more. */
    private static final int LOOKS = 16;

    /** So much is kept of all instants together. */
    private static final long MOST_FIGURES = 1L << 26;

    /** So many units of a node stand for any more of them. */
    private static final int MOST_UNITS = Byte.MAX_VALUE;

    /** What is known is kept where few nodes have changed, or no more than one of so many. */
    private static final int FEW_CHANGED = 4;

    private static final int KEPT_PART = 16;

    private static final int INDEX_BITS = 20;

    private final Timeline timeline;
    private final long now;
    private final Map<Resources, Rooms> known = Collections.synchronizedMap(new HashMap<>());
    private long figures;

    /** What the cycle before knew; another one once the nodes are told from which that holds still. */
    private Kept before;

    /** Of each node its position then, if as much is free as then; negative: it is not known. */
    private int @Nullable [] positions;

    /** The nodes that are not as they were then, as far as was told. */
    private final BitSet changed = new BitSet();

    /** So many changes there had been when that was told. */
    private long told;

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
        this.now = now;
        this.before = before;
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
        if (known.values().stream().allMatch(rooms -> rooms.rows.isEmpty())) {
            return before;
        }
        Map<Resources, Map<Long, byte[]>> units = new HashMap<>();
        known.forEach((request, rooms) -> units.put(request, rooms.kept()));
        return new Kept(timeline.nodes(), units);
    }

    /**
     * The nodes that must be looked at anew since the cycle before; null: all. Where nodes have come and gone the
     * others are told by their names, in whose order they are.
     */
    private synchronized @Nullable BitSet changedSince() {
        int[] same = positions;
        if (same == null) {
            same = samePositions(before.nodes());
            positions = same;
            told = timeline.changes();
            for (int i = 0; i < same.length; i++) {
                changed.set(i, same[i] < 0);
            }
        }
        if (timeline.changed(told) < 0 && told < timeline.changes()) {
            before = Kept.NOTHING;
            return null;
        }
        for (; told < timeline.changes(); told++) {
            changed.set(timeline.changed(told));
        }
        return changed;
    }

    private int[] samePositions(List<NodeTimeline> then) {
        int[] same = new int[timeline.nodes().size()];
        int other = 0;
        for (int i = 0; i < same.length; i++) {
            NodeTimeline node = timeline.nodes().get(i);
            String name = node.node().name();
            while (other < then.size() && then.get(other).node().name().compareTo(name) < 0) {
                other++;
            }
            NodeTimeline known = other < then.size() ? then.get(other) : null;
            boolean is = known != null && known.node().name().equals(name) && node.isAsFreeAs(known, now);
            same[i] = is ? other : -1;
        }
        return same;
    }

    /** As many units as then, by the positions of today; of nodes whose position then is not known none. */
    private static byte[] moved(byte[] units, int[] positions) {
        byte[] now = new byte[positions.length];
        for (int i = 0; i < now.length; i++) {
            now[i] = positions[i] < 0 ? 0 : units[positions[i]];
        }
        return now;
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
    private record Grid(long step, int row) {
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

        private int total() {
            return Arrays.stream(counts).sum();
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

    /** The nodes that are left, those first on which a pod adds least. */
    private static final class Ordered {
        private final int[] nodes;

        /** Which one of those that are left each is. */
        private final int[] order;

        private final long[] least;
        private final long most;

        Ordered(int[] some, Sum sum) {
            this.most = sum.most();
            long[] keys = Arrays.stream(some).mapToLong(sum.least()).toArray();
            boolean small = Arrays.stream(keys).allMatch(key -> key >= 0 && key < 1L << (Long.SIZE - 1 - INDEX_BITS));
            this.order = small && some.length < 1 << INDEX_BITS ? packed(keys) : boxed(keys);
            this.nodes = new int[some.length];
            this.least = new long[some.length];
            for (int i = 0; i < order.length; i++) {
                nodes[i] = some[order[i]];
                least[i] = keys[order[i]];
            }
        }

        /** The order of keys that are small enough to be one number with their indices. */
        private static int[] packed(long[] keys) {
            long[] sorted = new long[keys.length];
            Arrays.setAll(sorted, i -> keys[i] << INDEX_BITS | i);
            Arrays.sort(sorted);
            int[] order = new int[keys.length];
            Arrays.setAll(order, i -> (int) sorted[i] & ((1 << INDEX_BITS) - 1));
            return order;
        }

        private static int[] boxed(long[] keys) {
            return IntStream.range(0, keys.length)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> keys[i]))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        /**
         * Whether so many pods, where so many have room on each of those that are left and one of them on a fresh one,
         * can keep within the bound.
         */
        boolean allows(int pods, int[] units, @Nullable BitSet fresh) {
            int left = pods;
            long sum = 0;
            long last = 0;
            boolean onFresh = fresh == null;
            for (int i = 0; i < nodes.length && (left > 0 || !onFresh); i++) {
                int here = units[order[i]];
                boolean isFresh = fresh != null && fresh.get(nodes[i]);
                if (left > 0 && here > 0) {
                    int taken = Math.min(here, left);
                    sum += taken * least[i];
                    last = least[i];
                    left -= taken;
                    onFresh |= isFresh;
                } else if (here > 0 && isFresh) {
                    // In the place of the one that adds most.
                    sum += least[i] - last;
                    onFresh = true;
                }
            }
            return left == 0 && onFresh && sum <= most;
        }
    }

    /** What is known of pods of this request, as it is now. */
    Rooms rooms(Resources request) {
        Rooms rooms = known.computeIfAbsent(request, Rooms::new);
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
        Rooms rooms = rooms(asked.request());
        List<Sum> sums = view.sums();
        Hull hull = new Hull(asked, grid);
        Bounds bounds = new Bounds(asked, view, rooms);
        List<Row> rough = allowed(rooms.of(asked, grid), hull, bounds);
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
            nodes.set(node, rooms.takes(node, near.first(), near.last(), view));
        }
        return among(rooms, nodes, asked.within(near), grid, view, fresh);
    }

    /** What a gang needs of the units that are free at some instants, by what all gangs of its pod size share. */
    private static final class Bounds {
        private final int pods;
        private final List<Sum> sums;
        private final Seats own;
        private final int ownUnits;

        /** Of each sum, the keys of the gang's own seats, the least ones first, added up. */
        private final List<long[]> ownKeys;

        private final @Nullable NewStarts fresh;

        /** The nodes of the fresh starts of which one may be a pod's of a window. */
        private final BitSet useful = new BitSet();

        private final View view;
        private final Rooms rooms;
        private final NodeKeys durations;

        /** Of each sum, the most that the key of a node with a pod may be at one of the instants that were allowed. */
        private final long[] mostOfKey;

        /** The same of a node that is not fresh, where one pod must be on one that is. */
        private final long[] mostOfOther;

        Bounds(Asked what, View view, Rooms rooms) {
            this.rooms = rooms;
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

        private static long[] ofOwn(Seats own, NodeKeys keys) {
            long[] sums = IntStream.range(0, own.nodes.length)
                    .flatMap(i -> IntStream.generate(() -> own.nodes[i]).limit(own.counts[i]))
                    .mapToLong(keys::of)
                    .sorted()
                    .toArray();
            for (int i = 1; i < sums.length; i++) {
                sums[i] = plus(sums[i - 1], sums[i]);
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
        boolean allow(Row row, long from, long to) {
            if (!hasFresh(row, from, to) || !hasEnough(row)) {
                return false;
            }
            long[] ofKey = new long[sums.size()];
            for (int i = 0; i < ofKey.length; i++) {
                Sum sum = sums.get(i);
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
        private long @Nullable [] ofOther(Row row, long from, long to, long[] ofKey) {
            NewStarts starts = Objects.requireNonNull(fresh);
            long[] least = new long[ofKey.length];
            Arrays.fill(least, Long.MAX_VALUE);
            boolean none = true;
            for (int start = 0; start < starts.size(); start++) {
                int node = starts.node(start);
                if (starts.reaches(start, from, to)
                        && isOpen(row, node)
                        && isWithin(node, ofKey)
                        && rooms.takes(
                                node, Math.max(from, starts.first(start)), Math.min(to, starts.last(start)), view)) {
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
                Sum sum = sums.get(i);
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
        private long mostOfOther(Sum sum, long[] free, long[] mine, long leastFresh) {
            return pods == 1 ? -1 : sum.mostOfKeys() - plus(together(free, mine, pods - 2), leastFresh);
        }

        /**
         * The nodes with room in one of these rows, all of which were allowed, or with a seat of the gang's own, on
         * which a pod with the least that all others add there keeps within every sum, and ends soon enough, and has
         * room from one of these seconds on until it ends. Proof: of the units at the row's instants the pods of a
         * window are some, so those beside one of them add no less than as many of the least, and where one of these
         * must be a fresh start no less than the least such one and as many of the least as are left.
         */
        void nodes(List<Row> rows, long from, long to, BitSet into) {
            BitSet open = new BitSet();
            rows.forEach(row -> open.or(row.open()));
            for (int node : own.nodes) {
                open.set(node);
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
            return durations.of(node) <= longest && isWithin(node, most) && rooms.takes(node, from, to, view);
        }

        /** By a sum it shows in what so many add. */
        private boolean hasEnough(Row row) {
            return !sums.isEmpty() || ownUnits >= pods || row.holds(pods - ownUnits);
        }

        private boolean isOpen(Row row, int node) {
            return row.units[node] > 0 || own.on(node) > 0;
        }

        private boolean hasFresh(Row row, long from, long to) {
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
                least = Math.min(least, mine == 0 ? others : plus(others, own[mine - 1]));
            }
            return least;
        }
    }

    /** What a long cannot hold counts as the most that it can; of numbers that are not negative. */
    private static long plus(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** The rows at which there may be room by what is free at these instants alone, whose seconds the hull takes. */
    private static List<Row> allowed(List<Row> rows, Hull hull, Bounds bounds) {
        List<Row> allowed = new ArrayList<>();
        long t = hull.grid.firstInstant(hull.asked);
        for (Row row : rows) {
            if (bounds.allow(row, hull.from(t), hull.to(t))) {
                allowed.add(row);
                hull.add(t);
            }
            t += hull.grid.step();
        }
        return allowed;
    }

    /** On these nodes, by all that is asked; nodes on which one pod alone is too much are left out. */
    private Open among(Rooms rooms, BitSet nodes, Asked asked, Grid grid, View view, @Nullable BitSet fresh) {
        List<Sum> sums = view.sums();
        BitSet within = nodes;
        for (Sum sum : sums) {
            within = withinBound(within, asked.pods(), sum);
        }
        int[] left = within.stream().toArray();
        List<Ordered> ordered = sums.stream().map(sum -> new Ordered(left, sum)).toList();
        int[] units = new int[left.length];
        int[] own = Arrays.stream(left).map(view.own()::on).toArray();
        Hull hull = new Hull(asked, grid);
        long t = grid.firstInstant(asked);
        for (Row row : rooms.of(asked, grid)) {
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

    /** So many instants in a row, a power of two; the step of a single one is 0. */
    private record Stay(long from, long step, int instants) {}

    /** For how many pods of one size there is room on each node at all of some instants. */
    private static final class Row {
        private final byte[] units;

        /** The halves; none of a single instant. */
        private final List<Row> halves;

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
        Row(byte[] units) {
            this.units = units;
            this.halves = List.of();
        }

        /** At the instants of both. */
        Row(Row one, Row other) {
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
                    sums[filled + 1] = plus(sums[filled], keys.of(node));
                    filled++;
                }
            }
            Arrays.fill(sums, filled + 1, sums.length, Long.MAX_VALUE);
            return sums;
        }
    }

    /** Seconds in a row in which a node has room for a pod: the first ones and the first ones behind them, in turn. */
    private static final class FreeSeconds {
        private final long[] bounds;

        FreeSeconds(long[] bounds) {
            this.bounds = bounds;
        }
    }

    /** What is known of all instants for pods of one size. */
    final class Rooms {
        private final Resources request;
        private final Map<Stay, Row> rows = new HashMap<>();

        /** Those of several instants, each behind its halves. */
        private final List<Row> whole = new ArrayList<>();

        /** The seconds of single instants, in order; none: they are not known. */
        private long[] singles = new long[0];

        /** Of each node, once it was asked. */
        private final @Nullable FreeSeconds[] stays =
                new FreeSeconds[timeline.nodes().size()];

        /** So many changes are taken note of. */
        private volatile long seen = timeline.changes();

        Rooms(Resources request) {
            this.request = request;
        }

        /** Whether a pod has room on a node from one of these seconds on until it ends; it is settled. */
        boolean takes(int node, long first, long last, View view) {
            long latest = Math.min(last, view.latestStart(node));
            if (first > latest) {
                return false;
            }
            if (view.own().on(node) > 0) {
                return view.takesOwn(node, first, latest);
            }
            return isFree(node, view.length(node), first, latest);
        }

        /** Whether there is room for a pod for so many seconds from one of these seconds on; it is settled. */
        boolean isFree(int node, long length, long first, long last) {
            long[] here = stays(node).bounds;
            for (int i = 0; i < here.length; i += 2) {
                long since = Math.max(first, here[i]);
                if (since > last) {
                    return false;
                }
                if (here[i + 1] - length >= since) {
                    return true;
                }
            }
            return false;
        }

        /** What two threads find at once is the same; each sees all of it or nothing, as it never changes. */
        private FreeSeconds stays(int node) {
            FreeSeconds known = stays[node];
            if (known == null) {
                LongStream.Builder told = LongStream.builder();
                timeline.nodes()
                        .get(node)
                        .tellRoom(
                                request,
                                Long.MIN_VALUE,
                                Long.MAX_VALUE,
                                (since, until) -> told.add(since).add(until));
                known = new FreeSeconds(told.build().toArray());
                stays[node] = known;
            }
            return known;
        }

        /** The rows that begin at the instants at which a pod's can. */
        private synchronized List<Row> of(Asked asked, Grid grid) {
            settle();
            long from = grid.firstInstant(asked);
            int count = grid.instants(asked);
            List<Row> all = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long t = from + i * grid.step();
                Row row = rows.get(stay(t, grid.step(), grid.row()));
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
        private Row row(long from, long step, int instants) {
            Stay stay = stay(from, step, instants);
            Row known = rows.get(stay);
            if (known != null) {
                return known;
            }
            int half = instants / 2;
            Row made = new Row(row(from, step, half), row(from + half * step, step, half));
            makePlace(1);
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
            makePlace(missing.length);
            Map<Long, byte[]> then = before.units().getOrDefault(request, Map.of());
            BitSet changed = then.isEmpty() ? null : changedSince();
            int[] same = positions;
            BitSet all = new BitSet(timeline.nodes().size());
            all.set(0, timeline.nodes().size());
            if (changed == null || same == null) {
                look(missing, all, t -> new byte[all.length()]);
                return;
            }
            look(LongStream.of(missing).filter(t -> !then.containsKey(t)).toArray(), all, t -> new byte[all.length()]);
            look(
                    LongStream.of(missing).filter(then::containsKey).toArray(),
                    changed,
                    t -> moved(Objects.requireNonNull(then.get(t)), same));
        }

        /** Looks at these nodes at these instants; of the others so many units are known. */
        private void look(long[] seconds, BitSet nodes, LongFunction<byte[]> others) {
            if (seconds.length == 0) {
                return;
            }
            Row[] made = new Row[seconds.length];
            Arrays.setAll(made, k -> new Row(others.apply(seconds[k])));
            int[] counts = new int[seconds.length];
            for (int i = nodes.nextSetBit(0); i >= 0; i = nodes.nextSetBit(i + 1)) {
                timeline.nodes().get(i).roomAt(request, MOST_UNITS, seconds, counts);
                for (int k = 0; k < made.length; k++) {
                    made[k].units[i] = (byte) counts[k];
                }
            }
            for (int k = 0; k < made.length; k++) {
                rows.put(stay(seconds[k], 0, 1), made[k]);
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
            rows.forEach((stay, row) -> units.put(stay.from(), row.units));
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
            if (positions != null) {
                // Before too many changes have been to know them all.
                changedSince();
            }
            if (forgets) {
                changed.set(0, timeline.nodes().size());
            }
            for (int node = changed.nextSetBit(0); node >= 0; node = changed.nextSetBit(node + 1)) {
                stays[node] = null;
            }
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
            Row[] single = new Row[seconds.length];
            Arrays.setAll(single, k -> row(seconds[k], 0, 1));
            int[] counts = new int[seconds.length];
            for (int node = changed.nextSetBit(0); node >= 0; node = changed.nextSetBit(node + 1)) {
                timeline.nodes().get(node).roomAt(request, MOST_UNITS, seconds, counts);
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

    /** Where too much is known all is forgotten. */
    private synchronized void makePlace(int instants) {
        figures += (long) instants * timeline.nodes().size();
        if (figures > MOST_FIGURES) {
            known.clear();
            figures = (long) instants * timeline.nodes().size();
        }
    }
}
