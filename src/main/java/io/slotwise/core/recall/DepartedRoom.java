package io.slotwise.core.recall;

import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.recall.RoomChanges.Left;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.NodeKeys;
import java.util.ArrayList;
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
 * <p>From when until when a pod could stay on room of a stretch is told once for all gangs of a pod size. That stays a
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

    /**
     * The seconds in a row, turnover included, in which there was room for a pod of one size when this was asked first,
     * and in some of which it is on a stretch; the most of them first.
     */
    static final class Stays {
        private final int[] stretches;
        private final int[] nodes;
        private final long[] since;
        private final long[] until;

        /** Of the stretch, and the first second behind it. */
        private final long[] from;

        private final long[] to;

        /** Those that were asked for; another list whenever more are known. */
        private volatile List<Keys> keys = List.of();

        private static final class Keys {
            private final NodeKeys of;
            private final long[] inOrder;

            Keys(NodeKeys of, long[] inOrder) {
                this.of = of;
                this.inOrder = inOrder;
            }
        }

        private Stays(List<Stay> some, DepartedRoom room) {
            List<Stay> longest = some.stream()
                    .sorted(Comparator.comparingLong(Stay::length).reversed())
                    .toList();
            this.stretches = longest.stream().mapToInt(Stay::stretch).toArray();
            this.nodes = Arrays.stream(stretches).map(i -> room.nodes[i]).toArray();
            this.since = longest.stream().mapToLong(Stay::since).toArray();
            this.until = longest.stream().mapToLong(Stay::until).toArray();
            this.from = Arrays.stream(stretches).mapToLong(i -> room.from[i]).toArray();
            this.to = Arrays.stream(stretches).mapToLong(i -> room.to[i]).toArray();
        }

        /** The keys of their nodes, in order; not to be changed. O(stays) once for each. */
        @SuppressWarnings("ReferenceEquality") // Keys are told apart by their identity.
        long[] keys(NodeKeys of) {
            for (Keys known : keys) {
                if (known.of == of) {
                    return known.inOrder;
                }
            }
            Keys made = new Keys(of, Arrays.stream(nodes).mapToLong(of::of).toArray());
            List<Keys> more = new ArrayList<>(keys);
            more.add(made);
            keys = List.copyOf(more);
            return made.inOrder;
        }

        /** How many are no shorter than so many seconds; O(log stays). */
        int noShorterThan(long seconds) {
            int low = 0;
            int high = since.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (until[middle] - since[middle] >= seconds) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        /** The stretch that it is on. */
        int stretch(int rank) {
            return stretches[rank];
        }

        /** The position of the node. */
        int node(int rank) {
            return nodes[rank];
        }

        /** Whether a pod that takes so many seconds can start then, be here and be on the stretch. */
        boolean mayReach(int rank, long earliest, long latest, long least, long most) {
            return since[rank] <= latest
                    && to[rank] > earliest
                    && until[rank] - least >= earliest
                    && (from[rank] == Long.MIN_VALUE || from[rank] - most < latest);
        }

        /**
         * The first second from which on a pod can be here and on the stretch, which takes up to {@code reach} seconds.
         */
        long first(int rank, long reach) {
            return from[rank] == Long.MIN_VALUE ? since[rank] : Math.max(since[rank], from[rank] - reach + 1);
        }

        /** The last second from which on a pod can be here for so many seconds and on the stretch. */
        long last(int rank, long seconds) {
            return Math.min(to[rank] - 1, until[rank] - seconds);
        }
    }

    private record Stay(int stretch, long since, long until) {
        long length() {
            return until - since;
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

    /** From when until when a pod of this request can stay on the stretches. O(stretches x breakpoints) once. */
    Stays stays(Resources request) {
        Stays known = stays.get(request);
        return known == null ? lookedUp(request) : known;
    }

    private synchronized Stays lookedUp(Resources request) {
        Stays known = stays.get(request);
        if (known != null) {
            return known;
        }
        List<Stay> some = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            int stretch = i;
            timeline.nodes()
                    .get(nodes[i])
                    .tellRoom(request, from[i], to[i], (since, until) -> some.add(new Stay(stretch, since, until)));
        }
        Map<Resources, Stays> more = new HashMap<>(stays);
        Stays made = new Stays(some, this);
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
