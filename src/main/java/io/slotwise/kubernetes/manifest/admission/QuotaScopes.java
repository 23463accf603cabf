package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of ResourceQuotas, which select the pods that a quota counts.
 *
 * <p>Source: Kubernetes 1.37, pkg/quota/v1/evaluator/core/pods.go, podMatchesScopeFunc.
 */
final class QuotaScopes {
    private QuotaScopes() {}

    static boolean match(ResourceQuotaSpec quota, PodSpec pod) {
        return quota.getScopes().stream().allMatch(scope -> matches(scope, "Exists", null, pod))
                && (quota.getScopeSelector() == null
                        || quota.getScopeSelector().getMatchExpressions().stream()
                                .allMatch(one -> matches(one.getScopeName(), one.getOperator(), one, pod)));
    }

    private static boolean matches(
            @Nullable String scope,
            @Nullable String operator,
            @Nullable ScopedResourceSelectorRequirement expression,
            PodSpec pod) {
        return switch (String.valueOf(scope)) {
            case "Terminating" -> pod.getActiveDeadlineSeconds() != null;
            case "NotTerminating" -> pod.getActiveDeadlineSeconds() == null;
            case "BestEffort" -> isBestEffort(pod);
            case "NotBestEffort" -> !isBestEffort(pod);
            case "PriorityClass" -> isOfClass(pod.getPriorityClassName(), operator, expression);
            case "CrossNamespacePodAffinity" -> terms(pod.getAffinity()).anyMatch(QuotaScopes::isAcross);
            default -> false;
        };
    }

    private static boolean isOfClass(
            @Nullable String name, @Nullable String operator, @Nullable ScopedResourceSelectorRequirement expression) {
        boolean has = name != null && !name.isEmpty();
        boolean isListed = has && expression != null && expression.getValues().contains(name);
        return switch (String.valueOf(operator)) {
            case "In" -> isListed;
            case "NotIn" -> !isListed;
            case "DoesNotExist" -> !has;
            default -> has;
        };
    }

    private static boolean isBestEffort(PodSpec pod) {
        return Stream.concat(pod.getContainers().stream(), pod.getInitContainers().stream())
                        .map(Container::getResources)
                        .allMatch(QuotaScopes::isNothing)
                && isNothing(pod.getResources());
    }

    private static boolean isNothing(@Nullable ResourceRequirements resources) {
        return resources == null || (isNothing(resources.getRequests()) && isNothing(resources.getLimits()));
    }

    private static boolean isNothing(@Nullable Map<String, Quantity> amounts) {
        return amounts == null
                || amounts.keySet().stream().noneMatch(name -> name.equals("cpu") || name.equals("memory"));
    }

    private static boolean isAcross(PodAffinityTerm term) {
        return !term.getNamespaces().isEmpty() || term.getNamespaceSelector() != null;
    }

    private static Stream<PodAffinityTerm> terms(@Nullable Affinity affinity) {
        if (affinity == null) {
            return Stream.empty();
        }
        var together = affinity.getPodAffinity();
        var apart = affinity.getPodAntiAffinity();
        return Stream.of(
                        together == null
                                ? Stream.<PodAffinityTerm>empty()
                                : Stream.concat(
                                        together.getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
                                        together.getPreferredDuringSchedulingIgnoredDuringExecution().stream()
                                                .map(one -> one.getPodAffinityTerm())),
                        apart == null
                                ? Stream.<PodAffinityTerm>empty()
                                : Stream.concat(
                                        apart.getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
                                        apart.getPreferredDuringSchedulingIgnoredDuringExecution().stream()
                                                .map(one -> one.getPodAffinityTerm())))
                .flatMap(terms -> terms)
                .filter(term -> term != null);
    }
}
