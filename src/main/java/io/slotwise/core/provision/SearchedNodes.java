package io.slotwise.core.provision;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of one search: existing nodes, bought nodes, and as many of each offer as the gang might buy, which cost
 * nothing here and have unlimited time. Used for one search.
 */
final class SearchedNodes {
    private final Gang gang;
    private final PurchaseContext context;
    private final Picture wholePicture;
    /** The offers on whose nodes pods of the gang fit, each with the names of the nodes that can be bought. */
    private final Map<NodeOffer, List<String>> offered = new LinkedHashMap<>();
    /** The offer of each node that can be bought. */
    private final Map<String, NodeOffer> byNode = new HashMap<>();

    SearchedNodes(Gang gang, NodeMarket market, PurchaseContext context) {
        this.gang = gang;
        this.context = context;
        List<Node> nodes = new ArrayList<>(context.cluster().inventory());
        Set<String> taken = new HashSet<>();
        nodes.forEach(node -> taken.add(node.name()));
        List<Node> more = new ArrayList<>();
        for (Purchase purchase : market.bought()) {
            if (taken.add(purchase.node())) {
                more.add(purchase.seen(context.now()));
            }
        }
        market.offers().stream().sorted(Comparator.comparing(NodeOffer::name)).forEach(offer -> {
            List<String> names = names(offer, most(offer, market), taken);
            names.forEach(name -> {
                byNode.put(name, offer);
                more.add(offer.node(name, StepFunction.constant(0), List.of()));
            });
            if (!names.isEmpty()) {
                offered.put(offer, names);
            }
        });
        nodes.addAll(new Inventory(more).offering(places(context.cluster())));
        this.wholePicture = picture(new Inventory(nodes));
    }

    /** Nodes with their tariffs and their free capacity. */
    private record Picture(Inventory inventory, PodTariffs tariffs, Timeline timeline) {}

    private Picture picture(Inventory inventory) {
        return new Picture(
                inventory,
                new PodTariffs(inventory, context.wholeNode()),
                new Timeline(
                        new Cluster(inventory, context.cluster().occupations()),
                        context.now(),
                        context.turnover(),
                        context.queues() == null ? null : new QueueTimeline(context.queues())));
    }

    /** Returns the nodes. If pods have rules about others, a node that is not chosen must be invisible. */
    private Picture picture(Set<String> chosen) {
        return gang.hasRules()
                ? picture(new Inventory(wholePicture.inventory().stream()
                        .filter(node -> offer(node.name()) == null || chosen.contains(node.name()))
                        .toList()))
                : wholePicture;
    }

    /** Returns the places that the pods of the gang and of the cluster request: a new node has all of each. */
    private Set<String> places(Cluster cluster) {
        Set<String> places = new HashSet<>();
        gang.shapes().forEach(shape -> addPlaces(shape.request().resources(), places));
        for (Occupation occupation : cluster.occupations()) {
            addPlaces(occupation.resources(), places);
        }
        return places;
    }

    private static void addPlaces(Resources resources, Set<String> places) {
        for (int i = 0; i < resources.size(); i++) {
            if (Place.is(resources.name(i))) {
                places.add(resources.name(i));
            }
        }
    }

    private long most(NodeOffer offer, NodeMarket market) {
        int podCount = podCount(offer);
        if (podCount == 0) {
            return 0;
        }
        return Math.min(market.left(offer), Math.ceilDiv(gang.size(), podCount));
    }

    /**
     * Returns how many pods a node of this offer holds. The result is 1 if the number of places is not enough to
     * know.
     */
    int podCount(NodeOffer offer) {
        if (!isSimple()) {
            return gang.shapes().stream().anyMatch(shape -> podCount(shape.request(), offer) > 0) ? 1 : 0;
        }
        return Math.min(podCount(gang.request(), offer), gang.maxPerNode());
    }

    /**
     * Returns whether the number of places is enough to know: all pods are alike, without rules about others or
     * slices.
     */
    boolean isSimple() {
        return gang.takesAnyPlaces();
    }

    private int podCount(PodRequest request, NodeOffer offer) {
        return request.constraint().exclusion(offer.node()) != null
                ? 0
                : (int) Math.min(
                        gang.size(),
                        Math.min(
                                offer.node()
                                        .allocatable()
                                        .times(request.resources().amounts()),
                                perPlace(request.resources())));
    }

    /** Returns how many pods that request places fit on a node with all of each place. */
    private static long perPlace(Resources resources) {
        long most = Long.MAX_VALUE;
        for (int i = 0; i < resources.size(); i++) {
            if (Place.is(resources.name(i))) {
                most = Math.min(most, Place.WHOLE / resources.amount(i));
            }
        }
        return most;
    }

    private static List<String> names(NodeOffer offer, long most, Set<String> taken) {
        List<String> names = new ArrayList<>();
        for (int number = 1; names.size() < most; number++) {
            String name = offer.name() + "-" + number;
            if (taken.add(name)) {
                names.add(name);
            }
        }
        return names;
    }

    Map<NodeOffer, List<String>> offered() {
        return offered;
    }

    /** Returns the offer that a pod on this node buys, or null for an existing node. */
    @Nullable
    NodeOffer offer(String node) {
        return byNode.get(node);
    }

    /** Returns the most seconds that the gang's pods take on a node in its widest span. */
    long duration(Node node) {
        long seconds = gang.shapes().getFirst().request().durationOn(node.performance());
        return gang.topology().spans().getLast().lasting(seconds);
    }

    Set<Long> durations() {
        return wholePicture.inventory().stream().map(this::duration).collect(Collectors.toSet());
    }

    /** Returns the nodes for each shape: new nodes, and existing ones that take at most {@code longest} seconds. */
    List<Eligibility> eligibility(long longest, Set<String> chosen, BiPredicate<PodRequest, String> affordable) {
        Picture picture = picture(chosen);
        Inventory inventory = picture.inventory();
        BitSet among = new BitSet();
        for (int i = 0; i < inventory.size(); i++) {
            Node node = inventory.get(i);
            among.set(i, offer(node.name()) == null && duration(node) <= longest);
        }
        return gang.shapes().stream()
                .map(Gang.Shape::request)
                .map(request -> {
                    BitSet own = (BitSet) among.clone();
                    chosen.stream()
                            .filter(name -> affordable.test(request, name))
                            .forEach(name -> own.set(inventory.position(name)));
                    return new Eligibility(
                            Eligibility.Kind.of(gang, request), picture.tariffs(), picture.timeline(), own);
                })
                .toList();
    }
}
