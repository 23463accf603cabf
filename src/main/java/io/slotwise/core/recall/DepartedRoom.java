package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.recall.RoomChanges.Left;
import io.slotwise.core.resource.Resources;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Room that some departures have given up, by node and in stretches of seconds that do not meet, in flat arrays: what
 * most gangs ask of it is answered without a look at a node.
 *
 * <p>How long a pod could stay at most on room of a stretch is told once for all gangs of a pod size. That stays a
 * bound though the free capacity changes later: room that is only taken makes no stay longer, and one that is longer
 * since room was given up later stands on that room, too, which is a later departure's.
 */
final class DepartedRoom {
    private final Timeline timeline;
    private final int count;
    private final int[] nodes;
    private final long[] from;
    private final long[] to;

    /** The last of the departures that each stretch is of, counted from the first of these. */
    private final int[] last;

    /** Whose all of it was; null: nobody's who waits, or of several. */
    private final @Nullable GangId[] owners;

    /** By what a pod asks for; another map whenever more is known. */
    private volatile Map<Resources, Stays> stays = Map.of();

    /** How long a pod of one size could stay at most on each stretch. */
    static final class Stays {
        private final long[] longest;

        /** The stretches, those of the longest stays first. */
        private final int[] order;

        private Stays(long[] longest) {
            this.longest = longest;
            this.order = IntStream.range(0, longest.length)
                    .boxed()
                    .sorted(Comparator.comparingLong((Integer i) -> longest[i]).reversed())
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        /**
         * For a stretch the most seconds, turnover included, for which there was room in a row when this was asked
         * first, in some of which that pod is on the stretch.
         */
        long longest(int stretch) {
            return longest[stretch];
        }

        /** The stretch that comes at this rank, counted from 0, the longest stays first. */
        int stretch(int rank) {
            return order[rank];
        }

        /** The longest of both on each stretch. */
        Stays or(Stays other) {
            long[] both = longest.clone();
            Arrays.setAll(both, i -> Math.max(longest[i], other.longest[i]));
            return new Stays(both);
        }
    }

    /** Of these departures; those from nodes that are not there any more leave no room. */
    DepartedRoom(List<Left> departures, Timeline timeline) {
        this.timeline = timeline;
        this.count = departures.size();
        int[] order = IntStream.range(0, count)
                .filter(i -> departures.get(i).position() >= 0)
                .boxed()
                .sorted(Comparator.comparingInt((Integer i) -> departures.get(i).position())
                        .thenComparingLong(i -> departures.get(i).room().from()))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] at = new int[order.length];
        long[] begins = new long[order.length];
        long[] ends = new long[order.length];
        int[] latest = new int[order.length];
        @Nullable GangId[] whose = new GangId[order.length];
        int n = 0;
        for (int i : order) {
            Left left = departures.get(i);
            RoomDeparture room = left.room();
            if (n > 0 && at[n - 1] == left.position() && room.from() <= ends[n - 1]) {
                ends[n - 1] = Math.max(ends[n - 1], room.to());
                latest[n - 1] = Math.max(latest[n - 1], i);
                whose[n - 1] = Objects.equals(whose[n - 1], room.owner()) ? room.owner() : null;
            } else {
                at[n] = left.position();
                begins[n] = room.from();
                ends[n] = room.to();
                latest[n] = i;
                whose[n++] = room.owner();
            }
        }
        this.nodes = Arrays.copyOf(at, n);
        this.from = Arrays.copyOf(begins, n);
        this.to = Arrays.copyOf(ends, n);
        this.last = Arrays.copyOf(latest, n);
        this.owners = Arrays.copyOf(whose, n);
    }

    /** How many departures it is of. */
    int count() {
        return count;
    }

    /** How many stretches there are. */
    int size() {
        return nodes.length;
    }

    /** The position of a stretch's node. */
    int node(int i) {
        return nodes[i];
    }

    /** Its first second. */
    long from(int i) {
        return from[i];
    }

    /** The first second behind it. */
    long to(int i) {
        return to[i];
    }

    /** Whether it is of another holder than this gang, and of a departure that so many of these were not before. */
    boolean isNewTo(Gang gang, int i, int seen) {
        return last[i] >= seen && !gang.id().equals(owners[i]);
    }

    /** How long a pod of this request can stay on each stretch at most. O(stretches x breakpoints) once. */
    Stays stays(Resources request) {
        Stays known = stays.get(request);
        return known == null ? lookedUp(request) : known;
    }

    private synchronized Stays lookedUp(Resources request) {
        Stays known = stays.get(request);
        if (known != null) {
            return known;
        }
        long[] most = new long[nodes.length];
        Arrays.setAll(most, i -> timeline.nodes().get(nodes[i]).longestRoom(request, from[i], to[i]));
        Map<Resources, Stays> more = new HashMap<>(stays);
        Stays made = new Stays(most);
        more.put(request, made);
        stays = more;
        return made;
    }

    /** The first stretch on this node or one behind it, in the order of the nodes. */
    int firstOn(int node) {
        int low = 0;
        int high = nodes.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (nodes[middle] < node) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
