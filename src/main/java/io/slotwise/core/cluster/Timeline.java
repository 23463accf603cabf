package io.slotwise.core.cluster;

import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The free capacity of all nodes of a cluster over time. Used for one planning run, not thread-safe. */
public final class Timeline {
    /** The number of cached figures of nodes for pods of different sizes and runtimes. */
    private static final int MOST_FIGURES = 1 << 23;

    private static final int FEWEST_OPENINGS = 16;

    private final Inventory inventory;
    private final List<NodeTimeline> nodes;
    private final long turnover;
    private final long origin;
    private final TimelineJournal journal;

    /** The use of queues over time, or null if there are none. */
    private final @Nullable QueueTimeline queues;

    /** A cache that drops the least recently used entries. */
    private final Map<EarliestOpenings.Pods, EarliestOpenings> openings =
            new LinkedHashMap<>(FEWEST_OPENINGS, 0.75f, true);

    /**
     * A timeline with the occupations of a cluster, without queues.
     *
     * @param origin queries never concern earlier seconds
     * @param turnover seconds kept free after every holder
     */
    public Timeline(Cluster cluster, long origin, long turnover) {
        this(cluster, origin, turnover, null);
    }

    /**
     * A timeline in which windows also use their queues.
     *
     * @param queues the use of queues by running gangs, or null if there are none
     */
    public Timeline(Cluster cluster, long origin, long turnover, @Nullable QueueTimeline queues) {
        this.queues = queues;
        this.inventory = cluster.inventory();
        this.turnover = turnover;
        this.nodes = new ArrayList<>(inventory.size());
        this.origin = origin;
        this.journal = new TimelineJournal(inventory.size());
        List<NodeTimeline> idle = new ArrayList<>();
        List<Node> kinds = inventory.kinds();
        for (int kind = 0; kind < kinds.size(); kind++) {
            idle.add(new NodeTimeline(kinds.get(kind), inventory.layout(kind), origin, turnover));
        }
        for (int i = 0; i < inventory.size(); i++) {
            nodes.add(idle.get(inventory.kind(i)).alike(inventory.get(i)));
        }
        occupy(cluster.occupations());
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).tell(journal, i);
        }
    }

    public Inventory inventory() {
        return inventory;
    }

    /** Returns the use of queues over time, or null if there are none. */
    public @Nullable QueueTimeline queues() {
        return queues;
    }

    /** Returns whether the gangs of a queue may have windows: it exists, and neither it nor one above is suspended. */
    public boolean isOpen(@Nullable String queue) {
        return queues == null || queue == null || queues.tree().isOpen(queue);
    }

    public List<NodeTimeline> nodes() {
        return nodes;
    }

    /** Returns the node of this name, or null. */
    public @Nullable NodeTimeline node(String name) {
        int position = inventory.position(name);
        return position < 0 ? null : nodes.get(position);
    }

    /**
     * Returns for each node, by position, a second before which no pod of this request and runtime starts. {@link
     * Long#MAX_VALUE}: never. Read-only, and valid until the free capacity changes. See {@link EarliestOpenings}.
     * Thread-safe as long as no caller changes the free capacity.
     *
     * @param runtime on the reference node, seconds
     * @param everywhereAlike whether the pods take as long on every node
     */
    public long[] firstStarts(Resources request, long runtime, boolean everywhereAlike) {
        return openings(EarliestOpenings.Pods.of(request, runtime, everywhereAlike))
                .firstStarts(inventory, nodes, journal, origin);
    }

    public long changes() {
        return journal.count();
    }

    private EarliestOpenings openings(EarliestOpenings.Pods pods) {
        synchronized (openings) {
            EarliestOpenings knownOpenings =
                    openings.computeIfAbsent(pods, askedPods -> new EarliestOpenings(askedPods, inventory, turnover));
            if (openings.size() > Math.max(FEWEST_OPENINGS, MOST_FIGURES / Math.max(1, nodes.size()))) {
                openings.remove(openings.keySet().iterator().next());
            }
            return knownOpenings;
        }
    }

    /** Takes the room of alike neighbours on one node together. Pods of a gang are mostly neighbours. */
    private void occupy(List<Occupation> all) {
        for (int i = 0; i < all.size(); ) {
            Occupation first = all.get(i);
            int next = i + 1;
            while (next < all.size() && first.isLike(all.get(next))) {
                next++;
            }
            Resources resources = first.resources().copies(next - i);
            if (resources == null) {
                occupy(first.node(), first.resources(), first.interval());
                i++;
            } else {
                occupy(first.node(), resources, first.interval());
                i = next;
            }
        }
    }

    /** Takes room. An unknown node is ignored. */
    public void occupy(String node, Resources resources, Interval interval) {
        NodeTimeline timeline = node(node);
        if (timeline != null) {
            timeline.occupy(resources, interval);
        }
    }

    /** Gives up what {@link #occupy} took. */
    public void vacate(String node, Resources resources, Interval interval) {
        NodeTimeline timeline = node(node);
        if (timeline != null) {
            timeline.vacate(resources, interval);
        }
    }
}
