package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The slots of one request on all nodes: for every node the number of pods k(t) that may start there at second t and
 * stay until they end, a step function of t.
 *
 * <p>k(t) is the sliding-window minimum of the node's free capacity over {@code [t, t + duration + turnover)}, zero
 * where the pod would touch an unavailable interval, a price above its limit, or the deadline. It generalizes the slot
 * of the paper on AEP, section 2.1, where a node is free or not (k is 0 or 1), to nodes that several pods share.
 *
 * <p>Building takes O(b) for a node with b breakpoints, see {@link #minimum}. All changes of all nodes are in flat
 * arrays.
 */
public final class SlotList {
    /** No second is forbidden. */
    private static final long[] ALWAYS = {};

    private static final int[] ALWAYS_ANEW = {};

    private final List<Offer> offers;
    private final SlotTerms terms;
    private final long earliest;
    private final int[] offsets;
    private long[] times = new long[64];
    private int[] counts = new int[64];
    private int size;

    /** The position of the first change of the node that is being appended. */
    private int begin;

    private int[] room = new int[16];

    /** The version of each node's free capacity when its slots were computed, or empty if not recorded. */
    private final int[] versions;

    /** The slots of eligible nodes by name. Later changes of the nodes do not affect them. */
    public SlotList(List<Offer> offers, SlotTerms terms) {
        this(offers, terms, ALWAYS_ANEW);
        for (int i = 0; i < offers.size(); i++) {
            append(i);
        }
    }

    private SlotList(List<Offer> offers, SlotTerms terms, int[] versions) {
        this.offers = offers;
        this.terms = terms;
        this.earliest = terms.earliest();
        this.offsets = new int[offers.size() + 1];
        this.versions = versions;
    }

    /** Returns the slots of these nodes, for {@link #renewed}. */
    public static SlotList renewable(List<Offer> offers, SlotTerms terms) {
        SlotList slots = new SlotList(offers, terms, new int[offers.size()]);
        Offers nodeOffers = Offers.of(offers);
        for (int i = 0; i < offers.size(); i++) {
            slots.versions[i] = nodeOffers.version(i);
            slots.append(i);
        }
        return slots;
    }

    /** Returns the present slots, copied for unchanged nodes. Precondition: the list is {@link #renewable}. */
    public SlotList renewed() {
        SlotList slots = new SlotList(offers, terms, versions.clone());
        slots.times = new long[times.length];
        slots.counts = new int[counts.length];
        slots.room = room;
        Offers nodeOffers = Offers.of(offers);
        int from = 0;
        for (int i = 0; i < versions.length; i++) {
            int version = nodeOffers.version(i);
            if (version != versions[i]) {
                slots.takeOver(this, from, i);
                slots.versions[i] = version;
                slots.append(i);
                from = i + 1;
            }
        }
        slots.takeOver(this, from, versions.length);
        return slots;
    }

    /** Returns whether these are slots of the same nodes under the same terms, at any time. */
    @SuppressWarnings("ReferenceEquality") // Comparing every node would take as long as computing the slots again.
    public boolean isOf(List<Offer> others, SlotTerms other) {
        return offers == others && terms.equals(other);
    }

    private void takeOver(SlotList before, int from, int to) {
        int begins = before.offsets[from];
        int length = before.offsets[to] - begins;
        reserve(size + length);
        System.arraycopy(before.times, begins, times, size, length);
        System.arraycopy(before.counts, begins, counts, size, length);
        for (int i = from; i < to; i++) {
            offsets[i + 1] = before.offsets[i + 1] - begins + size;
        }
        size += length;
    }

    private void append(int i) {
        begin = size;
        append(offers.get(i));
        offsets[i + 1] = size;
    }

    public List<Offer> offers() {
        return offers;
    }

    /** Returns the second before which no slot begins. */
    public long earliest() {
        return earliest;
    }

    /** Returns the last change of all nodes, after which no slot begins, or {@link #earliest} if there is none. */
    public long latest() {
        long latest = earliest;
        for (int i = 0; i < offers.size(); i++) {
            latest = offsets[i + 1] > offsets[i] ? Math.max(latest, times[offsets[i + 1] - 1]) : latest;
        }
        return latest;
    }

    /** Returns the number of changes of all nodes, m. */
    public int size() {
        return size;
    }

    /** Returns the position of the first change of node {@code i}; its last is before {@code offset(i + 1)}. */
    public int offset(int i) {
        return offsets[i];
    }

    /** Returns the second of the change at this position; ascending within a node. */
    public long time(int position) {
        return times[position];
    }

    /** Returns the number of pods that may start from the second of the change at this position on. */
    public int count(int position) {
        return counts[position];
    }

    /** Returns how many pods may start on node {@code i} at second {@code t}; O(log changes of the node). */
    public int countAt(int i, long t) {
        int position = Arrays.binarySearch(times, offsets[i], offsets[i + 1], t);
        position = position >= 0 ? position : -position - 2;
        return position < offsets[i] ? 0 : counts[position];
    }

    private void append(Offer offer) {
        long latest = Math.min(terms.latest(), terms.deadline() - offer.duration());
        if (latest < earliest) {
            return;
        }
        minimum(offer, latest);
        long[] forbidden = forbiddenStarts(offer, terms, latest);
        if (forbidden.length > 0) {
            forbid(forbidden, latest);
        }
        if (last() > 0) {
            push(latest + 1, 0);
        }
    }

    /**
     * Appends the sliding-window minimum over {@code [t, t + duration + turnover)} for t from earliest to latest.
     *
     * <p>A rise takes effect at the rise itself, when the window has left the lower values before it. A fall takes
     * effect as soon as the window reaches it, length - 1 seconds earlier. So a fall lowers the rises that would take
     * effect after it, which are the last changes found so far.
     */
    private void minimum(Offer offer, long latest) {
        NodeTimeline timeline = offer.timeline();
        long length = offer.duration() + timeline.turnover();
        int first = timeline.pieceAt(earliest);
        int pieces = timeline.piecesBefore(latest + length);
        if (room.length < pieces - first) {
            room = new int[(pieces - first) * 2];
        }
        timeline.counts(offer.request(), offer.most(), first, pieces, room);
        if (room[0] > 0) {
            push(earliest, room[0]);
        }
        for (int i = first + 1; i < pieces; i++) {
            int level = room[i - first];
            int before = last();
            if (level > before && timeline.start(i) <= latest) {
                push(timeline.start(i), level);
            } else if (level < before) {
                fall(Math.max(earliest, timeline.start(i) - length + 1), level);
            }
        }
    }

    /** Lowers the level from second {@code from} on to at most this. */
    private void fall(long from, int level) {
        long risen = from;
        while (size > begin && times[size - 1] >= from && counts[size - 1] >= level) {
            risen = times[--size];
        }
        if (last() > level) {
            push(from, level);
        } else if (last() < level) {
            push(risen, level);
        }
    }

    /** Forbids starts in these disjoint ascending pairs [from, to), up to {@code latest}. */
    private void forbid(long[] pairs, long latest) {
        int n = size - begin;
        long[] at = Arrays.copyOfRange(times, begin, size);
        int[] levels = Arrays.copyOfRange(counts, begin, size);
        size = begin;
        int level = 0;
        int change = 0;
        int edge = 0;
        while (change < n || edge < pairs.length) {
            long t = Math.min(
                    change < n ? at[change] : Long.MAX_VALUE, edge < pairs.length ? pairs[edge] : Long.MAX_VALUE);
            if (t > latest) {
                return;
            }
            while (change < n && at[change] <= t) {
                level = levels[change++];
            }
            while (edge < pairs.length && pairs[edge] <= t) {
                edge++;
            }
            int allowed = edge % 2 == 0 ? level : 0;
            if (allowed != last()) {
                push(Math.max(t, earliest), allowed);
            }
        }
    }

    /** Returns the seconds in which no pod may start, as disjoint ascending pairs [from, to). */
    private static long[] forbiddenStarts(Offer offer, SlotTerms terms, long latest) {
        List<Interval> unavailable = offer.timeline().unavailable();
        StepFunction rate = offer.rate();
        if (unavailable.isEmpty() && terms.slotPrice() == null && terms.closed().isEmpty()) {
            return ALWAYS;
        }
        Optional<Long> limit = Optional.ofNullable(terms.slotPrice()).map(money -> money.micros());
        int rates = limit.isPresent() ? rate.pieces() : 0;
        long[] pairs = new long[2 * (unavailable.size() + terms.closed().size() + rates)];
        int n = 0;
        for (Interval interval : unavailable) {
            pairs[n++] = interval.start() - offer.duration() + 1;
            pairs[n++] = interval.end();
        }
        for (Interval interval : terms.closed()) {
            pairs[n++] = interval.start() - offer.duration() + 1;
            pairs[n++] = interval.end();
        }
        for (int i = 0; limit.isPresent() && i < rate.pieces(); i++) {
            if (rate.value(i) > limit.get()) {
                pairs[n++] = i == 0 ? Long.MIN_VALUE : rate.start(i) - offer.duration() + 1;
                pairs[n++] = rate.end(i);
            }
        }
        return merged(Arrays.copyOf(pairs, n), terms.earliest(), latest);
    }

    private static long[] merged(long[] pairs, long earliest, long latest) {
        Integer[] order = new Integer[pairs.length / 2];
        Arrays.setAll(order, i -> 2 * i);
        Arrays.sort(order, (a, b) -> Long.compare(pairs[a], pairs[b]));
        long[] merged = new long[pairs.length];
        int n = 0;
        for (int at : order) {
            if (pairs[at + 1] <= earliest || pairs[at] > latest) {
                continue;
            }
            if (n > 0 && pairs[at] <= merged[n - 1]) {
                merged[n - 1] = Math.max(merged[n - 1], pairs[at + 1]);
            } else {
                merged[n++] = pairs[at];
                merged[n++] = pairs[at + 1];
            }
        }
        return Arrays.copyOf(merged, n);
    }

    private int last() {
        return size > begin ? counts[size - 1] : 0;
    }

    private void reserve(int changes) {
        if (changes > times.length) {
            times = Arrays.copyOf(times, Math.max(changes, size * 2));
            counts = Arrays.copyOf(counts, times.length);
        }
    }

    private void push(long time, int count) {
        reserve(size + 1);
        times[size] = time;
        counts[size++] = count;
    }
}
