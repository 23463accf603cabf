package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The API server's admission, for pods in files that have not passed one. LimitRanges, priority classes and runtime
 * classes change pods, quotas count them, and each may refuse them. Pods with a UID have been admitted and stay
 * unchanged. Not reused. O(pods x quotas of their namespace).
 */
public final class PodAdmission {
    private final ContainerLimits limits;
    private final PriorityClasses classes;
    private final RuntimeClasses runtimes;
    private final Map<String, List<NamespaceQuota>> quotas = new TreeMap<>();
    private final PodFindings findings = new PodFindings();
    private final List<IntakeWarning> warnings = new ArrayList<>();
    private final Map<String, String> refused = new HashMap<>();
    /** Outcomes by specification, which the pods of a workload share. */
    private final IdentityHashMap<PodSpec, Outcome> outcomes = new IdentityHashMap<>();

    /** The result for one specification. The refusal is null if there is none. */
    private record Outcome(List<Finding> findings, @Nullable String refusal) {}

    private PodAdmission(OptionalObjects objects) {
        limits = new ContainerLimits(byName(objects.of(LimitRange.class)));
        classes = new PriorityClasses(byName(objects.of(PriorityClass.class)));
        runtimes = new RuntimeClasses(byName(objects.of(RuntimeClass.class)));
        QuantityAmounts amounts = new QuantityAmounts();
        byName(objects.of(ResourceQuota.class)).forEach(quota -> add(quota, amounts));
    }

    private static <T extends HasMetadata> List<T> byName(List<T> objects) {
        return objects.stream()
                .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                .toList();
    }

    private void add(ResourceQuota quota, QuantityAmounts amounts) {
        if (quota.getSpec() == null || quota.getSpec().getHard() == null) {
            return;
        }
        String namespace = quota.getMetadata().getNamespace();
        String name = quota.getMetadata().getName();
        try {
            quotas.computeIfAbsent(namespace, _ -> new ArrayList<>()).add(new NamespaceQuota(quota, amounts));
        } catch (IllegalArgumentException e) {
            warnings.add(IntakeWarning.of(
                    IntakeWarning.Reason.INVALID_VALUE,
                    Subject.of(quota),
                    "spec.hard",
                    "ResourceQuota %s/%s cannot be read: %s".formatted(namespace, name, e.getMessage()),
                    "it refuses no pod in the plan"));
        }
    }

    /**
     * Admits pods: running pods first, then the others in their order.
     *
     * @param pods pods without a UID are changed
     */
    public static PodAdmissions admit(OptionalObjects objects, List<Pod> pods) {
        PodAdmission admission = new PodAdmission(objects);
        List<Pod> unended = pods.stream().filter(pod -> !Pods.isTerminal(pod)).toList();
        unended.stream().filter(pod -> !isThere(pod)).forEach(admission::change);
        unended.stream()
                .filter(pod -> isThere(pod) && pod.getMetadata().getUid() == null)
                .forEach(admission::change);
        unended.stream().filter(PodAdmission::isThere).forEach(admission::occupy);
        unended.stream().filter(pod -> !isThere(pod)).forEach(admission::count);
        return admission.refused.isEmpty() && admission.findings.isEmpty() && admission.warnings.isEmpty()
                ? PodAdmissions.NONE
                : new PodAdmissions(admission.refused, admission.findings, admission.warnings);
    }

    private static boolean isThere(Pod pod) {
        return pod.getMetadata().getUid() != null || Pods.node(pod) != null;
    }

    private void change(Pod pod) {
        Outcome outcome = outcomes.computeIfAbsent(
                pod.getSpec(), spec -> outcome(spec, pod.getMetadata().getNamespace()));
        outcome.findings().forEach(finding -> findings.add(finding, pod));
        if (outcome.refusal() != null) {
            refuse(pod, outcome.refusal());
        }
    }

    private Outcome outcome(PodSpec spec, String namespace) {
        List<Finding> found = new ArrayList<>();
        try {
            limits.admit(spec, namespace);
            classes.admit(spec, found::add);
            runtimes.admit(spec, found::add);
            return new Outcome(found, null);
        } catch (Refused | IllegalArgumentException e) {
            return new Outcome(found, e.getMessage());
        }
    }

    private List<NamespaceQuota> quotas(Pod pod) {
        return quotas.getOrDefault(pod.getMetadata().getNamespace(), List.of());
    }

    /** Counts a pod in the quotas. An unreadable pod is refused with its gang later. */
    private void occupy(Pod pod) {
        try {
            quotas(pod).forEach(quota -> quota.occupy(pod));
        } catch (IllegalArgumentException e) {
            findings.add(
                    new Finding(
                            IntakeWarning.Reason.INVALID_VALUE,
                            "Pod",
                            "",
                            "spec.containers",
                            String.valueOf(e.getMessage()),
                            "no ResourceQuota counts it"),
                    pod);
        }
    }

    private void count(Pod pod) {
        if (refused.containsKey(Pods.name(pod))) {
            return;
        }
        try {
            for (NamespaceQuota quota : quotas(pod)) {
                String problem = quota.problem(pod);
                if (problem != null) {
                    refuse(pod, problem);
                    return;
                }
            }
            quotas(pod).forEach(quota -> quota.occupy(pod));
        } catch (IllegalArgumentException e) {
            refuse(pod, String.valueOf(e.getMessage()));
        }
    }

    private void refuse(Pod pod, String problem) {
        refused.put(Pods.name(pod), "the API server refuses pod %s: %s".formatted(Pods.name(pod), problem));
    }
}
