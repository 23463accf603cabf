package io.slotwise.core.window.search;

import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.shortlist.SoonestNodes;
import io.slotwise.core.window.sweep.SlotSearch;
import io.slotwise.core.window.sweep.SlotSearch.ShapeOffers;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes for one window, shape by shape, with the number of pods and offers of each shape.
 *
 * @param span the index of the gang's span
 */
record SearchField(List<Offer> offers, List<ShapeOffers> shapes, int span) {
    static SearchField of(Gang gang, Field field) {
        return of(gang, field.shapes()).in(field.span());
    }

    /** Returns the same nodes in another span. */
    SearchField in(int other) {
        return new SearchField(offers, shapes, other);
    }

    static SearchField of(Gang gang, List<List<Offer>> shapes) {
        List<ShapeOffers> sizes = new ArrayList<>();
        for (int shape = 0; shape < shapes.size(); shape++) {
            sizes.add(new ShapeOffers(
                    gang.shapes().get(shape).pods().size(), shapes.get(shape).size()));
        }
        return new SearchField(
                shapes.size() == 1
                        ? shapes.getFirst()
                        : shapes.stream().flatMap(List::stream).toList(),
                sizes,
                0);
    }

    /**
     * Returns the nodes on which some pod can start within the terms, and that can be part of a useful window: see
     * {@link SearchQuestion#mostOfOne}.
     */
    SearchField onlyOpen(Gang gang, SearchQuestion question) {
        Offers nodeOffers = Offers.of(offers);
        SoonestNodes nodes = SoonestNodes.of(nodeOffers.with(question.restored()), question.terms(), false);
        if (nodes == null) {
            return this;
        }
        long mostOfOne = question.mostOfOne(gang, nodeOffers::least);
        if (mostOfOne < Long.MAX_VALUE) {
            Criterion.Figure figure = question.criterion().figure();
            nodes.leaveOut(i -> nodeOffers.figure(figure, i) > mostOfOne);
        }
        return of(gang, List.of(nodes.until(SoonestNodes.ALL, offers)));
    }

    SlotSearch search(Gang gang, SlotTerms terms, RestoredCapacity restored) {
        List<Offer> open = restored.isEmpty() ? offers : Offers.of(offers).with(restored);
        return new SlotSearch(new SlotList(open, terms), shapes, gang.maxPerNode(), null)
                .in(gang.topology().slices());
    }
}
