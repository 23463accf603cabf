package io.slotwise.core.cluster;

import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The free capacity of one node over time, every resource a step function. Used for one planning run, not
 * thread-safe.
 *
 * <p>A holder that takes room on {@code [start, end)} keeps it until {@code end + turnover}, so that the room is free
 * for {@code turnover} seconds before the next planned start. Two holders overlap exactly if their extended intervals
 * do. A mark, which is no room, goes with its bearer. Room may be taken beyond the capacity (a foreign pod next to a
 * promise). Free capacity is then negative, and nothing fits. It stays exact even if no long can hold it.
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

    /** For each piece in turn, the second at which it begins and the free amount of each resource. */
    private long[] data;

    /** The overflow counts of {@code data}: multiples of 2^64 to add to each figure, or null if all are 0. */
    private int @Nullable [] wraps;

    private int pieces = 1;

    /** Changes whenever the free capacity may have changed. */
    private int version;

    private int returns;

    /** The journal of changes, by this node's position, or null. */
    private @Nullable TimelineJournal journal;

    private int position;

    /**
     * An empty node.
     *
     * @param origin queries never concern earlier seconds
     * @param turnover seconds kept free after every holder
     */
    public NodeTimeline(Node node, long origin, long turnover) {
        this(node, node.allocatable(), origin, turnover);
    }

    /** An empty node with a layout of the same resource names, which many nodes share. */
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

    /** Copies the free capacity of another node of the same size into this array. */
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
     * Returns another empty node of the same size. Precondition: this one is empty. Both share their only piece: a
     * timeline in which room is taken splits it first, which allocates an array with room for two.
     */
    NodeTimeline alike(Node other) {
        return new NodeTimeline(this, other, other.unavailable(), data);
    }

    /** Reports every change to a journal from now on. Copies report nothing. */
    void tell(TimelineJournal timelineJournal, int as) {
        journal = timelineJournal;
        position = as;
    }

    /** Returns an independent copy; O(b r). */
    public NodeTimeline copy() {
        return new NodeTimeline(this, node, unavailable, data.clone());
    }

    public Node node() {
        return node;
    }

    public List<Interval> unavailable() {
        return unavailable;
    }

    /** Returns the seconds kept free after every holder. */
    public long turnover() {
        return turnover;
    }

    /** Returns a number that changes whenever room is taken or given up. */
    public int version() {
        return version;
    }

    /** Returns how often room was given up. While it stays the same, room was only taken. */
    int returns() {
        return returns;
    }

    /** Returns the number of pieces, at least one. */
    public int pieces() {
        return pieces;
    }

    /** Returns the second at which piece {@code i} begins; {@link Long#MIN_VALUE} for the first. */
    public long start(int i) {
        return data[i * (1 + width)];
    }

    /** Returns the position of a resource or place of the node, or a negative number; O(log size). */
    public int indexOf(String name) {
        return totalResources.indexOf(name);
    }

    /** Returns the taken amount of a resource in a piece, at most {@link Long#MAX_VALUE}. */
    public long taken(int piece, int resource) {
        long left = free(piece, resource);
        long all = node.allocatable().amount(resource);
        return left < all - Long.MAX_VALUE ? Long.MAX_VALUE : all - left;
    }

    /** Returns a copy that the owner also keeps in these intervals; O(b r). */
    public NodeTimeline keptIn(List<Interval> more) {
        List<Interval> all = new ArrayList<>(unavailable);
        all.addAll(more);
        return new NodeTimeline(this, node, all, data.clone());
    }

    /** Returns the free amount, at least {@link Long#MIN_VALUE}. */
    private long free(int piece, int resource) {
        int at = piece * (1 + width) + 1 + resource;
        return wraps == null || wraps[at] == 0 ? data[at] : Long.MIN_VALUE;
    }

    /** Takes {@code resources} on {@code interval}, and until {@code turnover} after it. */
    public void occupy(Resources resources, Interval interval) {
        change(resources, interval, -1);
    }

    /** Gives up what {@link #occupy} took. */
    public void vacate(Resources resources, Interval interval) {
        change(resources, interval, 1);
    }

    /** Returns the number of pieces that begin before second {@code t}, at least one; O(log pieces). */
    public int piecesBefore(long t) {
        if (pieces <= FEW_PIECES) {
            // A few pieces are faster to read in order than by bisection.
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
     * Returns how many pods of this request fit on each piece from {@code first} to {@code end - 1}, at most {@code
     * limit}; O(pieces x resources of the request).
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
     * Lowers the counts to what one resource allows, whose first figure is at {@code from}. Most nodes have enough for
     * all, or a figure that is small enough for a 32-bit division.
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
     * Returns the first and the last second from {@code first} to {@code last} at which one pod has room for {@code
     * seconds} seconds, turnover included, ignoring the owner's intervals. Null if there is none. O(pieces x resources
     * of the request).
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
     * Returns the first second from {@code from} on at which one pod has room for {@code seconds} seconds, turnover
     * included, ignoring the owner's intervals. {@link Long#MAX_VALUE} if there is none. O(pieces before that second x
     * resources of the request).
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

    /** Returns the layout: resources of the same names as the node's, which many nodes share. */
    Resources layout() {
        return totalResources;
    }

    /** Returns the positions of the requested resources in the layout, or null if the node lacks one. */
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

    /** Returns the least free amount of each resource of the node, in its order, on {@code [from, to)}. */
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

    /** Returns whether the requested resources are not overbooked on {@code interval}, turnover included. */
    public boolean holds(Resources request, Interval interval) {
        return leaves(request, interval, false);
    }

    /**
     * Returns whether there is room on {@code interval}, turnover included: the result of {@link #holds} after taking
     * these resources, which have no marks.
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

    /** Returns the last piece that begins no later than {@code t}; O(log pieces). */
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
