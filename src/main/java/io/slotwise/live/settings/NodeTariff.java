package io.slotwise.live.settings;

import io.slotwise.core.gang.NodeConstraint.Requirement;
import java.util.List;
import java.util.Map;

/**
 * The prices of the nodes that a label selector selects, for nodes without a price calendar of their own.
 *
 * @param nodes the selector; empty selects every node
 * @param calendar a price calendar in the syntax of the node annotation
 */
public record NodeTariff(List<Requirement> nodes, String calendar) {
    public NodeTariff {
        nodes = List.copyOf(nodes);
    }

    public boolean selects(Map<String, String> labels) {
        return nodes.stream().allMatch(requirement -> requirement.matches(labels.get(requirement.key())));
    }
}
