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
 * The most promising nodes by a criterion, to be searched before all others, and a proof that they are enough.
 *
 * <p>Nodes are ranked by the least that a unit can add to the criterion, then by the cost of a unit at the first
 * second, then by name. The best window on the shortlist is the best of all in two cases:
 * <ol>
 * <li>Any window with a unit on another node is worse. For the runtime and the finish that is so if the next node takes
 * longer. For sums (cost, processor time, energy), it is so if the next node's least and the n - 1 least of all are
 * more. For the value {@link ValueBounds} decide. For the distance from preferences, the sum of costs must exceed the
 * preferred cost by more, with the least that time adds.
 * <li>Such a window can only be as good, the found one starts at the first second, and none of its units then costs
 * more than a unit on the next node. Another window as good would start then, too. It has more units on other nodes, so
 * one of the found window's units is free next to it. That unit replaces one on another node without loss in the
 * criterion, and for less, or for the same on a node whose name comes before. One after the other all units move to the
 * shortlist. For the value this is checked node by node.
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

    /** A lower bound of the value of a window with a unit on a node that is left out. */
    private final long leastValue;

    /** The least cost of a unit at the first second on the next node that is left out, 1/3600 millionths. */
    private final long nextCost;

    /** The least that a unit on a node that is left out adds to the criterion. */
    private final long nextValue;

    /** True if the next node adds as little to the criterion as the first one. */
    private final boolean allAlike;

    /** For the criterion value, what each node can add; null for any other. */
    private final @Nullable ValueBounds bounds;

    /** The chosen positions, ascending; empty if all are chosen. */
    private final int[] chosen;

    /** Nodes by name, for windows that start from {@code earliest} to {@code latest}. */
    public record Asked(List<Offer> all, Criterion criterion, Gang gang, long earliest, long latest) {}

    /** Chooses {@code size} nodes, all if there are no more, by a criterion other than the value. */
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

    /** Chooses {@code size} nodes, all if there are no more, by the criterion value. */
    public static Shortlist ofValue(ValueBounds bounds, int size) {
        Asked asked = new Asked(bounds.offers(), Criterion.VALUE, bounds.gang(), bounds.earliest(), bounds.latest());
        return new Shortlist(asked, size, bounds);
    }

    /** Returns the least sum of ascending values, at most {@code most} on a node; other nodes have {@code next}. */
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

    public List<Offer> offers() {
        return offers;
    }

    /** Returns a lower bound for windows with a unit on a node left out, which the chosen nodes cannot settle. */
    public long leastValue() {
        return leastValue;
    }

    /** Returns the least that a node left out adds to the criterion; the maximum where none is left out. */
    public long nextValue() {
        return nextValue;
    }

    /** Returns whether the best window on these nodes is the best on all of them. */
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

    private boolean isCheapest(Window window) {
        return window.placements().stream()
                .mapToLong(placement -> placement.cost().microSecondsPerHour())
                .allMatch(cost -> cost < nextCost || (cost == nextCost && allAlike));
    }

    /** Returns the terms of every better window on all nodes, given the best window on the chosen ones. */
    public SlotTerms better(Window window, SlotTerms terms) {
        if (criterion == Criterion.FINISH) {
            return terms.within(terms.latest(), window.end());
        }
        return leastValue == window.value(criterion, gang) ? terms.within(window.start(), terms.deadline()) : terms;
    }
}
