package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes have free at some instants, and the most of each {@value #GROUP} nodes together: it tells which nodes can take a pod that starts in few seconds
 * without a look at most of the others.
 *
 * <p>A pod of at least d seconds that starts from {@code first} to {@code last} is there at one of the multiples of s = the largest power of two that is no more than
 * d, of those from {@code first} to {@code last + s - 1}. So a node on which no pod has room at any of these instants takes none, and where at none of them there are
 * units enough there is no window. What is known of an instant is looked up anew on the nodes that have changed since.
 *
 * <p>O(N log b) for an instant that is new, for N nodes of b breakpoints; O(N / {@value #GROUP} + nodes of groups that are left) for one that is known, and O(log b + {@value #GROUP})
 * for each change since. Safe for threads as long as nobody changes the free capacity.
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
            this.resource = indices.computeIfAbsent(name, asked -> timeline.nodes().stream()
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
    }

    /** How a gang sees a node. */
    interface View {
        /** How many of its own pods stand there and count as away. */
        int own(int node);

        /** Whether a pod has room there from one of these seconds on until it ends, the room of those being free. */
        boolean takes(int node, long first, long last);
    }

    /**
     * The nodes that can take pods of this request, and the seconds from which on so many have room together: at each multiple of s as many units must be free as there are pods,
     * on nodes that have room for one from a second on that comes no more than s sooner.
     *
     * @param own the nodes on which the gang stands itself
     * @return null: there would be too many instants to look at
     */
    @Nullable
    Open open(Asked asked, BitSet own, View view) {
        long step = asked.step();
        if ((asked.last() - asked.first()) / step > MOST_INSTANTS) {
            return null;
        }
        Open rough = among(asked, own, view, null);
        if (rough.isEmpty()) {
            return rough;
        }
        BitSet nodes = rough.nodes();
        nodes.stream().filter(node -> !view.takes(node, rough.first(), rough.last())).forEach(nodes::clear);
        Asked narrower =
                new Asked(asked.request(), asked.shortest(), rough.first(), rough.last(), asked.pods());
        return among(narrower, own, view, nodes);
    }

    /** By what is free at the instants alone, on these nodes; null: on all. */
    private Open among(Asked asked, BitSet own, View view, @Nullable BitSet among) {
        long step = asked.step();
        BitSet nodes = new BitSet(timeline.nodes().size());
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (long t = Math.ceilDiv(asked.first(), step) * step; t < asked.last() + step; t += step) {
            List<Level> levels = levels(asked.request(), t);
            BitSet here = new BitSet(timeline.nodes().size());
            int units = among == null
                    ? open(levels, asked.request(), asked.pods(), here)
                    : open(levels, asked.request(), asked.pods(), among, here);
            for (int node = own.nextSetBit(0); node >= 0; node = own.nextSetBit(node + 1)) {
                if (among == null || among.get(node)) {
                    units += view.own(node);
                    here.set(node);
                }
            }
            if (units >= asked.pods()) {
                nodes.or(here);
                first = Math.min(first, Math.max(asked.first(), t - step + 1));
                last = Math.max(last, Math.min(asked.last(), t));
            }
        }
        return first <= last ? new Open(nodes, first, last) : Open.NOWHERE;
    }

    private static int open(List<Level> levels, Resources request, int enough, BitSet among, BitSet nodes) {
        int units = 0;
        for (int node = among.nextSetBit(0); node >= 0; node = among.nextSetBit(node + 1)) {
            long here = units(levels, request, node);
            if (here > 0) {
                nodes.set(node);
                units = (int) Math.min(enough, units + Math.min(enough, here));
            }
        }
        return units;
    }

    private int open(List<Level> levels, Resources request, int enough, BitSet nodes) {
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
            levels.add(at.computeIfAbsent(request.name(q), name -> new Level(t, name)).renewed());
        }
        return levels;
    }
}
