package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes have free at some instants, and for how many pods of each size: it tells which nodes can take a pod
 * that starts in few seconds without a look at most of the others.
 *
 * <p>A pod of at least d seconds that starts from {@code first} to {@code last} is there at one of the multiples of s =
 * the largest power of two that is no more than d, of those from {@code first} to {@code last + s - 1}. So a node on
 * which no pod has room at any of these instants takes none, and where at none of them there are units enough there is
 * no window. What is known of an instant is looked up anew on the nodes that have changed since.
 *
 * <p>Before nodes are looked at closely those are left out on which one pod, with the least that all others add, adds
 * more than some sum may be.
 *
 * <p>O(N log b) for an instant that is new, for N nodes of b breakpoints, and O(N) for a pod's size that is new at it;
 * O(N / 64) for one that is known, and O(log b) for each change since; O(open nodes + instants x nodes within the
 * bounds) for a gang for which there may be room. Safe for threads as long as no caller changes the free capacity.
 */
final class Instants {
    private static final int MOST_INSTANTS = 256;
    private static final int INDEX_BITS = 20;

    private final Timeline timeline;
    private final Map<Long, Map<String, Level>> known = new HashMap<>();
    private final Map<Spot, Room> rooms = new HashMap<>();

    /** Of each node, by position, the position of a resource among its own. */
    private final Map<String, int[]> indices = new HashMap<>();

    Instants(Timeline timeline) {
        this.timeline = timeline;
    }

    /** What is free of one resource at one instant. */
    private final class Level {
        private final long t;
        private final int[] resource;
        private final long[] free;
        private long seen = -1;

        Level(long t, String name) {
            this.t = t;
            this.resource = indices.computeIfAbsent(
                    name,
                    asked -> timeline.nodes().stream()
                            .mapToInt(node -> node.indexOf(asked))
                            .toArray());
            this.free = new long[resource.length];
        }

        /** As it is now. */
        Level renewed() {
            long now = timeline.changes();
            if (seen < 0 || (seen < now && timeline.changed(seen) < 0)) {
                for (int i = 0; i < free.length; i++) {
                    free[i] = timeline.nodes().get(i).freeAt(t, resource[i]);
                }
            } else {
                for (long change = seen; change < now; change++) {
                    int i = timeline.changed(change);
                    free[i] = timeline.nodes().get(i).freeAt(t, resource[i]);
                }
            }
            seen = now;
            return this;
        }
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
        private long step() {
            return Long.highestOneBit(shortest);
        }

        private Asked within(Open open) {
            return new Asked(request, shortest, open.first(), open.last(), pods);
        }

        private long firstInstant() {
            return Math.ceilDiv(first, step()) * step();
        }
    }

    /** How a gang sees a node. */
    interface View {
        /** How many of its own pods stand there and count as away. */
        int own(int node);

        /** Whether a pod has room there from one of these seconds on until it ends, the room of those being free. */
        boolean takes(int node, long first, long last);

        /** Whether it is one of the nodes of which at least one must be among them. */
        boolean isNew(int node);

        /** What must not be more than some bound. */
        List<Sum> sums();
    }

    /**
     * A sum over all pods.
     *
     * @param least what one on a node adds at least
     * @param most it must not be more
     */
    record Sum(IntToLongFunction least, long most) {}

    /** The nodes that are left, those first on which a pod adds least. */
    private static final class Ordered {
        private final int[] nodes;
        private final long[] least;
        private final long most;

        Ordered(BitSet among, Sum sum) {
            this.most = sum.most();
            int[] some = among.stream().toArray();
            long[] keys = Arrays.stream(some).mapToLong(sum.least()).toArray();
            boolean small = Arrays.stream(keys).allMatch(key -> key >= 0 && key < 1L << (Long.SIZE - 1 - INDEX_BITS));
            int[] order = small && some.length < 1 << INDEX_BITS ? packed(keys) : boxed(keys);
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
         * Whether so many pods, where so many have room on each node and one of them on a new one, can keep within the
         * bound.
         */
        boolean allows(int pods, int[] units, View view) {
            int left = pods;
            long sum = 0;
            long last = 0;
            boolean onNew = false;
            for (int i = 0; i < nodes.length && (left > 0 || !onNew); i++) {
                int here = units[nodes[i]];
                if (left > 0 && here > 0) {
                    int taken = Math.min(here, left);
                    sum += taken * least[i];
                    last = least[i];
                    left -= taken;
                    onNew |= view.isNew(nodes[i]);
                } else if (here > 0 && view.isNew(nodes[i])) {
                    // In the place of the one that adds most.
                    sum += least[i] - last;
                    onNew = true;
                }
            }
            return left == 0 && onNew && sum <= most;
        }
    }

    /**
     * The nodes that can take pods of this request, and the seconds from which on so many have room together: at each
     * multiple of s as many units must be free as there are pods, on nodes that have room for one from a second on that
     * comes no more than s sooner, one of them on a new node, and within the bounds on sums.
     *
     * @param own the nodes on which the gang stands itself
     * @return null: there would be too many instants to look at
     */
    @Nullable
    Open open(Asked asked, BitSet own, View view) {
        if ((asked.last() - asked.first()) / asked.step() > MOST_INSTANTS) {
            return null;
        }
        Open rough = roughly(asked, own, view);
        if (rough.isEmpty()) {
            return rough;
        }
        // Before nodes are looked at closely: mostly no pod can be where room was given up, or it costs too much.
        boolean alike = !view.sums().isEmpty();
        if (alike && rough.nodes().stream().noneMatch(node -> view.isNew(node) && takes(view, node, rough))) {
            return Open.NOWHERE;
        }
        Open near = alike ? among(rough.nodes(), asked.within(rough), view) : rough;
        if (near.isEmpty()) {
            return near;
        }
        BitSet nodes = near.nodes();
        nodes.stream().filter(node -> !takes(view, node, near)).forEach(nodes::clear);
        return among(nodes, asked.within(near), view);
    }

    private static boolean takes(View view, int node, Open open) {
        return view.takes(node, open.first(), open.last());
    }

    /** By what is free at the instants alone. */
    private Open roughly(Asked asked, BitSet own, View view) {
        Hull hull = new Hull(asked);
        int ownUnits = own.stream().map(view::own).sum();
        for (long t = asked.firstInstant(); t < asked.last() + asked.step(); t += asked.step()) {
            Room room = room(asked.request(), t);
            if (room.sum + ownUnits >= asked.pods()) {
                hull.add(t, room.open);
                hull.nodes.or(own);
            }
        }
        return hull.open();
    }

    /** On these nodes, by all that is asked; nodes on which one pod alone is too much are left out. */
    private Open among(BitSet nodes, Asked asked, View view) {
        BitSet within = nodes;
        for (Sum sum : view.sums()) {
            within = withinBound(within, asked.pods(), sum);
        }
        BitSet left = within;
        List<Ordered> sums =
                view.sums().stream().map(sum -> new Ordered(left, sum)).toList();
        int[] units = new int[timeline.nodes().size()];
        int[] some = left.stream().toArray();
        Hull hull = new Hull(asked);
        for (long t = asked.firstInstant(); t < asked.last() + asked.step(); t += asked.step()) {
            Room room = room(asked.request(), t);
            long all = 0;
            for (int node : some) {
                long free = Math.min(asked.pods(), room.units[node]);
                units[node] = (int) Math.min(asked.pods(), free + view.own(node));
                all += units[node];
            }
            if (all >= asked.pods() && sums.stream().allMatch(sum -> sum.allows(asked.pods(), units, view))) {
                hull.add(t, some, units);
            }
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
        private final BitSet nodes = new BitSet(timeline.nodes().size());
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;

        Hull(Asked asked) {
            this.asked = asked;
        }

        void add(long t, int[] some, int[] units) {
            for (int node : some) {
                if (units[node] > 0) {
                    nodes.set(node);
                }
            }
            add(t);
        }

        void add(long t, BitSet open) {
            nodes.or(open);
            add(t);
        }

        private void add(long t) {
            first = Math.min(first, Math.max(asked.first(), t - asked.step() + 1));
            last = Math.max(last, Math.min(asked.last(), t));
        }

        Open open() {
            return first <= last ? new Open(nodes, first, last) : Open.NOWHERE;
        }
    }

    private static long units(List<Level> levels, Resources request, int node) {
        long units = Long.MAX_VALUE;
        for (int q = 0; q < levels.size(); q++) {
            long free = levels.get(q).free[node];
            long amount = request.amount(q);
            if (free < amount) {
                return 0;
            }
            units = amount == 0 ? units : Math.min(units, free / amount);
        }
        return units;
    }

    private List<Level> levels(Resources request, long t) {
        Map<String, Level> at = known.computeIfAbsent(t, _ -> new HashMap<>());
        List<Level> levels = new ArrayList<>(request.size());
        for (int q = 0; q < request.size(); q++) {
            levels.add(at.computeIfAbsent(request.name(q), name -> new Level(t, name))
                    .renewed());
        }
        return levels;
    }

    private synchronized Room room(Resources request, long t) {
        return rooms.computeIfAbsent(new Spot(request, t), _ -> new Room()).renewed(request, t);
    }

    private record Spot(Resources request, long t) {}

    /** For how many pods of a request there is room on each node at an instant. */
    private final class Room {
        private final int[] units = new int[timeline.nodes().size()];
        private final BitSet open = new BitSet(units.length);
        private long sum;
        private long seen = -1;

        /** As it is now. */
        Room renewed(Resources request, long t) {
            long now = timeline.changes();
            if (seen == now) {
                return this;
            }
            List<Level> levels = levels(request, t);
            if (seen < 0 || timeline.changed(seen) < 0) {
                for (int i = 0; i < units.length; i++) {
                    look(levels, request, i);
                }
            } else {
                for (long change = seen; change < now; change++) {
                    look(levels, request, timeline.changed(change));
                }
            }
            seen = now;
            return this;
        }

        private void look(List<Level> levels, Resources request, int i) {
            int before = units[i];
            units[i] = (int) Math.min(Integer.MAX_VALUE, units(levels, request, i));
            sum += units[i] - before;
            open.set(i, units[i] > 0);
        }
    }
}
