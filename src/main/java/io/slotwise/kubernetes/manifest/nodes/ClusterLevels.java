package io.slotwise.kubernetes.manifest.nodes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The levels of one intake: those of the policy, or those of Kueue's Topologies if it names none, and the tiers of
 * Volcano's HyperNodes.
 *
 * @param notes on objects that do not count
 */
public record ClusterLevels(TopologyLevels levels, HyperNodes hyperNodes, List<IntakeWarning> notes) {
    private record NamedLevels(String name, List<String> keys) {}

    /** O(objects * levels), and what {@link HyperNodes} takes. */
    public static ClusterLevels of(TopologyLevels policyLevels, GroupObjects groups) {
        List<IntakeWarning> notes = new ArrayList<>();
        TopologyLevels levels = policyLevels;
        for (NamedLevels named : topologies(groups)) {
            String problem = null;
            if (policyLevels.trees().isEmpty()) {
                try {
                    levels = plus(levels, List.of(named.keys));
                } catch (IllegalArgumentException e) {
                    problem = String.valueOf(e.getMessage());
                }
            } else if (!policyLevels.all().stream()
                    .map(TopologyLevel::key)
                    .toList()
                    .containsAll(named.keys)) {
                problem = "expected its levels (%s) in the policy's `gangs.topology`, which names others"
                        .formatted(String.join(", ", named.keys));
            }
            if (problem != null) {
                notes.add(new IntakeWarning(
                        IntakeWarning.Reason.IGNORED,
                        Subject.of("Topology", named.name),
                        "Topology %s does not count: %s".formatted(named.name, problem)));
            }
        }
        HyperNodes hyperNodes = new HyperNodes(groups.all(GroupKind.HYPER_NODE));
        notes.addAll(hyperNodes.notes());
        for (List<String> tiers : hyperNodes.trees()) {
            try {
                levels = plus(levels, List.of(tiers));
            } catch (IllegalArgumentException e) {
                notes.add(new IntakeWarning(
                        IntakeWarning.Reason.IGNORED,
                        Subject.of("HyperNode", ""),
                        "The tiers of HyperNodes (%s) are no levels: %s"
                                .formatted(String.join(", ", tiers), e.getMessage())));
            }
        }
        return new ClusterLevels(levels, hyperNodes, List.copyOf(notes));
    }

    private static TopologyLevels plus(TopologyLevels levels, List<List<String>> trees) {
        return trees.isEmpty()
                ? levels
                : new TopologyLevels(
                        Stream.concat(levels.trees().stream(), trees.stream()).toList(), levels.patience());
    }

    /** Returns Kueue's Topologies, the deepest first, so that one with a host below racks comes before a host alone. */
    private static List<NamedLevels> topologies(GroupObjects groups) {
        return groups.all(GroupKind.TOPOLOGY).stream()
                .map(object -> new NamedLevels(object.getMetadata().getName(), keys(object)))
                .filter(named -> !named.keys.isEmpty())
                .sorted(Comparator.comparingInt((NamedLevels named) -> -named.keys.size())
                        .thenComparing(NamedLevels::name))
                .toList();
    }

    private static List<String> keys(GenericKubernetesResource object) {
        return object.get("spec", "levels") instanceof List<?> items
                ? items.stream()
                        .<@Nullable Object>map(item -> item instanceof Map<?, ?> level ? level.get("nodeLabel") : null)
                        .filter(Objects::nonNull)
                        .map(String::valueOf)
                        .toList()
                : List.of();
    }
}
