package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The admission plugin Priority. A pod gets the priority and the preemption policy of its class, or those of the global
 * default class.
 *
 * <p>Source: Kubernetes 1.37, plugin/pkg/admission/priority/admission.go.
 */
final class PriorityClasses {
    private static final String FIELD = "spec.priorityClassName";
    /** The classes that every API server creates itself. */
    private static final Map<String, Integer> BUILT_IN =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private final Map<String, PriorityClass> classes = new HashMap<>();
    /** The global default class with the lowest value, or null. */
    private final @Nullable PriorityClass usual;

    PriorityClasses(List<PriorityClass> objects) {
        objects.forEach(priorityClass -> classes.put(priorityClass.getMetadata().getName(), priorityClass));
        usual = objects.stream()
                .filter(priorityClass -> Boolean.TRUE.equals(priorityClass.getGlobalDefault()))
                .min(Comparator.comparingInt(PriorityClasses::value))
                .orElse(null);
    }

    private static int value(PriorityClass priorityClass) {
        return priorityClass.getValue() == null ? 0 : priorityClass.getValue();
    }

    void admit(PodSpec spec, Consumer<Finding> findings) throws Refused {
        String name = spec.getPriorityClassName();
        PriorityClass known = name == null ? null : classes.get(name);
        Integer builtIn = name == null ? null : BUILT_IN.get(name);
        if (name == null || name.isEmpty()) {
            if (usual == null) {
                ofNone(spec, findings);
            } else {
                take(spec, usual.getMetadata().getName(), value(usual), usual.getPreemptionPolicy());
                spec.setPriorityClassName(usual.getMetadata().getName());
            }
        } else if (known != null) {
            take(spec, name, value(known), known.getPreemptionPolicy());
        } else if (builtIn != null) {
            take(spec, name, builtIn, null);
        } else if (classes.isEmpty()) {
            findings.accept(Finding.missing(
                    "PriorityClass",
                    SafeText.value(name),
                    FIELD,
                    "its value is not known, and the priority counts as "
                            + (spec.getPriority() == null ? 0 : spec.getPriority())));
        } else {
            throw new Refused("PriorityClass %s is not there".formatted(SafeText.value(name)));
        }
    }

    private static void ofNone(PodSpec spec, Consumer<Finding> findings) {
        if (spec.getPriority() != null && spec.getPriority() != 0) {
            findings.accept(new Finding(
                    IntakeWarning.Reason.REFUSED,
                    "Pod",
                    "",
                    "spec.priority",
                    "no PriorityClass states the priority %d".formatted(spec.getPriority()),
                    "the API server refuses it without `%s`, and it counts in the plan".formatted(FIELD)));
        }
    }

    private static void take(PodSpec spec, String name, int value, @Nullable String preemption) throws Refused {
        Integer stated = spec.getPriority();
        if (stated != null && stated != value) {
            throw new Refused("`spec.priority` (%d) is not that of PriorityClass %s (%d)"
                    .formatted(stated, SafeText.value(name), value));
        }
        String policy = preemption == null || preemption.isEmpty() ? "PreemptLowerPriority" : preemption;
        String own = spec.getPreemptionPolicy();
        if (own != null && !own.equals(policy)) {
            throw new Refused("`spec.preemptionPolicy` (%s) is not that of PriorityClass %s (%s)"
                    .formatted(SafeText.value(own), SafeText.value(name), SafeText.value(policy)));
        }
        spec.setPriority(value);
        spec.setPreemptionPolicy(policy);
    }
}
