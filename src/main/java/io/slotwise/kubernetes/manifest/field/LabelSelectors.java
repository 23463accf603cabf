package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Map;

/** Label selectors as the API server reads them. */
public final class LabelSelectors {
    private LabelSelectors() {}

    /** Whether an object with these labels is selected. */
    public static boolean match(LabelSelector selector, Map<String, String> labels) {
        Map<String, String> equal = selector.getMatchLabels();
        return (equal == null || labels.entrySet().containsAll(equal.entrySet()))
                && selector.getMatchExpressions().stream().allMatch(requirement -> matches(requirement, labels));
    }

    private static boolean matches(LabelSelectorRequirement requirement, Map<String, String> labels) {
        String value = labels.get(requirement.getKey());
        return switch (String.valueOf(requirement.getOperator())) {
            case "In" -> value != null && requirement.getValues().contains(value);
            case "NotIn" -> value == null || !requirement.getValues().contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
