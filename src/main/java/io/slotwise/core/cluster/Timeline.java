package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The free capacity of all nodes of a cluster over time: scratch of one planning run, not safe for threads. */
public final class Timeline {
    private final List<NodeTimeline> nodes = new ArrayList<>();
    private final Map<String, NodeTimeline> byName = new HashMap<>();

    /**
     * The timeline of a cluster with its occupations in place.
     *
     * @param cluster nodes and what runs on them
     * @param origin nothing is ever asked about seconds before this one
     * @param turnover seconds kept free after every holder
     */
    public Timeline(Cluster cluster, long origin, long turnover) {
        Map<Set<String>, Resources> layouts = new HashMap<>();
        for (Node node : cluster.nodes()) {
            Resources layout =
                    layouts.computeIfAbsent(node.allocatable().asMap().keySet(), _ -> node.allocatable());
            NodeTimeline timeline = new NodeTimeline(node, layout, origin, turnover);
            nodes.add(timeline);
            byName.put(node.name(), timeline);
        }
        for (Occupation occupation : cluster.occupations()) {
            occupy(occupation.node(), occupation.amount(), occupation.interval());
        }
    }

    /** The nodes, by name. */
    public List<NodeTimeline> nodes() {
        return nodes;
    }

    /** The node of this name, or null. */
    public @Nullable NodeTimeline node(String name) {
        return byName.get(name);
    }

    /** Takes room; a node that is not there is passed over. */
    public void occupy(String node, Resources amount, Interval interval) {
        NodeTimeline timeline = byName.get(node);
        if (timeline != null) {
            timeline.occupy(amount, interval);
        }
    }

    /** Gives back what {@link #occupy} took. */
    public void vacate(String node, Resources amount, Interval interval) {
        NodeTimeline timeline = byName.get(node);
        if (timeline != null) {
            timeline.vacate(amount, interval);
        }
    }
}
