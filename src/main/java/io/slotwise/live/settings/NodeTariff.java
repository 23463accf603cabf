package io.slotwise.live.settings;

import io.slotwise.core.gang.NodeConstraint.Requirement;
import java.util.List;
import java.util.Map;

/**
 * The prices of the nodes that a label selector selects, for nodes without a price calendar of their own.
 *
 * @param nodes what the labels of a node must be; empty: every node is selected
 * @param calendar a price calendar, as a node's annotation has it
 */
public record NodeTariff(List<Requirement> nodes, String calendar) {
    public NodeTariff {
        nodes = List.copyOf(nodes);
    }

    /** Whether a node with these labels is selected. */
    public boolean selects(Map<String, String> labels) {
        return nodes.stream().allMatch(requirement -> requirement.matches(labels.get(requirement.key())));
    }
}
