package io.slotwise.core.window.sweep;

import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.units.SlotEvents;
import io.slotwise.core.window.units.UnitRanking;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pass for gangs whose pods are of several shapes, such as a launcher and its workers, or in slices.
 *
 * <p>Each shape's units are ranked separately. The sum of the shapes' least costs is a lower bound on every window,
 * since pods of different shapes may compete for a node. Only where that bound is within the limit are the pods placed,
 * see {@code MixedPlacement}. Segments are also cut where the room of a node changes, since two shapes may or may not
 * fit together there although each alone fits as often as before. So the possible placements are the same throughout a
 * segment, and the least cost is concave.
 *
 * <p>With s shapes: O(s (m + U)) for the pass, see {@link UniformSweep}, and one placement for each segment that the
 * bound does not rule out.
 */
final class MixedSweep extends SlotSweep {
    private final SlotSearch search;
    private final SlotEvents events;
    private final int[] shapeOf;
    private final UnitRanking[] rankings;
    private final MixedPlacement placement;

    MixedSweep(SlotSearch search) {
        this.search = search;
        this.shapeOf = search.shapeOf();
        this.rankings = search.shapes().stream()
                .map(shape -> new UnitRanking(search.slots(), shape.pods(), null, 1))
                .toArray(UnitRanking[]::new);
        this.events = new SlotEvents(search.slots(), search.size(), cuts());
        this.placement = new MixedPlacement(search, null);
    }

    /** Returns the seconds at which a key's slope or the room of a node changes. */
    private long[] cuts() {
        List<Long> cuts = new ArrayList<>();
        for (long t : rankings[0].breakpoints()) {
            cuts.add(t);
        }
        for (Offer offer : search.slices().isEmpty() ? search.offers() : List.<Offer>of()) {
            long length = offer.duration() + offer.timeline().turnover();
            for (int i = 1; i < offer.timeline().pieces(); i++) {
                cuts.add(offer.timeline().start(i));
                cuts.add(offer.timeline().start(i) - length + 1);
            }
        }
        return cuts.stream().mapToLong(Long::longValue).distinct().toArray();
    }

    @Override
    void rewind() {
        events.rewind();
        for (UnitRanking ranking : rankings) {
            ranking.rewind();
        }
    }

    @Override
    boolean advance() {
        if (!events.advance()) {
            return false;
        }
        while (events.next()) {
            rankings[shapeOf[events.node()]].add(events.node(), events.added());
        }
        for (UnitRanking ranking : rankings) {
            ranking.advance(events.from());
        }
        return true;
    }

    @Override
    void retire(int offer) {
        int units = events.retire(offer);
        if (units > 0) {
            rankings[shapeOf[offer]].add(offer, -units);
        }
    }

    @Override
    long from() {
        return events.from();
    }

    @Override
    long to() {
        return events.to();
    }

    @Override
    boolean enough() {
        for (UnitRanking ranking : rankings) {
            if (!ranking.enough()) {
                return false;
            }
        }
        return true;
    }

    @Override
    boolean moves() {
        boolean moves = false;
        for (UnitRanking ranking : rankings) {
            moves |= ranking.moves();
        }
        return moves && events.to() > events.from();
    }

    /** Returns a lower bound of the cost of a window that starts at second {@code t} of the segment. */
    long bound(long t) {
        long bound = 0;
        for (UnitRanking ranking : rankings) {
            bound += ranking.lowest(t);
        }
        return bound;
    }

    /** Returns how many pods an offer takes in the segment, at most; -1 if it is retired. */
    int held(int offer) {
        return events.held(offer);
    }

    @Override
    long cheapest(long t, long limit) {
        long bound = bound(t);
        if (bound > limit) {
            return bound;
        }
        MixedPlacement.@Nullable Assignment assignment =
                placement.best(t, events::held, new MixedPlacement.Limits(limit, Long.MAX_VALUE, Long.MAX_VALUE));
        return assignment == null ? Long.MAX_VALUE : assignment.cost();
    }
}
