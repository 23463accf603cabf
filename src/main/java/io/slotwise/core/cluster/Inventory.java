package io.slotwise.core.cluster;

import io.slotwise.core.queue.Amount;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.StepFunction;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

/**
 * The nodes of a cluster by name, and what follows from them regardless of running pods. A cluster has few kinds of
 * nodes. Anything that follows from a node's size, speed, price and power is computed once for each kind.
 *
 * <p>Immutable. Callers pass the same inventory for as long as no node changes, so that computed values stay valid in
 * the next cycle. O(N log N) to create, O(1) for every query.
 */
public final class Inventory extends AbstractList<Node> implements RandomAccess {
    private final List<Node> nodes;
    private final Map<String, Integer> indices;
    private final int[] kinds;
    private final List<Node> kindred;
    private final List<Resources> layouts;

    /** The common properties of nodes of one kind. */
    private record Kind(Resources allocatable, Performance performance, StepFunction price, long power) {}

    public Inventory(Collection<Node> nodes) {
        this.nodes = nodes.stream().sorted(Comparator.comparing(Node::name)).toList();
        this.indices = HashMap.newHashMap(nodes.size());
        this.kinds = new int[nodes.size()];
        this.kindred = new ArrayList<>();
        Map<Kind, Integer> known = new LinkedHashMap<>();
        for (int i = 0; i < kinds.length; i++) {
            Node node = this.nodes.get(i);
            if (indices.put(node.name(), i) != null) {
                throw new IllegalArgumentException("The node (%s) must not appear twice.".formatted(node.name()));
            }
            kinds[i] = known.computeIfAbsent(
                    new Kind(node.allocatable(), node.performance(), node.price(), node.power()), _ -> known.size());
            if (kinds[i] == kindred.size()) {
                kindred.add(node);
            }
        }
        Map<Set<String>, Resources> shared = new HashMap<>();
        this.layouts = kindred.stream()
                .map(Node::allocatable)
                .map(resources -> shared.computeIfAbsent(resources.asMap().keySet(), _ -> resources))
                .toList();
    }

    /** Returns the sum of what all nodes have, each amount at most {@link Amount#MOST}. O(N). */
    public Resources total() {
        // The sum of two amounts up to the most does not overflow.
        Map<String, Long> total = new HashMap<>();
        nodes.forEach(node -> node.allocatable()
                .asMap()
                .forEach((name, amount) ->
                        total.merge(name, Math.min(amount, Amount.MOST), (a, b) -> Math.min(a + b, Amount.MOST))));
        return Resources.of(total);
    }

    /** Returns an inventory of these nodes, or the argument itself if it is an inventory. */
    public static Inventory of(Collection<Node> nodes) {
        return nodes instanceof Inventory inventory ? inventory : new Inventory(nodes);
    }

    /** Returns these nodes with all of these {@link Place}s on each; unchanged if there are none. O(N log N). */
    public Inventory offering(Set<String> places) {
        return offering(places, Map.of());
    }

    /**
     * Returns these nodes with all of these {@link Place}s on each, except for limited ones, or this inventory if there
     * are no places. O(N (log N + places)).
     *
     * @param limits the amount of a place, by place and by the node's name
     */
    public Inventory offering(Set<String> places, Map<String, Map<String, Long>> limits) {
        if (places.isEmpty()) {
            return this;
        }
        Map<Map<String, Long>, Resources> shared = new HashMap<>();
        List<Node> offering = new ArrayList<>(nodes.size());
        for (Node node : nodes) {
            Map<String, Long> amounts = new HashMap<>();
            places.forEach(place ->
                    amounts.put(place, limits.getOrDefault(place, Map.of()).getOrDefault(node.name(), Place.WHOLE)));
            offering.add(node.offering(shared.computeIfAbsent(amounts, Resources::of)));
        }
        return new Inventory(offering);
    }

    @Override
    public Node get(int i) {
        return nodes.get(i);
    }

    @Override
    public int size() {
        return nodes.size();
    }

    /** Returns the position of the node of this name, or -1. */
    public int position(String name) {
        return indices.getOrDefault(name, -1);
    }

    /** Returns a node of each kind: one size, speed, price and power. */
    public List<Node> kinds() {
        return List.copyOf(kindred);
    }

    public int kind(int i) {
        return kinds[i];
    }

    /** Returns resources of the same names as this kind's. Many kinds share them, which helps the processor cache. */
    Resources layout(int kind) {
        return layouts.get(kind);
    }
}
