package io.slotwise.core.recall;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who has room in a timeline, and who has given room up, in the order in which they did, counted from the first one
 * that was ever noted. Of those before the last {@value #MOST} nothing is known. Safe for threads as long as no caller
 * changes the free capacity meanwhile.
 */
final class RoomChanges {
    /** Departures that are kept; a gang that last searched before them must search anew. */
    private static final int MOST = 1 << 16;

    /** So many are put together at a time. */
    private static final int BLOCK = 256;

    private final Timeline timeline;
    private final Map<GangId, Integer> holdings = new HashMap<>();
    private List<Left> departures = new ArrayList<>();

    /** Of each node the numbers of departures that there had been before each of its own. */
    private final Map<String, List<Long>> leftOn = new HashMap<>();

    /** Of each gang that waits the positions of the nodes on which it has given up room. */
    private final Map<GangId, List<Integer>> leftBy = new HashMap<>();

    /**
     * The room that was given up, of so many departures each; the numbers of the first are multiples of that;
     * another map whenever one is made.
     */
    private volatile Map<Long, DepartedRoom> blocks = Map.of();

    /** The nodes on which room was taken since it began, by position. */
    private final BitSet taken = new BitSet();

    /** How many departures there were before those that are kept. */
    private long first;

    /** So much had happened to the holders of room when this was last brought up to date. */
    private volatile long settled;

    /** A departure, and the position of its node; negative: it is not there any more. */
    record Left(RoomDeparture room, int position) {
        /** Whether it is another holder's than the gang that it may be of use to. */
        boolean isOfOtherThan(Gang gang) {
            return !Objects.equals(gang.id(), room.owner());
        }
    }

    RoomChanges(Timeline timeline) {
        this.timeline = timeline;
    }

    /**
     * Begins with what is known of the time before; what has happened until now is not told.
     *
     * @param held all windows that have their room now
     */
    void begin(PlanMemory.Departures before, Collection<Window> held) {
        settle();
        taken.clear();
        holdings.clear();
        held.forEach(window -> holdings.merge(window.gang(), 1, Integer::sum));
        departures.clear();
        leftOn.clear();
        leftBy.clear();
        blocks = Map.of();
        first = before.first();
        before.list().forEach(this::add);
    }

    /** Notes a departure. */
    void add(RoomDeparture room) {
        leftOn.computeIfAbsent(room.node(), _ -> new ArrayList<>()).add(seen());
        int position = timeline.inventory().position(room.node());
        departures.add(new Left(room, position));
        if (room.owner() != null && position >= 0) {
            leftBy.computeIfAbsent(room.owner(), _ -> new ArrayList<>()).add(position);
        }
    }

    /** Takes note of who has taken and given back room since. */
    void settle() {
        if (settled != timeline.holders().changes()) {
            settleNow();
        }
    }

    private synchronized void settleNow() {
        long changes = timeline.holders().changes();
        if (settled == changes) {
            return;
        }
        boolean gone = false;
        IdentityHashMap<Object, Integer> net = timeline.holders().settled();
        for (Map.Entry<Object, Integer> entry : net.entrySet()) {
            int times = entry.getValue();
            switch (entry.getKey()) {
                case Window window -> {
                    holdings.merge(window.gang(), times, Integer::sum);
                    if (times < 0) {
                        window.placements().stream()
                                .map(seat -> CycleDifferences.departure(window.gang(), seat, timeline))
                                .distinct()
                                .forEach(this::add);
                    } else {
                        window.placements().forEach(seat -> noteTaken(seat.node()));
                    }
                }
                case Occupation held when times < 0 -> add(CycleDifferences.departure(held, timeline));
                case Occupation held -> noteTaken(held.node());
                default -> {}
            }
            gone |= times < 0;
        }
        if (gone) {
            forgetOld();
        }
        // Last, so that whoever sees it sees all the rest.
        settled = changes;
    }

    private void noteTaken(String node) {
        int position = timeline.inventory().position(node);
        if (position >= 0) {
            taken.set(position);
        }
    }

    /**
     * Whether nobody has taken room on the nodes of a window since it began, or has given back what was taken before
     * anybody asked.
     */
    boolean isUntouched(Window window) {
        return taken.isEmpty()
                || window.placements().stream()
                        .noneMatch(seat -> taken.get(timeline.inventory().position(seat.node())));
    }

    /** Forgets those that are too many. */
    void forgetOld() {
        int old = departures.size() - MOST;
        if (old > 0) {
            first += old;
            blocks = Map.of();
            departures = new ArrayList<>(departures.subList(old, departures.size()));
        }
    }

    /** How many departures there have been. */
    long seen() {
        return first + departures.size();
    }

    /** Whether all are known that there have been since there had been so many. */
    boolean knowsSince(long seen) {
        return seen >= first;
    }

    /** The first number of departures that all are known since. */
    long first() {
        return first;
    }

    /** Those since there had been so many. */
    List<Left> since(long seen) {
        return departures.subList((int) (seen - first), departures.size());
    }

    /** Those since there had been so many, for the next cycle. */
    PlanMemory.Departures from(long seen) {
        return new PlanMemory.Departures(
                seen, since(seen).stream().map(Left::room).toList());
    }

    /** The positions of the nodes on which a gang has given up room itself, some of them maybe long ago. */
    List<Integer> leftBy(Gang gang) {
        return leftBy.getOrDefault(gang.id(), List.of());
    }

    /** Whoever is told of room that was given up. */
    @FunctionalInterface
    interface Listener {
        /**
         * Some of it.
         *
         * @param seen so many of its departures are not new
         */
        void hear(DepartedRoom room, int seen);
    }

    /** Tells of all room that was given up since there had been so many departures. */
    void tellSince(long seen, Listener whom) {
        long all = seen();
        for (long from = seen; from < all; ) {
            long begin = Math.max(first, from - from % BLOCK);
            long end = Math.min(all, from - from % BLOCK + BLOCK);
            whom.hear(block(begin, end), (int) (from - begin));
            from = end;
        }
    }

    private DepartedRoom block(long begin, long end) {
        DepartedRoom known = blocks.get(end - 1 - (end - 1) % BLOCK);
        return known != null && known.count() == end - begin ? known : made(begin, end);
    }

    /** For all threads that ask for it. */
    private synchronized DepartedRoom made(long begin, long end) {
        long number = end - 1 - (end - 1) % BLOCK;
        DepartedRoom known = blocks.get(number);
        if (known != null && known.count() == end - begin) {
            return known;
        }
        DepartedRoom made =
                new DepartedRoom(List.copyOf(departures.subList((int) (begin - first), (int) (end - first))), timeline);
        Map<Long, DepartedRoom> more = new HashMap<>(blocks);
        more.put(number, made);
        blocks = more;
        return made;
    }

    /** Whether another holder has given up room on a node in these seconds since so many departures. */
    boolean hasLeft(String node, Gang gang, long seen, Interval when) {
        List<Long> here = leftOn.getOrDefault(node, List.of());
        for (int i = here.size() - 1; i >= 0 && here.get(i) >= seen; i--) {
            Left departure = departures.get((int) (here.get(i) - first));
            RoomDeparture room = departure.room();
            if (room.from() < when.end() && room.to() > when.start() && departure.isOfOtherThan(gang)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the gang has no room in the timeline but that of this window. */
    boolean holdsOnly(Gang gang, @Nullable Window own) {
        return holdings.getOrDefault(gang.id(), 0) == (own == null ? 0 : 1);
    }
}
