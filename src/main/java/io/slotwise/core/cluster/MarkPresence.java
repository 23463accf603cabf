package io.slotwise.core.cluster;

import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The number of pods with a mark in each domain, a value of a node label, over time. O(breakpoints) to create. */
public final class MarkPresence {
    private final String label;
    /** The counts of each domain with a node, from a second on. */
    private final TreeMap<String, NavigableMap<Long, Long>> counts = new TreeMap<>();

    /**
     * Counts the pods of all nodes.
     *
     * @param seen the free capacity of a node, for example with {@link RestoredCapacity}
     * @param label whose values are the domains; nodes without it are skipped
     * @param counted which nodes count
     */
    public MarkPresence(
            Collection<NodeTimeline> nodes,
            UnaryOperator<NodeTimeline> seen,
            String label,
            String mark,
            Predicate<Node> counted) {
        this.label = label;
        TreeMap<String, TreeMap<Long, Long>> changes = new TreeMap<>();
        for (NodeTimeline timeline : nodes) {
            String domain = timeline.node().labels().get(label);
            if (domain != null && counted.test(timeline.node())) {
                add(seen.apply(timeline), mark, changes.computeIfAbsent(domain, _ -> new TreeMap<>()));
            }
        }
        changes.forEach((domain, steps) -> {
            NavigableMap<Long, Long> sums = new TreeMap<>();
            long sum = 0;
            for (Map.Entry<Long, Long> entry : steps.entrySet()) {
                if (entry.getValue() != 0) {
                    sum += entry.getValue();
                    sums.put(entry.getKey(), sum);
                }
            }
            counts.put(domain, sums);
        });
    }

    private static void add(NodeTimeline node, String mark, Map<Long, Long> changes) {
        int resource = node.indexOf(mark);
        long before = 0;
        for (int piece = 0; resource >= 0 && piece < node.pieces(); piece++) {
            long here = node.taken(piece, resource);
            if (here != before) {
                changes.merge(node.start(piece), here - before, Long::sum);
                before = here;
            }
        }
    }

    /** Returns the domain of a node, or null. */
    public @Nullable String domain(Node node) {
        return node.labels().get(label);
    }

    public Set<String> domains() {
        return counts.keySet();
    }

    /** Returns the count in a domain at a second. */
    public long at(@Nullable String domain, long second) {
        Map.Entry<Long, Long> entry = domain == null ? null : steps(domain).floorEntry(second);
        return entry == null ? 0 : entry.getValue();
    }

    /** Returns the intervals in which a domain has such a pod, ascending. */
    public List<Interval> when(@Nullable String domain) {
        List<Interval> when = new ArrayList<>();
        Long from = null;
        for (Map.Entry<Long, Long> entry :
                domain == null ? Set.<Map.Entry<Long, Long>>of() : steps(domain).entrySet()) {
            if (from == null && entry.getValue() > 0) {
                from = entry.getKey();
            } else if (from != null && entry.getValue() == 0) {
                when.add(new Interval(from, entry.getKey()));
                from = null;
            }
        }
        if (from != null) {
            when.add(new Interval(from, Interval.FOREVER));
        }
        return when;
    }

    /** Returns the seconds at which a count changes. */
    public SortedSet<Long> changes() {
        SortedSet<Long> all = new TreeSet<>();
        counts.values().forEach(steps -> all.addAll(steps.keySet()));
        return all;
    }

    private NavigableMap<Long, Long> steps(String domain) {
        return counts.getOrDefault(domain, new TreeMap<>());
    }
}
