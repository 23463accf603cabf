package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.CompanionRules;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The input of one search: the offers that may be used together, shape by shape of the gang. */
public final class SlotSearch {
    private final SlotList slots;
    private final List<ShapeOffers> shapes;
    private final int maxPerNode;
    private final @Nullable CompanionRules rules;
    private final List<Slice> slices;
    private long least = Long.MIN_VALUE;
    private long most = Long.MAX_VALUE;
    private boolean bounded;

    /** The number of pods of one shape, positive, and of its offers. */
    public record ShapeOffers(int pods, int offers) {}

    /** Searches these slots. The rules are null if there are none. */
    public SlotSearch(SlotList slots, List<ShapeOffers> shapes, int maxPerNode, @Nullable CompanionRules rules) {
        this(slots, shapes, maxPerNode, rules, List.of());
    }

    private SlotSearch(
            SlotList slots,
            List<ShapeOffers> shapes,
            int maxPerNode,
            @Nullable CompanionRules rules,
            List<Slice> slices) {
        this.rules = rules;
        this.slices = slices;
        this.slots = slots;
        this.shapes = List.copyOf(shapes);
        this.maxPerNode = maxPerNode;
    }

    /** Returns the search for a gang in slices, whose pods are all alike and have no rules. */
    public SlotSearch in(List<Slice> others) {
        return new SlotSearch(slots, shapes, maxPerNode, rules, others);
    }

    /** Returns the search with a lower bound of the criterion's value and its highest useful value. */
    public SlotSearch between(long noLess, long noMore) {
        SlotSearch sameSearch = new SlotSearch(slots, shapes, maxPerNode, rules, slices);
        sameSearch.least = noLess;
        sameSearch.most = noMore;
        return sameSearch;
    }

    long least() {
        return least;
    }

    long most() {
        return most;
    }

    public SlotList slots() {
        return slots;
    }

    public List<ShapeOffers> shapes() {
        return shapes;
    }

    int maxPerNode() {
        return maxPerNode;
    }

    @Nullable
    CompanionRules company() {
        return rules;
    }

    List<Slice> slices() {
        return slices;
    }

    /** Notes that something was left out, so that a better window may exist. */
    void bound() {
        bounded = true;
    }

    public boolean bounded() {
        return bounded;
    }

    public static SlotSearch uniform(SlotList slots, int pods) {
        return new SlotSearch(
                slots, List.of(new ShapeOffers(pods, slots.offers().size())), Integer.MAX_VALUE, null);
    }

    int size() {
        return shapes.stream().mapToInt(ShapeOffers::pods).sum();
    }

    /** Returns whether all pods are alike, have no rules about each other and run in no slices. */
    public boolean isUniform() {
        return shapes.size() == 1 && rules == null && slices.isEmpty();
    }

    public List<Offer> offers() {
        return slots.offers();
    }

    int[] shapeOf() {
        int[] shapeOf = new int[offers().size()];
        int to = 0;
        for (int shape = 0; shape < shapes.size(); shape++) {
            int from = to;
            to += shapes.get(shape).offers();
            Arrays.fill(shapeOf, from, to, shape);
        }
        return shapeOf;
    }

    SlotSweep sweep() {
        return isUniform() ? new UniformSweep(slots, size()) : new MixedSweep(this);
    }
}
