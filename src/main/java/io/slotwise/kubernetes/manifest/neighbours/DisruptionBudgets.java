package io.slotwise.kubernetes.manifest.neighbours;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.slotwise.core.migration.DisruptionLimit;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * PodDisruptionBudgets: how many pods of a gang each covers, and how many it lets go, as Kubernetes says in its status.
 * One without a status lets none go.
 */
public final class DisruptionBudgets {
    private final Map<String, List<PodDisruptionBudget>> byNamespace = new HashMap<>();

    public DisruptionBudgets(List<PodDisruptionBudget> budgets) {
        budgets.stream()
                .sorted(Comparator.comparing(budget -> budget.getMetadata().getName()))
                .forEach(budget -> byNamespace
                        .computeIfAbsent(budget.getMetadata().getNamespace(), _ -> new ArrayList<>())
                        .add(budget));
    }

    /** The budgets over these pods of one namespace, by name. O(budgets of the namespace x pods). */
    public List<DisruptionLimit> over(List<Pod> pods) {
        String namespace = pods.getFirst().getMetadata().getNamespace();
        return byNamespace.getOrDefault(namespace, List.of()).stream()
                .flatMap(budget -> Isolated.get(
                        () -> over(budget, pods), _ -> Stream.of(new DisruptionLimit(name(budget), pods.size(), 0))))
                .toList();
    }

    /** One that cannot be read lets none go. */
    private static Stream<DisruptionLimit> over(PodDisruptionBudget budget, List<Pod> pods) {
        LabelSelector selector =
                budget.getSpec() == null ? null : budget.getSpec().getSelector();
        long covered = selector == null
                ? 0
                : pods.stream().filter(pod -> covers(selector, pod)).count();
        return covered == 0
                ? Stream.empty()
                : Stream.of(new DisruptionLimit(name(budget), (int) covered, allowed(budget)));
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
