package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The free capacity of all nodes of a cluster over time: scratch of one planning run, not safe for threads. */
public final class Timeline {
    private final Inventory inventory;
    private final List<NodeTimeline> nodes;
    private final long turnover;
    private final Holders holders = new Holders();

    /**
     * The timeline of a cluster with its occupations in place.
     *
     * @param cluster nodes and what runs on them
     * @param origin nothing is ever asked about seconds before this one
     * @param turnover seconds kept free after every holder
     */
    public Timeline(Cluster cluster, long origin, long turnover) {
        this.inventory = cluster.nodes();
        this.turnover = turnover;
        this.nodes = new ArrayList<>(inventory.size());
        List<NodeTimeline> idle = new ArrayList<>();
        List<Node> kinds = inventory.kinds();
        for (int kind = 0; kind < kinds.size(); kind++) {
            idle.add(new NodeTimeline(kinds.get(kind), inventory.layout(kind), origin, turnover));
        }
        for (int i = 0; i < inventory.size(); i++) {
            nodes.add(idle.get(inventory.kind(i)).alike(inventory.get(i)));
        }
        for (Occupation occupation : cluster.occupations()) {
            occupy(occupation.node(), occupation.amount(), occupation.interval());
        }
    }

    /** The nodes without what runs on them. */
    public Inventory inventory() {
        return inventory;
    }

    /** Seconds kept free after every holder. */
    public long turnover() {
        return turnover;
    }

    /** Who has taken and given back room since it was made, as far as they told. */
    public Holders holders() {
        return holders;
    }

    /** The nodes, by name. */
    public List<NodeTimeline> nodes() {
        return nodes;
    }

    /** The node of this name, or null. */
    public @Nullable NodeTimeline node(String name) {
        int position = inventory.position(name);
        return position < 0 ? null : nodes.get(position);
    }

    /** Takes room; a node that is not there is passed over. */
    public void occupy(String node, Resources amount, Interval interval) {
        NodeTimeline timeline = node(node);
        if (timeline != null) {
            timeline.occupy(amount, interval);
        }
    }

    /** Gives back what {@link #occupy} took. */
    public void vacate(String node, Resources amount, Interval interval) {
        NodeTimeline timeline = node(node);
        if (timeline != null) {
            timeline.vacate(amount, interval);
        }
    }
}
