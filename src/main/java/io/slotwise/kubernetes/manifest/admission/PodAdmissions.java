package io.slotwise.kubernetes.manifest.admission;

import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import java.util.List;
import java.util.Map;

/**
 * The result of admitting pods.
 *
 * @param refused the reasons for refusals, in words that name the pod, by {@code namespace/name}
 * @param findings notes for an admin about the pods
 * @param warnings warnings about the objects that admission uses
 */
public record PodAdmissions(Map<String, String> refused, PodFindings findings, List<IntakeWarning> warnings) {
    public static final PodAdmissions NONE = new PodAdmissions(Map.of(), new PodFindings(), List.of());

    public PodAdmissions {
        refused = Map.copyOf(refused);
        warnings = List.copyOf(warnings);
    }
}
