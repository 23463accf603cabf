package io.slotwise.core.planner;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.search.WindowSearch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster as if nothing ran on them and no owner kept them. */
record EmptyNodes(Snapshot snapshot, Policy policy) {
    /** Returns whether the nodes take all pods of a gang at once, at any price and without rules about pods. */
    boolean take(Gang gang) {
        Gang freeGang = gang;
        for (PodRule rule : gang.rules()) {
            freeGang = freeGang.without(rule);
        }
        List<Node> nodes = snapshot.cluster().inventory().stream()
                .map(Node::alwaysAvailable)
                .toList();
        Timeline timeline = new Timeline(new Cluster(nodes, List.of()), snapshot.now(), 0);
        PodTariffs tariffs = new PodTariffs(timeline.inventory(), policy.charge() == Policy.Charge.WHOLE_NODE);
        SlotTerms terms = new SlotTerms(snapshot.now(), snapshot.now(), Interval.FOREVER, null);
        return new WindowSearch(freeGang, Eligibility.of(freeGang, tariffs, timeline))
                .best(Criterion.START, terms, Cost.UNLIMITED)
                .isPresent();
    }

    /**
     * Returns a lower bound of the pods that the nodes take: smaller pods first, on the first node that fits. O(pods x
     * nodes).
     */
    static long room(Gang gang, List<List<Offer>> field) {
        Map<String, Resources> taken = new HashMap<>();
        Map<String, Integer> pods = new HashMap<>();
        List<Integer> order = new ArrayList<>();
        for (int shape = 0; shape < field.size(); shape++) {
            order.add(shape);
        }
        order.sort(Comparator.comparingLong((Integer shape) ->
                        gang.shapes().get(shape).request().resources().get(Resources.CPU))
                .thenComparing(Comparator.naturalOrder()));
        long room = 0;
        for (int shape : order) {
            Resources request = gang.shapes().get(shape).request().resources();
            for (int pod = 0; pod < gang.shapes().get(shape).pods().size(); pod++) {
                room += place(gang, request, field.get(shape), taken, pods) ? 1 : 0;
            }
        }
        return room;
    }

    private static boolean place(
            Gang gang, Resources request, List<Offer> offers, Map<String, Resources> taken, Map<String, Integer> pods) {
        for (Offer offer : offers) {
            Resources resources =
                    taken.getOrDefault(offer.node(), Resources.NONE).plus(request);
            if (pods.getOrDefault(offer.node(), 0) < gang.maxPerNode()
                    && offer.timeline().node().allocatable().times(resources) > 0) {
                taken.put(offer.node(), resources);
                pods.merge(offer.node(), 1, Integer::sum);
                return true;
            }
        }
        return false;
    }
}
