package io.slotwise.core.slot;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Nodes for one search: those that the pods of a gang may use together.
 *
 * @param shapes the offers for each shape of the gang, at least one for each
 * @param span the index of the gang's span
 */
public record Field(List<List<Offer>> shapes, int span) {
    /**
     * Returns the eligible nodes in sets for one search each: one set for every domain of each span. For a lockstep
     * gang there is one for every duration, with the nodes that need no longer, each charged for that duration. O(spans
     * x nodes), for a lockstep gang O(durations x spans x nodes).
     */
    public static List<Field> of(Gang gang, List<Eligibility> shapes) {
        return of(gang, shapes, _ -> true, true);
    }

    /** Returns the same sets, with only the eligible nodes that satisfy {@code within}. */
    public static List<Field> of(Gang gang, List<Eligibility> shapes, Predicate<Node> within) {
        return of(gang, shapes, within, false);
    }

    private static List<Field> of(Gang gang, List<Eligibility> shapes, Predicate<Node> within, boolean all) {
        List<Field> fields = new ArrayList<>();
        for (int index = 0; index < gang.topology().spans().size(); index++) {
            int span = index;
            apart(gang.topology().spans().get(index), shapes)
                    .map(domain -> all ? domain : among(domain, within))
                    .flatMap(domain -> gang.lockstep() ? byDuration(domain) : Stream.of(domain))
                    .filter(domain -> domain.stream().noneMatch(List::isEmpty))
                    .forEach(domain -> fields.add(new Field(domain, span)));
        }
        return fields;
    }

    /** Returns the offers of each domain of a span, shape by shape; some may be empty. */
    private static Stream<List<List<Offer>>> apart(Topology.Span span, List<Eligibility> shapes) {
        List<Offers> all =
                shapes.stream().map(eligibility -> eligibility.offers(span)).toList();
        TopologyLevel level = span.level();
        if (level == null) {
            return Stream.of(List.<List<Offer>>copyOf(all));
        }
        List<int[][]> positions =
                shapes.stream().map(eligibility -> eligibility.positions(level)).toList();
        List<List<List<Offer>>> domains = new ArrayList<>();
        for (int domain = 0; domain < positions.getFirst().length; domain++) {
            List<List<Offer>> offers = new ArrayList<>();
            for (int shape = 0; shape < all.size(); shape++) {
                offers.add(all.get(shape).at(positions.get(shape)[domain]));
            }
            domains.add(offers);
        }
        return domains.stream();
    }

    private static List<List<Offer>> among(List<List<Offer>> shapes, Predicate<Node> within) {
        return shapes.stream()
                .map(offers -> offers.stream()
                        .filter(offer -> within.test(offer.timeline().node()))
                        .toList())
                .toList();
    }

    private static Stream<List<List<Offer>>> byDuration(List<List<Offer>> shapes) {
        return shapes.stream()
                .flatMap(List::stream)
                .map(Offer::duration)
                .distinct()
                .sorted()
                .map(longest -> shapes.stream()
                        .map(offers -> offers.stream()
                                .filter(offer -> offer.duration() <= longest)
                                .map(offer -> offer.lasting(longest))
                                .toList())
                        .toList());
    }
}
