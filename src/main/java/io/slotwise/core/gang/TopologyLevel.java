package io.slotwise.core.gang;

import io.slotwise.core.cluster.Node;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A level of a topology, such as racks within blocks. Nodes with the same values of all its labels are one domain. A
 * node that lacks one of the labels is in no domain.
 *
 * @param keys the keys of node labels from the widest level down to this one, at least one
 * @param only the only domain that counts, or null for all
 */
public record TopologyLevel(List<String> keys, @Nullable String only) {
    /** A domain without nodes, which no label can be. */
    private static final String NOWHERE = " ";

    /** All domains of a level. */
    public TopologyLevel(List<String> keys) {
        this(keys, null);
    }

    public TopologyLevel {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("A topology level must have a label.");
        }
    }

    /** Returns the level of a single label. */
    public static TopologyLevel of(String key) {
        return new TopologyLevel(List.of(key));
    }

    /** Returns the label key of this level. */
    public String key() {
        return keys.getLast();
    }

    /** Returns the last part of the label key, as in {@code rack} for {@code cloud.example/rack}. */
    public String name() {
        return key().substring(key().lastIndexOf('/') + 1);
    }

    /** Returns the same level with one domain. */
    public TopologyLevel in(String domain) {
        return new TopologyLevel(keys, domain);
    }

    /** Returns the same level with the domain in which these nodes are, or without any if they are in none. */
    TopologyLevel beside(Collection<Node> nodes) {
        String domain = domain(nodes);
        return in(domain == null ? NOWHERE : domain);
    }

    /**
     * Returns the level as these nodes know it: by its own label alone if one of them lacks a wider level, which a
     * policy may have added.
     */
    public TopologyLevel knownTo(Collection<Node> nodes) {
        boolean known = nodes.stream().allMatch(node -> node.labels().keySet().containsAll(keys));
        return known || only != null ? this : of(key());
    }

    /** Returns the values of the node's labels, one a line, or null if it lacks one or is in no domain that counts. */
    public @Nullable String domain(Node node) {
        String domain = values(node);
        return only == null || only.equals(domain) ? domain : null;
    }

    private @Nullable String values(Node node) {
        if (keys.size() == 1) {
            return node.labels().get(key());
        }
        StringBuilder values = new StringBuilder();
        for (String key : keys) {
            String value = node.labels().get(key);
            if (value == null) {
                return null;
            }
            values.append(values.isEmpty() ? "" : "\n").append(value);
        }
        return values.toString();
    }

    /** Returns the domain in which all nodes are, or null if there is none. */
    public @Nullable String domain(Collection<Node> nodes) {
        List<@Nullable String> domains =
                nodes.stream().<@Nullable String>map(this::domain).distinct().toList();
        return domains.size() == 1 ? domains.getFirst() : null;
    }

    /** Returns the values of the node's labels in one line, as in {@code b1/r2}, or null if it lacks one. */
    public @Nullable String domainName(Node node) {
        String domain = domain(node);
        return domain == null ? null : domain.replace('\n', '/');
    }

    /** Returns this level and the wider ones of its tree, from narrow to wide. */
    public List<TopologyLevel> upward() {
        return IntStream.range(0, keys.size())
                .mapToObj(wider -> new TopologyLevel(keys.subList(0, keys.size() - wider)))
                .toList();
    }

    /** Returns whether each domain of this level lies in one domain of another. */
    public boolean isWithin(TopologyLevel other) {
        return keys.size() >= other.keys.size()
                && keys.subList(0, other.keys.size()).equals(other.keys);
    }
}
