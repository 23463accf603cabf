package io.slotwise.kubernetes.manifest.admission;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.node.v1.RuntimeClass;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The admission plugin RuntimeClass. A pod gets the overhead, the node selector and the tolerations of its class.
 *
 * <p>Source: Kubernetes 1.37, plugin/pkg/admission/runtimeclass/admission.go.
 */
final class RuntimeClasses {
    private static final String FIELD = "spec.runtimeClassName";

    private final Map<String, RuntimeClass> classes = new HashMap<>();

    RuntimeClasses(List<RuntimeClass> objects) {
        objects.forEach(runtimeClass -> classes.put(runtimeClass.getMetadata().getName(), runtimeClass));
    }

    void admit(PodSpec spec, Consumer<Finding> findings) throws Refused {
        String name = spec.getRuntimeClassName();
        RuntimeClass known = name == null ? null : classes.get(name);
        if (name != null && known == null) {
            if (!classes.isEmpty()) {
                throw new Refused("RuntimeClass %s is not there".formatted(SafeText.value(name)));
            }
            findings.accept(Finding.missing(
                    "RuntimeClass",
                    SafeText.value(name),
                    FIELD,
                    "its overhead, node selector and tolerations do not count"));
            return;
        }
        overhead(spec, known, findings);
        if (known != null && known.getScheduling() != null) {
            select(spec, known.getScheduling().getNodeSelector());
            tolerate(spec, known.getScheduling().getTolerations());
        }
    }

    private static void overhead(PodSpec spec, @Nullable RuntimeClass known, Consumer<Finding> findings)
            throws Refused {
        Map<String, Quantity> own = Objects.requireNonNullElse(spec.getOverhead(), Map.of());
        Map<String, Quantity> fixed = known == null || known.getOverhead() == null
                ? Map.of()
                : known.getOverhead().getPodFixed();
        if (fixed == null || fixed.isEmpty()) {
            if (!own.isEmpty()) {
                findings.accept(new Finding(
                        IntakeWarning.Reason.REFUSED,
                        "Pod",
                        "",
                        "spec.overhead",
                        "no RuntimeClass states the overhead",
                        "the API server refuses it, and it counts in the plan"));
            }
        } else if (own.isEmpty()) {
            spec.setOverhead(new HashMap<>(fixed));
        } else if (!own.equals(fixed)) {
            throw new Refused("`spec.overhead` (%s) is not that of RuntimeClass %s (%s)"
                    .formatted(new TreeMap<>(own), spec.getRuntimeClassName(), new TreeMap<>(fixed)));
        }
    }

    private static void select(PodSpec spec, @Nullable Map<String, String> labels) throws Refused {
        if (labels == null || labels.isEmpty()) {
            return;
        }
        Map<String, String> own = Objects.requireNonNullElse(spec.getNodeSelector(), Map.of());
        for (Map.Entry<String, String> entry : new TreeMap<>(labels).entrySet()) {
            String stated = own.get(entry.getKey());
            if (stated != null && !stated.equals(entry.getValue())) {
                throw new Refused("`spec.nodeSelector` has %s=%s, and RuntimeClass %s has %s=%s"
                        .formatted(
                                SafeText.value(entry.getKey()),
                                SafeText.value(stated),
                                spec.getRuntimeClassName(),
                                SafeText.value(entry.getKey()),
                                SafeText.value(entry.getValue())));
            }
        }
        Map<String, String> both = new HashMap<>(own);
        both.putAll(labels);
        spec.setNodeSelector(both);
    }

    private static void tolerate(PodSpec spec, @Nullable List<Toleration> tolerations) {
        if (tolerations == null || tolerations.isEmpty()) {
            return;
        }
        List<Toleration> all = new ArrayList<>(spec.getTolerations());
        tolerations.stream().filter(toleration -> !all.contains(toleration)).forEach(all::add);
        spec.setTolerations(all);
    }
}
