package io.slotwise.core.window;

import io.slotwise.core.cluster.Node;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules between the pods of one window, in each domain of a label and on each node. A domain is the nodes with one
 * value of the label. Immutable.
 *
 * @param label whose values are the domains, or null for no rules in domains
 * @param nodeLabel whose values are different on all nodes
 */
public record CompanionRules(
        @Nullable String label,
        List<Among> inDomain,
        @Nullable String nodeLabel,
        List<Among> onNode) {
    public CompanionRules {
        inDomain = List.copyOf(inDomain);
        onNode = List.copyOf(onNode);
    }

    /** A rule for the pods of a domain, by their number of each shape. A node without the label has no domain. */
    sealed interface Among {
        /** Returns whether a domain may end up with these counts. */
        boolean admits(@Nullable String domain, int[] counts);

        /** Returns whether a domain may have these counts, and perhaps more later. */
        boolean allows(@Nullable String domain, int[] counts);

        /** Returns the domains that must have pods. */
        default Set<String> needed() {
            return Set.of();
        }
    }

    /** Keeps pods of the owning shapes away from pods of the bearing shapes. */
    record Apart(List<Boolean> owners, List<Boolean> bearers) implements Among {
        @Override
        public boolean admits(@Nullable String domain, int[] counts) {
            if (domain == null) {
                return true;
            }
            int met = sum(bearers, counts);
            for (int shape = 0; shape < counts.length; shape++) {
                if (owners.get(shape) && counts[shape] > 0 && met - (bearers.get(shape) ? 1 : 0) > 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean allows(@Nullable String domain, int[] counts) {
            return admits(domain, counts);
        }
    }

    /** Bounds the pods of the counted shapes in each domain. A domain without a most has none. */
    record Between(List<Boolean> counted, Map<String, Long> least, Map<String, Long> most) implements Among {
        @Override
        public boolean admits(@Nullable String domain, int[] counts) {
            return allows(domain, counts) && (domain == null || sum(counted, counts) >= least.getOrDefault(domain, 0L));
        }

        @Override
        public boolean allows(@Nullable String domain, int[] counts) {
            int here = sum(counted, counts);
            return here == 0 || (domain != null && here <= most.getOrDefault(domain, 0L));
        }

        @Override
        public Set<String> needed() {
            return least.keySet();
        }
    }

    private static int sum(List<Boolean> shapes, int[] counts) {
        int sum = 0;
        for (int shape = 0; shape < counts.length; shape++) {
            sum += shapes.get(shape) ? counts[shape] : 0;
        }
        return sum;
    }

    /** Returns the domain of a node, or null. */
    @Nullable
    public String domain(Node node) {
        return label == null ? null : node.labels().get(label);
    }

    public boolean admits(@Nullable String domain, int[] counts) {
        return inDomain.stream().allMatch(among -> among.admits(domain, counts));
    }

    public boolean allows(@Nullable String domain, int[] counts) {
        return inDomain.stream().allMatch(among -> among.allows(domain, counts));
    }

    /** Returns whether a node may end up with these pods of each shape. */
    public boolean admitsOn(Node node, int[] counts) {
        String value = nodeLabel == null ? null : node.labels().get(nodeLabel);
        return onNode.stream().allMatch(among -> among.admits(value, counts));
    }

    /** Returns whether a node may have these pods of each shape, and perhaps more. */
    public boolean allowsOn(Node node, int[] counts) {
        String value = nodeLabel == null ? null : node.labels().get(nodeLabel);
        return onNode.stream().allMatch(among -> among.allows(value, counts));
    }

    /** Returns whether the domains include all that must have pods, and no node must have any. */
    public boolean reaches(Collection<String> domains) {
        return inDomain.stream().allMatch(among -> domains.containsAll(among.needed()))
                && onNode.stream().allMatch(among -> among.needed().isEmpty());
    }

    /** Returns whether the pods of a window may be together, given the node and the shape of each. */
    boolean admits(List<Node> nodes, int[] shapeOf, int shapes) {
        Map<String, int[]> byDomain = new TreeMap<>();
        Map<String, int[]> byNode = new TreeMap<>();
        Map<String, Node> named = new TreeMap<>();
        boolean outside = true;
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            named.put(node.name(), node);
            byNode.computeIfAbsent(node.name(), _ -> new int[shapes])[shapeOf[i]]++;
            String domain = domain(node);
            if (domain == null) {
                outside &= label == null || allows(null, one(shapeOf[i], shapes));
            } else {
                byDomain.computeIfAbsent(domain, _ -> new int[shapes])[shapeOf[i]]++;
            }
        }
        return outside
                && reaches(byDomain.keySet())
                && byDomain.entrySet().stream()
                        .allMatch(currentEntry -> admits(currentEntry.getKey(), currentEntry.getValue()))
                && byNode.entrySet().stream()
                        .allMatch(currentEntry -> admitsOn(
                                Objects.requireNonNull(named.get(currentEntry.getKey())), currentEntry.getValue()));
    }

    static int[] one(int shape, int shapes) {
        int[] counts = new int[shapes];
        Arrays.setAll(counts, i -> i == shape ? 1 : 0);
        return counts;
    }
}
