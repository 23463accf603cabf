package io.slotwise.core.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What is other in a cluster than in the one before: which nodes, and what runs on them. Immutable; O(nodes +
 * occupations) to make, and next to nothing for what is the same object as before.
 */
public final class ClusterChanges {
    private final Cluster after;

    /** Of each node its position before; negative: it was not there, or another one. */
    private final int[] before;

    private final Set<String> otherNodes = new HashSet<>();
    private final List<Occupation> gone = new ArrayList<>();
    private final List<Occupation> come = new ArrayList<>();

    private ClusterChanges(Cluster earlier, Cluster after) {
        this.after = after;
        this.before = new int[after.nodes().size()];
        nodes(earlier.nodes(), after.nodes());
        occupations(earlier.occupations(), after.occupations());
    }

    /** What is other in the second one than in the first one. */
    public static ClusterChanges between(Cluster earlier, Cluster after) {
        return new ClusterChanges(earlier, after);
    }

    @SuppressWarnings("ReferenceEquality") // Equal nodes are mostly the same.
    private void nodes(Inventory earlier, Inventory later) {
        if (earlier == later) {
            for (int i = 0; i < before.length; i++) {
                before[i] = i;
            }
            return;
        }
        int last = 0;
        for (int i = 0; i < before.length; i++) {
            String name = later.get(i).name();
            for (; last < earlier.size() && earlier.get(last).name().compareTo(name) < 0; last++) {
                otherNodes.add(earlier.get(last).name());
            }
            boolean was = last < earlier.size() && earlier.get(last).name().equals(name);
            before[i] = was && earlier.get(last).equals(later.get(i)) ? last : -1;
            if (before[i] < 0) {
                otherNodes.add(name);
            }
            last += was ? 1 : 0;
        }
        for (; last < earlier.size(); last++) {
            otherNodes.add(earlier.get(last).name());
        }
    }

    /** What both have is mostly the same, and in the same order. */
    @SuppressWarnings("ReferenceEquality") // Spares a look at each.
    private void occupations(List<Occupation> earlier, List<Occupation> later) {
        if (earlier == later) {
            return;
        }
        int most = Math.min(earlier.size(), later.size());
        int from = 0;
        while (from < most && Objects.equals(earlier.get(from), later.get(from))) {
            from++;
        }
        int tail = 0;
        while (tail < most - from
                && Objects.equals(earlier.get(earlier.size() - 1 - tail), later.get(later.size() - 1 - tail))) {
            tail++;
        }
        Map<Occupation, Integer> others = new HashMap<>();
        earlier.subList(from, earlier.size() - tail).forEach(held -> others.merge(held, 1, Integer::sum));
        later.subList(from, later.size() - tail).forEach(held -> {
            if (others.merge(held, -1, Integer::sum) < 0) {
                come.add(held);
            }
        });
        others.forEach((held, times) -> {
            for (int i = 0; i < times; i++) {
                gone.add(held);
            }
        });
    }

    /** The position before of the node that is at this one; negative: it was not there, or another one. */
    public int before(int position) {
        return before[position];
    }

    /** The nodes that were not there before, or were others, by name. */
    public List<Node> freshNodes() {
        List<Node> fresh = new ArrayList<>();
        for (int i = 0; i < before.length && !otherNodes.isEmpty(); i++) {
            if (before[i] < 0) {
                fresh.add(after.nodes().get(i));
            }
        }
        return fresh;
    }

    /** The names of nodes that are there no more, and of those that were not there before or were others. */
    public Set<String> otherNodes() {
        return otherNodes;
    }

    /** What was held and is held no more, each as often as that is so; in any order. */
    public List<Occupation> gone() {
        return gone;
    }

    /** What is held and was not held before, each as often as that is so. */
    public List<Occupation> come() {
        return come;
    }
}
