package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.window.CompanionRules;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one search looks at: the offers that may be used together, those of the gang's first shape before those of its
 * second, and so on.
 */
public final class SlotSearch {
    private final SlotList slots;
    private final List<ShapeOffers> shapes;
    private final int maxPerNode;
    private final @Nullable CompanionRules company;
    private final long least;
    private final long most;
    private boolean bounded;

    /**
     * One shape.
     *
     * @param pods how many, positive
     * @param offers how many
     */
    public record ShapeOffers(int pods, int offers) {}

    /**
     * What is looked at.
     *
     * @param slots of all offers
     * @param shapes how many pods there are of each shape, and how many offers it has
     * @param maxPerNode the most pods of the gang on one node
     * @param company what the pods keep among themselves; null: nothing
     */
    public SlotSearch(SlotList slots, List<ShapeOffers> shapes, int maxPerNode, @Nullable CompanionRules company) {
        this(slots, shapes, maxPerNode, company, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private SlotSearch(
            SlotList slots,
            List<ShapeOffers> shapes,
            int maxPerNode,
            @Nullable CompanionRules company,
            long least,
            long most) {
        this.least = least;
        this.most = most;
        this.company = company;
        this.slots = slots;
        this.shapes = List.copyOf(shapes);
        this.maxPerNode = maxPerNode;
    }

    /**
     * The same where something is known of the best window: an algorithm may end as soon as it has one that is as good
     * as can be, and need not look at what is too bad.
     *
     * @param noLess no window has a lower value of the criterion
     * @param noMore windows with a higher one are of no use
     */
    public SlotSearch between(long noLess, long noMore) {
        return new SlotSearch(slots, shapes, maxPerNode, company, noLess, noMore);
    }

    /** No window has a lower value of the criterion. */
    long least() {
        return least;
    }

    /** Windows with a higher value of the criterion are of no use. */
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

    /** What the pods keep among themselves; null: nothing. */
    @Nullable
    CompanionRules company() {
        return company;
    }

    /** Notes that something was left out, so that a better window may exist. */
    void bound() {
        bounded = true;
    }

    /** Whether something was left out. */
    public boolean bounded() {
        return bounded;
    }

    /** A search for pods that all ask for the same. */
    public static SlotSearch uniform(SlotList slots, int pods) {
        return new SlotSearch(
                slots, List.of(new ShapeOffers(pods, slots.offers().size())), Integer.MAX_VALUE, null);
    }

    /** The number of pods, n. */
    int size() {
        return shapes.stream().mapToInt(ShapeOffers::pods).sum();
    }

    /** Whether all pods ask for the same and do not look at each other. */
    public boolean isUniform() {
        return shapes.size() == 1 && company == null;
    }

    public List<Offer> offers() {
        return slots.offers();
    }

    /** The shape that each offer is for. */
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

    /** The pass over it. */
    SlotSweep sweep() {
        return isUniform() ? new UniformSweep(slots, size()) : new MixedSweep(this);
    }
}
