package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.pods.PodBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * PodDisruptionBudgets: the number of pods of a gang that each covers, and the disruptions that it allows by its
 * status. A budget without a status allows none. In a namespace with too many budgets no disruption is allowed.
 */
public final class DisruptionBudgets {
    /** The most budgets of a namespace, together with the values of their selectors. */
    static final int MOST_PARTS = 2_000;

    private final Map<String, List<PodDisruptionBudget>> byNamespace = new HashMap<>();
    private final Map<String, Integer> parts = new HashMap<>();

    public DisruptionBudgets(List<PodDisruptionBudget> budgets) {
        budgets.stream()
                .sorted(Comparator.comparing(budget -> budget.getMetadata().getName()))
                .forEach(budget -> {
                    String namespace = budget.getMetadata().getNamespace();
                    byNamespace
                            .computeIfAbsent(namespace, _ -> new ArrayList<>())
                            .add(budget);
                    parts.merge(
                            namespace, Isolated.get(() -> 1 + PodBounds.parts(selector(budget)), _ -> 1), Integer::sum);
                });
    }

    /** Returns the budgets for these pods of one namespace, by name. O(budgets of the namespace x pods). */
    public List<DisruptionLimit> over(List<Pod> pods) {
        String namespace = pods.getFirst().getMetadata().getNamespace();
        List<PodDisruptionBudget> budgets = byNamespace.getOrDefault(namespace, List.of());
        if (parts.getOrDefault(namespace, 0) > MOST_PARTS) {
            return List.of(new DisruptionLimit(name(budgets.getFirst()), pods.size(), 0));
        }
        Steps.add(Steps.Kind.DISRUPTIONS, (long) parts.getOrDefault(namespace, 0) * pods.size());
        return budgets.stream()
                .flatMap(budget -> Isolated.get(
                        () -> over(budget, pods), _ -> Stream.of(new DisruptionLimit(name(budget), pods.size(), 0))))
                .toList();
    }

    private static Stream<DisruptionLimit> over(PodDisruptionBudget budget, List<Pod> pods) {
        LabelSelector selector = selector(budget);
        long covered = selector == null
                ? 0
                : pods.stream().filter(pod -> covers(selector, pod)).count();
        return covered == 0
                ? Stream.empty()
                : Stream.of(new DisruptionLimit(name(budget), (int) covered, allowed(budget)));
    }

    private static @Nullable LabelSelector selector(PodDisruptionBudget budget) {
        return budget.getSpec() == null ? null : budget.getSpec().getSelector();
    }

    private static String name(PodDisruptionBudget budget) {
        return budget.getMetadata().getNamespace() + "/" + budget.getMetadata().getName();
    }

    private static boolean covers(LabelSelector selector, Pod pod) {
        return LabelSelectors.match(selector, Labels.of(pod));
    }

    private static int allowed(PodDisruptionBudget budget) {
        Integer allowed = budget.getStatus() == null ? null : budget.getStatus().getDisruptionsAllowed();
        return allowed == null ? 0 : Math.max(0, allowed);
    }
}
