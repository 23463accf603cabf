package io.slotwise.kubernetes.manifest.admission;

import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import java.util.List;
import java.util.Map;

/**
 * What came of the admission of pods.
 *
 * @param refused why the API server would refuse a pod, in words that name it, by {@code namespace/name}
 * @param findings what an admin should know of the pods
 * @param warnings about the objects by which they are admitted
 */
public record PodAdmissions(Map<String, String> refused, PodFindings findings, List<IntakeWarning> warnings) {
    public static final PodAdmissions NONE = new PodAdmissions(Map.of(), new PodFindings(), List.of());

    public PodAdmissions {
        refused = Map.copyOf(refused);
        warnings = List.copyOf(warnings);
    }
}
