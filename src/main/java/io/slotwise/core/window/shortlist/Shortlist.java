package io.slotwise.core.window.shortlist;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that promise most by a criterion, to be searched before all others, and a proof that they were enough.
 *
 * <p>A node is ranked by the least that a unit on it can add to the criterion, then by what a unit costs at the first
 * second, then by name. The best window on the shortlist is the best of all
 *
 * <ol>
 *   <li>if any window with a unit on another node is worse: for the runtime and the finish, if the next node takes
 *       longer; for sums (cost, processor time, energy), if the next node's least and the n - 1 least of all are more;
 *       for the value by {@link ValueBounds}; for the distance from what is preferred, if the sum of costs is further
 *       above the preferred cost, with the least that time adds;
 *   <li>or if such a window can only be as good, the one found starts at the first second, and none of its units costs
 *       more than one on the next node does then. Another window as good would start then, too; it has more units on
 *       other nodes, so one of the found window's units is free beside it, and takes the place of a unit on another
 *       node at no loss of the criterion and for less, or for the same on a node whose name comes before. One after the
 *       other all come to the shortlist. For the value that is looked at node by node.
 * </ol>
 *
 * <p>O(N) for N nodes, less where prices do not move, see {@link Offers#first}.
 */
public final class Shortlist {
    private final Criterion criterion;
    private final Gang gang;
    private final long earliest;
    private final List<Offer> offers;

    private final boolean whole;

    /** No window with a unit on a node that is left out has a lower value. */
    private final long leastValue;

    /** What a unit at the first second costs at least on a node that is left out and ranks next, 1/3600 millionths. */
    private final long nextCost;

    /** No unit on a node that is left out adds less to the criterion. */
    private final long nextValue;

    /** Whether the next node adds as little to the criterion as the first one. */
    private final boolean allAlike;

    /** By the criterion value what each node can add; null by any other. */
    private final @Nullable ValueBounds bounds;

    /** The chosen positions, ascending; none where all are. */
    private final int[] chosen;

    /** Nodes by name, and the windows that they are for: they start from {@code earliest} to {@code latest}. */
    public record Asked(List<Offer> all, Criterion criterion, Gang gang, long earliest, long latest) {}

    /** Chooses {@code size} of the nodes, all if there are no more, by a criterion other than the value. */
    public Shortlist(Asked asked, int size) {
        this(asked, size, null);
    }

    private Shortlist(Asked asked, int size, @Nullable ValueBounds bounds) {
        List<Offer> all = asked.all;
        this.criterion = asked.criterion;
        this.gang = asked.gang;
        this.earliest = asked.earliest;
        this.whole = size >= all.size();
        if (whole) {
            this.offers = all;
            this.leastValue = Long.MAX_VALUE;
            this.nextCost = Long.MAX_VALUE;
            this.allAlike = true;
            this.nextValue = Long.MAX_VALUE;
            this.bounds = null;
            this.chosen = new int[0];
            return;
        }
        Offers offers = Offers.of(all);
        int pods = gang.size();
        this.bounds = bounds;
        IntToLongFunction key = bounds == null ? i -> offers.figure(criterion.figure(), i) : bounds::of;
        int[] first = bounds == null ? offers.first(criterion.figure(), earliest, size + 1) : bounds.first(size + 1);
        int next = first[size];
        long[] values = Arrays.stream(first, 0, size).mapToLong(key).toArray();
        this.chosen = Arrays.copyOf(first, size);
        Arrays.sort(chosen);
        this.offers = offers.at(chosen);
        this.nextValue = key.applyAsLong(next);
        this.nextCost = offers.cost(next, earliest);
        this.allAlike = nextValue == values[0];
        this.leastValue = switch (criterion.kind()) {
            case TIME -> earliest + nextValue;
            case LARGEST, WORTH -> nextValue;
            case SUM -> nextValue + lowest(values, pods - 1, offers.most(), nextValue);
            case DISTANCE ->
                Window.sum(
                        gang.preferences().costError(nextValue + lowest(values, pods - 1, offers.most(), nextValue)),
                        gang.preferences().leastTimeError(0, earliest, asked.latest));
        };
    }

    /** Chooses nodes by the criterion value; {@code size} of them, all if there are no more. */
    public static Shortlist ofValue(ValueBounds bounds, int size) {
        Asked asked = new Asked(bounds.offers(), Criterion.VALUE, bounds.gang(), bounds.earliest(), bounds.latest());
        return new Shortlist(asked, size, bounds);
    }

    /** The least sum of units' ascending values, so many at most on a node; other nodes have {@code next}. */
    private static long lowest(long[] values, int units, int most, long next) {
        long sum = 0;
        int left = units;
        for (int i = 0; i < values.length && left > 0; i++) {
            int taken = Math.min(left, most);
            sum += taken * values[i];
            left -= taken;
        }
        return sum + left * next;
    }

    /** The chosen nodes, by name. */
    public List<Offer> offers() {
        return offers;
    }

    /** No window with a unit on a node that is left out has a lower value, which is never settled on the others. */
    public long leastValue() {
        return leastValue;
    }

    /** No unit on a node that is left out adds less to the criterion; the most of all where none is left out. */
    public long nextValue() {
        return nextValue;
    }

    /** Whether the best window on these nodes is the best on all of them. */
    public boolean settles(Window window) {
        long value = window.value(criterion, gang);
        if (whole || leastValue > value) {
            return true;
        }
        // A node on which a pod costs less may take longer, and end too late.
        return leastValue == value
                && criterion.kind() != Criterion.Kind.DISTANCE
                && window.start() == earliest
                && (bounds == null ? isCheapest(window) : bounds.settles(window, chosen));
    }

    /** Whether no unit of the window costs more than one on the next node. */
    private boolean isCheapest(Window window) {
        return window.placements().stream()
                .mapToLong(placement -> placement.cost().microSecondsPerHour())
                .allMatch(cost -> cost < nextCost || (cost == nextCost && allAlike));
    }

    /** The terms of every window on all nodes that may be better than this one, the best on the chosen nodes. */
    public SlotTerms better(Window window, SlotTerms terms) {
        if (criterion == Criterion.FINISH) {
            return terms.within(terms.latest(), window.end());
        }
        return leastValue == window.value(criterion, gang) ? terms.within(window.start(), terms.deadline()) : terms;
    }
}
