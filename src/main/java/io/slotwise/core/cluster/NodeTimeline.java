package io.slotwise.core.cluster;

import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The free capacity of one node over time, every resource a step function: scratch of one planning run, not safe for
 * threads.
 *
 * <p>A holder that takes room on {@code [start, end)} keeps it until {@code end + turnover}, so that the room has
 * {@code turnover} seconds to itself before the next planned start; two holders overlap exactly if their prolonged
 * intervals do. A mark, which is no room, goes with its bearer. Room may be taken beyond what there is (a foreign pod
 * next to a promise): free capacity is then negative and nothing fits. It stays exact even where it is so negative that
 * no long can hold it.
 *
 * <p>With b breakpoints and r resources {@link #occupy} and {@link #vacate} take O(b r), {@link #holds} O(log b +
 * pieces inside).
 */
public final class NodeTimeline {
    private static final int FEW_PIECES = 8;

    private final Node node;
    private final Resources totalResources;
    private final long origin;
    private final long turnover;
    private final int width;
    private final List<Interval> unavailable;

    private final boolean marked;

    /** Of each piece, one after the other, the second at which it begins and what is free of each resource. */
    private long[] data;

    /** Where {@code data} has wrapped around, how often: so many times 2^64 belong to the figure; null: nowhere. */
    private int @Nullable [] wraps;

    private int pieces = 1;

    /** Changes whenever what is free may have changed. */
    private int version;

    private int returns;

    /** The journal that is told of that, by this node's position; null: none. */
    private @Nullable TimelineJournal journal;

    private int position;

    /**
     * An empty node.
     *
     * @param origin nothing is ever asked about seconds before this one
     * @param turnover seconds kept free after every holder
     */
    public NodeTimeline(Node node, long origin, long turnover) {
        this(node, node.allocatable(), origin, turnover);
    }

    /** An empty node; {@code resources}: resources of the same names as the node's, which many nodes share. */
    NodeTimeline(Node node, Resources resources, long origin, long turnover) {
        this.node = node;
        this.totalResources = resources;
        this.origin = origin;
        this.turnover = turnover;
        this.width = node.allocatable().size();
        this.unavailable = node.unavailable();
        this.marked = node.allocatable().hasMarks();
        this.data = idle(node.allocatable());
    }

    /** What is free of another node of the same size, in this array. */
    private NodeTimeline(NodeTimeline timeline, Node node, List<Interval> unavailable, long[] data) {
        this.node = node;
        this.totalResources = timeline.totalResources;
        this.origin = timeline.origin;
        this.turnover = timeline.turnover;
        this.width = timeline.width;
        this.unavailable = List.copyOf(unavailable);
        this.marked = timeline.marked;
        this.data = data;
        this.pieces = timeline.pieces;
        this.wraps = timeline.wraps == null ? null : timeline.wraps.clone();
    }

    private static long[] idle(Resources allocatable) {
        long[] piece = new long[1 + allocatable.size()];
        piece[0] = Long.MIN_VALUE;
        for (int r = 0; r < allocatable.size(); r++) {
            piece[1 + r] = allocatable.amount(r);
        }
        return piece;
    }

    /**
     * Another empty node of the same size; this one must be empty. They share their only piece: a timeline in which
     * room is taken splits it first, which takes an array with room for two.
     */
    NodeTimeline alike(Node other) {
        return new NodeTimeline(this, other, other.unavailable(), data);
    }

    /** Tells of every change from now on. Copies tell no journal. */
    void tell(TimelineJournal timelineJournal, int as) {
        journal = timelineJournal;
        position = as;
    }

    /** The same free capacity, to be changed on its own; O(b r). */
    public NodeTimeline copy() {
        return new NodeTimeline(this, node, unavailable, data.clone());
    }

    public Node node() {
        return node;
    }

    public List<Interval> unavailable() {
        return unavailable;
    }

    /** Seconds kept free after every holder. */
    public long turnover() {
        return turnover;
    }

    /** Another number whenever room was taken or given back since. */
    public int version() {
        return version;
    }

    /** How often room was given back; while it stays the same room was only taken. */
    int returns() {
        return returns;
    }

    /** The number of pieces, at least one. */
    public int pieces() {
        return pieces;
    }

    /** The second at which piece {@code i} begins; {@link Long#MIN_VALUE} for the first. */
    public long start(int i) {
        return data[i * (1 + width)];
    }

    /** The position of a resource or place of the node, or a negative number; O(log size). */
    public int indexOf(String name) {
        return totalResources.indexOf(name);
    }

    /** How much is taken of a resource in a piece; of more than a long can hold, the most that it can. */
    public long taken(int piece, int resource) {
        long left = free(piece, resource);
        long all = node.allocatable().amount(resource);
        return left < all - Long.MAX_VALUE ? Long.MAX_VALUE : all - left;
    }

    /** The same node as it is now, kept by its owner in these intervals, too; O(b r). */
    public NodeTimeline keptIn(List<Interval> more) {
        List<Interval> all = new ArrayList<>(unavailable);
        all.addAll(more);
        return new NodeTimeline(this, node, all, data.clone());
    }

    /** What is free; of less than a long can hold, the least that it can. */
    private long free(int piece, int resource) {
        int at = piece * (1 + width) + 1 + resource;
        return wraps == null || wraps[at] == 0 ? data[at] : Long.MIN_VALUE;
    }

    /** Takes {@code resources} on {@code interval}, and until {@code turnover} after it. */
    public void occupy(Resources resources, Interval interval) {
        change(resources, interval, -1);
    }

    /** Gives back what {@link #occupy} took. */
    public void vacate(Resources resources, Interval interval) {
        change(resources, interval, 1);
    }

    /** The number of pieces that begin before second {@code t}, at least one; O(log pieces). */
    public int piecesBefore(long t) {
        if (pieces <= FEW_PIECES) {
            // One after the other they are read faster than here and there.
            int before = 1;
            while (before < pieces && start(before) < t) {
                before++;
            }
            return before;
        }
        int i = pieceAt(t);
        return Math.max(1, start(i) == t ? i : i + 1);
    }

    /**
     * How many pods of this request fit on each piece from {@code first} to {@code end - 1}, at most {@code limit};
     * O(pieces x resources of the request).
     */
    public void counts(Resources request, int limit, int first, int end, int[] into) {
        int pieces = end - first;
        Arrays.fill(into, 0, pieces, limit);
        for (int q = 0; q < request.size(); q++) {
            int r = totalResources.indexOf(request.name(q));
            if (r < 0) {
                Arrays.fill(into, 0, pieces, 0);
                return;
            }
            fewer(request.amount(q), limit, first * (1 + width) + 1 + r, pieces, into);
        }
    }

    /**
     * No more than so many of a resource allow, the first figure of which is at {@code from}. Most nodes have enough
     * for all, or a figure that is small enough for a short division.
     */
    private void fewer(long amount, int limit, int from, int pieces, int[] into) {
        long enough = amount > Long.MAX_VALUE / Math.max(1, limit) ? Long.MAX_VALUE : amount * limit;
        int stride = 1 + width;
        int at = from;
        for (int i = 0; i < pieces; i++) {
            long left = wraps == null || wraps[at] == 0 ? data[at] : Long.MIN_VALUE;
            at += stride;
            if (left < amount) {
                into[i] = 0;
            } else if (left < enough) {
                long room = left <= Integer.MAX_VALUE ? (int) left / (int) amount : left / amount;
                into[i] = (int) Math.min(into[i], room);
            }
        }
    }

    /**
     * The first and the last second of those from {@code first} to {@code last} from which on one pod has room for so
     * many seconds, turnover included, whatever the owner keeps; null: there is none. O(pieces x resources of the
     * request).
     */
    public long @Nullable [] starts(Resources request, long seconds, long first, long last) {
        int[] resources = indices(request);
        if (resources == null) {
            return null;
        }
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        long length = seconds + turnover;
        long since = Long.MIN_VALUE;
        boolean free = false;
        for (int i = pieceAt(first); i < pieces && (free || start(i) <= last); i++) {
            boolean here = holdsOne(request, resources, i);
            if (here && !free) {
                since = Math.max(first, start(i));
            }
            free = here;
            long end = i + 1 < pieces ? start(i + 1) : Long.MAX_VALUE;
            if (free && end - length >= since) {
                least = Math.min(least, since);
                most = Math.max(most, Math.min(last, end - length));
            }
        }
        return least <= most && least <= last ? new long[] {least, most} : null;
    }

    /**
     * The first second from {@code from} on from which one pod has room for so many seconds, turnover included,
     * whatever the owner keeps; {@link Long#MAX_VALUE}: there is none. O(pieces before that second x resources of the
     * request).
     */
    long firstStart(Resources request, int @Nullable [] resources, long seconds, long from) {
        if (resources == null) {
            return Long.MAX_VALUE;
        }
        long length = seconds + turnover;
        int piece = pieceAt(from);
        while (piece < pieces) {
            while (piece < pieces && !holdsOne(request, resources, piece)) {
                piece++;
            }
            if (piece == pieces) {
                break;
            }
            long since = Math.max(from, start(piece));
            do {
                piece++;
            } while (piece < pieces && start(piece) - since < length && holdsOne(request, resources, piece));
            if (piece == pieces || start(piece) - since >= length) {
                return since;
            }
        }
        return Long.MAX_VALUE;
    }

    private boolean holdsOne(Resources request, int[] resources, int piece) {
        for (int q = 0; q < resources.length; q++) {
            if (free(piece, resources[q]) < request.amount(q)) {
                return false;
            }
        }
        return true;
    }

    /** Resources of the same names as the node's; many nodes share them. */
    Resources layout() {
        return totalResources;
    }

    /** The positions of what is asked for, the same on all nodes of a layout; null: the node has not all of it. */
    int @Nullable [] indices(Resources request) {
        int[] resources = new int[request.size()];
        for (int q = 0; q < resources.length; q++) {
            resources[q] = totalResources.indexOf(request.name(q));
            if (resources[q] < 0) {
                return null;
            }
        }
        return resources;
    }

    /** The least that is free of each resource of the node, in its order, on {@code [from, to)}. */
    public long[] leastFree(long from, long to) {
        long[] least = new long[width];
        int first = pieceAt(from);
        Arrays.fill(least, Long.MAX_VALUE);
        for (int i = first; i == first || (i < pieces && start(i) < to); i++) {
            for (int r = 0; r < width; r++) {
                least[r] = Math.min(least[r], free(i, r));
            }
        }
        return least;
    }

    /** Whether what is taken on {@code interval}, turnover included, passes nothing that there is of what is asked. */
    public boolean holds(Resources request, Interval interval) {
        return leaves(request, interval, false);
    }

    /**
     * Whether there is room for this, which has no marks, on {@code interval}, turnover included, beside all that is
     * taken: what {@link #holds} says once it has been taken.
     */
    public boolean hasRoomFor(Resources resources, Interval interval) {
        return leaves(resources, interval, true);
    }

    private boolean leaves(Resources resources, Interval interval, boolean amounts) {
        long end = interval.end() + turnover;
        for (int i = pieceAt(Math.max(interval.start(), origin)); i < pieces && start(i) < end; i++) {
            for (int q = 0; q < resources.size(); q++) {
                int r = totalResources.indexOf(resources.name(q));
                if (r < 0 || free(i, r) < (amounts ? resources.amount(q) : 0)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void change(Resources resources, Interval interval, int sign) {
        long from = Math.max(interval.start(), origin);
        long to = interval.end() + turnover;
        if (to <= from) {
            return;
        }
        version++;
        returns += sign > 0 ? 1 : 0;
        if (journal != null) {
            if (sign > 0) {
                journal.gave(position);
            } else {
                journal.took(position, from, interval.end() >= Interval.FOREVER ? Long.MAX_VALUE : to);
            }
        }
        int first = split(from);
        int last = interval.end() >= Interval.FOREVER ? pieces : split(to);
        int lastMarked = last;
        if (marked && interval.end() < to && last < pieces) {
            int before = pieces;
            lastMarked = interval.end() <= from ? first : split(interval.end());
            last += pieces - before;
        }
        for (int q = 0; q < resources.size(); q++) {
            int r = totalResources.indexOf(resources.name(q));
            if (r >= 0) {
                int end = lastMarked < last && Place.isMark(resources.name(q)) ? lastMarked : last;
                for (int i = first; i < end; i++) {
                    add(i * (1 + width) + 1 + r, sign * resources.amount(q));
                }
            }
        }
        join(last);
        if (lastMarked < last) {
            join(lastMarked);
        }
        join(first);
    }

    private void add(int at, long change) {
        long before = data[at];
        long after = before + change;
        data[at] = after;
        if (((before ^ after) & (change ^ after)) < 0) {
            wraps = wraps == null ? new int[data.length] : wraps;
            wraps[at] += change < 0 ? -1 : 1;
        }
    }

    /** The last piece that begins no later than {@code t}; O(log pieces). */
    public int pieceAt(long t) {
        if (start(pieces - 1) <= t) {
            return pieces - 1;
        }
        int low = 0;
        int high = pieces - 2;
        while (low < high && start(low + 1) <= t) {
            int middle = (low + high + 1) >>> 1;
            if (start(middle) <= t) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Makes {@code t} a breakpoint and returns the piece that begins there. */
    private int split(long t) {
        int i = pieceAt(t);
        if (start(i) == t) {
            return i;
        }
        int stride = 1 + width;
        if ((pieces + 1) * stride > data.length) {
            data = Arrays.copyOf(data, (pieces + 1) * stride * 2);
            wraps = wraps == null ? null : Arrays.copyOf(wraps, data.length);
        }
        System.arraycopy(data, i * stride, data, (i + 1) * stride, (pieces - i) * stride);
        if (wraps != null) {
            System.arraycopy(wraps, i * stride, wraps, (i + 1) * stride, (pieces - i) * stride);
        }
        data[(i + 1) * stride] = t;
        pieces++;
        return i + 1;
    }

    /** Drops the breakpoint of piece {@code i} if nothing changes there. */
    private void join(int i) {
        if (i <= 0 || i >= pieces) {
            return;
        }
        for (int r = 0; r < width; r++) {
            int at = i * (1 + width) + 1 + r;
            if (data[at] != data[at - 1 - width] || (wraps != null && wraps[at] != wraps[at - 1 - width])) {
                return;
            }
        }
        int stride = 1 + width;
        System.arraycopy(data, (i + 1) * stride, data, i * stride, (pieces - i - 1) * stride);
        if (wraps != null) {
            System.arraycopy(wraps, (i + 1) * stride, wraps, i * stride, (pieces - i - 1) * stride);
        }
        pieces--;
    }
}
