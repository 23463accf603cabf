package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        return holds(
                String.valueOf(requirement.getOperator()), requirement.getValues(), labels.get(requirement.getKey()));
    }

    /**
     * Whether one requirement of a selector holds.
     *
     * @param operator an operator that is not one of selectors holds for nothing
     * @param value of the label; null: there is none
     */
    public static boolean holds(String operator, List<String> values, @Nullable String value) {
        return switch (operator) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> false;
        };
    }
}
