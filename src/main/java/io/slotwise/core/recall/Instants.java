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
import org.jspecify.annotations.Nullable;

/**
 * What all nodes have free at some instants, and the most of each {@value #GROUP} nodes together: it tells which nodes
 * can take a pod that starts in few seconds without a look at most of the others.
 *
 * <p>A pod of at least d seconds that starts from {@code first} to {@code last} is there at one of the multiples of s =
 * the largest power of two that is no more than d, of those from {@code first} to {@code last + s - 1}. So a node on
 * which no pod has room at any of these instants takes none, and where at none of them there are units enough there is
 * no window. What is known of an instant is looked up anew on the nodes that have changed since.
 *
 * <p>O(N log b) for an instant that is new, for N nodes of b breakpoints; O(N / {@value #GROUP} + nodes of groups that
 * are left) for one that is known, and O(log b + {@value #GROUP}) for each change since. Safe for threads as long as no
 * caller changes the free capacity.
 */
final class Instants {
    private static final int GROUP = 64;
    private static final int MOST_INSTANTS = 256;

    private final Timeline timeline;
    private final Map<Long, Map<String, Level>> known = new HashMap<>();

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
        private final long[] most;
        private long seen = -1;

        Level(long t, String name) {
            this.t = t;
            this.resource = indices.computeIfAbsent(
                    name,
                    asked -> timeline.nodes().stream()
                            .mapToInt(node -> node.indexOf(asked))
                            .toArray());
            this.free = new long[resource.length];
            this.most = new long[Math.ceilDiv(free.length, GROUP)];
        }

        /** As it is now. */
        Level renewed() {
            long now = timeline.changes();
            if (seen < 0 || (seen < now && timeline.changed(seen) < 0)) {
                for (int i = 0; i < free.length; i++) {
                    free[i] = timeline.nodes().get(i).freeAt(t, resource[i]);
                }
                for (int group = 0; group < most.length; group++) {
                    look(group);
                }
            } else {
                for (long change = seen; change < now; change++) {
                    int i = timeline.changed(change);
                    long before = free[i];
                    free[i] = timeline.nodes().get(i).freeAt(t, resource[i]);
                    if (free[i] != before) {
                        look(i / GROUP);
                    }
                }
            }
            seen = now;
            return this;
        }

        private void look(int group) {
            long highest = Long.MIN_VALUE;
            int end = Math.min(free.length, (group + 1) * GROUP);
            for (int i = group * GROUP; i < end; i++) {
                highest = Math.max(highest, free[i]);
            }
            most[group] = highest;
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
            this.nodes = among.stream()
                    .boxed()
                    .sorted(Comparator.comparingLong(node -> sum.least().applyAsLong(node)))
                    .mapToInt(Integer::intValue)
                    .toArray();
            this.least = Arrays.stream(nodes).mapToLong(sum.least()).toArray();
            this.most = sum.most();
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
        BitSet nodes = rough.nodes();
        nodes.stream()
                .filter(node -> !view.takes(node, rough.first(), rough.last()))
                .forEach(nodes::clear);
        return among(
                nodes, new Asked(asked.request(), asked.shortest(), rough.first(), rough.last(), asked.pods()), view);
    }

    /** By what is free at the instants alone. */
    private Open roughly(Asked asked, BitSet own, View view) {
        Hull hull = new Hull(asked);
        int ownUnits = own.stream().map(view::own).sum();
        for (long t = asked.firstInstant(); t < asked.last() + asked.step(); t += asked.step()) {
            BitSet here = new BitSet(timeline.nodes().size());
            here.or(own);
            if (open(levels(asked.request(), t), asked, here) + ownUnits >= asked.pods()) {
                hull.add(t, here);
            }
        }
        return hull.open();
    }

    /** On these nodes, by all that is asked. */
    private Open among(BitSet nodes, Asked asked, View view) {
        List<Ordered> sums =
                view.sums().stream().map(sum -> new Ordered(nodes, sum)).toList();
        int[] units = new int[timeline.nodes().size()];
        Hull hull = new Hull(asked);
        for (long t = asked.firstInstant(); t < asked.last() + asked.step(); t += asked.step()) {
            List<Level> levels = levels(asked.request(), t);
            BitSet here = new BitSet(nodes.length());
            long all = 0;
            for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
                long free = Math.min(asked.pods(), units(levels, asked.request(), node));
                units[node] = (int) Math.min(asked.pods(), free + view.own(node));
                all += units[node];
                here.set(node, units[node] > 0);
            }
            if (all >= asked.pods() && sums.stream().allMatch(sum -> sum.allows(asked.pods(), units, view))) {
                hull.add(t, here);
            }
        }
        return hull.open();
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

        void add(long t, BitSet here) {
            nodes.or(here);
            first = Math.min(first, Math.max(asked.first(), t - asked.step() + 1));
            last = Math.max(last, Math.min(asked.last(), t));
        }

        Open open() {
            return first <= last ? new Open(nodes, first, last) : Open.NOWHERE;
        }
    }

    private int open(List<Level> levels, Asked asked, BitSet nodes) {
        Resources request = asked.request();
        int enough = asked.pods();
        long units = 0;
        int size = timeline.nodes().size();
        for (int group = 0; group * GROUP < size; group++) {
            if (isOpen(levels, request, group)) {
                int end = Math.min(size, (group + 1) * GROUP);
                for (int node = group * GROUP; node < end; node++) {
                    long here = units(levels, request, node);
                    if (here > 0) {
                        nodes.set(node);
                        units = Math.min(enough, units + Math.min(enough, here));
                    }
                }
            }
        }
        return (int) units;
    }

    private static boolean isOpen(List<Level> levels, Resources request, int group) {
        for (int q = 0; q < levels.size(); q++) {
            if (levels.get(q).most[group] < request.amount(q)) {
                return false;
            }
        }
        return true;
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

    private synchronized List<Level> levels(Resources request, long t) {
        Map<String, Level> at = known.computeIfAbsent(t, _ -> new HashMap<>());
        List<Level> levels = new ArrayList<>(request.size());
        for (int q = 0; q < request.size(); q++) {
            levels.add(at.computeIfAbsent(request.name(q), name -> new Level(t, name))
                    .renewed());
        }
        return levels;
    }
}
