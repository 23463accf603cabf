package io.slotwise.core.recall;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.resource.Resources;
import java.util.ArrayList;
import java.util.Arrays;
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
 * units enough there is no window. What is known of an instant stays true, as a bound, while room only goes; when room is given back it is {@linkplain #forget
 * forgotten}.
 *
 * <p>O(N log b) for an instant that is new, for N nodes of b breakpoints; O(N / {@value #GROUP} + nodes of groups that are left) for one that is known. Safe for
 * threads as long as nobody changes the free capacity.
 */
final class Instants {
    private static final int GROUP = 64;
    private static final int MOST_INSTANTS = 256;

    private final Timeline timeline;
    private final Map<Long, Map<String, Level>> known = new HashMap<>();

    Instants(Timeline timeline) {
        this.timeline = timeline;
    }

    /** What is free of one resource. */
    @SuppressWarnings("ArrayRecordComponent") // Scratch of one class, which compares none.
    private record Level(long[] free, long[] most) {}

    /**
     * Which nodes may take pods.
     *
     * @param nodes their positions
     * @param units the most pods that there is room for at any instant, at most as many as were asked for
     */
    record Open(BitSet nodes, int units) {}

    /**
     * The nodes that can take a pod of this request that starts within these seconds.
     *
     * @param shortest no pod ends sooner than so many seconds after its start, positive
     * @param enough so many units are as good as more
     * @return null: there would be too many instants to look at
     */
    @Nullable
    Open open(Resources request, long shortest, long first, long last, int enough) {
        long step = Long.highestOneBit(shortest);
        if ((last - first) / step > MOST_INSTANTS) {
            return null;
        }
        BitSet nodes = new BitSet(timeline.nodes().size());
        int units = 0;
        for (long t = Math.ceilDiv(first, step) * step; t < last + step; t += step) {
            units = Math.max(units, open(levels(request, t), request, enough, nodes));
        }
        return new Open(nodes, units);
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
            levels.add(at.computeIfAbsent(request.name(q), name -> level(t, name)));
        }
        return levels;
    }

    private Level level(long t, String name) {
        List<NodeTimeline> nodes = timeline.nodes();
        long[] free = new long[nodes.size()];
        long[] most = new long[Math.ceilDiv(free.length, GROUP)];
        Arrays.fill(most, Long.MIN_VALUE);
        for (int i = 0; i < free.length; i++) {
            free[i] = nodes.get(i).freeAt(t, name);
            most[i / GROUP] = Math.max(most[i / GROUP], free[i]);
        }
        return new Level(free, most);
    }

    /** Room was given back since. */
    synchronized void forget() {
        known.clear();
    }
}
