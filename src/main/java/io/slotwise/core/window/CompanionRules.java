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
 * What the pods of one window must keep among themselves in each domain of a label, a domain being the nodes with one
 * value of it, and on each node. Immutable.
 *
 * @param label whose values are the domains; null: nothing is to be kept in domains
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

    /** What a domain's pods keep, by how many of each shape there are. A node without the label is in no domain. */
    sealed interface Among {
        /** Whether so many may be all that the window has in the domain. */
        boolean admits(@Nullable String domain, int[] counts);

        /** Whether there may be so many and perhaps more. */
        boolean allows(@Nullable String domain, int[] counts);

        /** The domains that must not stay without pods. */
        default Set<String> needed() {
            return Set.of();
        }
    }

    /** No pod of the owning shapes meets another one of the bearing shapes. */
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

    /** Some pods of the counted shapes: in each domain at least and at most so many; without a most none. */
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

    /** The domain of a node; null: it has none. */
    @Nullable
    public String domain(Node node) {
        return label == null ? null : node.labels().get(label);
    }

    /** Whether a domain may have just these pods of each shape. */
    public boolean admits(@Nullable String domain, int[] counts) {
        return inDomain.stream().allMatch(among -> among.admits(domain, counts));
    }

    /** Whether a domain may have these pods of each shape, and perhaps more. */
    public boolean allows(@Nullable String domain, int[] counts) {
        return inDomain.stream().allMatch(among -> among.allows(domain, counts));
    }

    /** Whether a node may have just these pods of each shape. */
    public boolean admitsOn(Node node, int[] counts) {
        String value = nodeLabel == null ? null : node.labels().get(nodeLabel);
        return onNode.stream().allMatch(among -> among.admits(value, counts));
    }

    /** Whether a node may have these pods of each shape, and perhaps more. */
    public boolean allowsOn(Node node, int[] counts) {
        String value = nodeLabel == null ? null : node.labels().get(nodeLabel);
        return onNode.stream().allMatch(among -> among.allows(value, counts));
    }

    /** Whether no domain that must not stay without pods is missing among these, and no node has to have any. */
    public boolean reaches(Collection<String> domains) {
        return inDomain.stream().allMatch(among -> domains.containsAll(among.needed()))
                && onNode.stream().allMatch(among -> among.needed().isEmpty());
    }

    /** Whether the pods of a window may be together: their nodes, and the shape of each. */
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

    /** The counts of a single pod of a shape. */
    static int[] one(int shape, int shapes) {
        int[] counts = new int[shapes];
        Arrays.setAll(counts, i -> i == shape ? 1 : 0);
        return counts;
    }
}
