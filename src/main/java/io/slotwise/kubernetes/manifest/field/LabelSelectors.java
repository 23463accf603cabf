package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.text.SafeText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Label selectors with the API server's semantics. */
public final class LabelSelectors {
    private static final String KEY = "([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)";
    private static final String VALUE = "(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?";
    /** Commas outside parentheses. */
    private static final Pattern BETWEEN = Pattern.compile(",(?![^()]*\\))");

    private static final Pattern COMPARED = Pattern.compile(KEY + "\\s*(==?|!=)\\s*(" + VALUE + ")");
    private static final Pattern LISTED =
            Pattern.compile(KEY + "\\s+(in|notin)\\s*\\(\\s*(" + VALUE + "(?:\\s*,\\s*" + VALUE + ")*)\\s*\\)");
    private static final Pattern PRESENT = Pattern.compile("(!?)\\s*" + KEY);

    private LabelSelectors() {}

    /**
     * Parses a selector such as {@code pool=batch,arch in (arm64),!gpu}. An empty one selects everything.
     *
     * @throws IllegalArgumentException if the text is not a selector
     */
    public static List<Requirement> parse(String text) {
        if (text.isBlank()) {
            return List.of();
        }
        return Arrays.stream(BETWEEN.split(text, -1))
                .map(String::strip)
                .map(LabelSelectors::requirement)
                .toList();
    }

    private static Requirement requirement(String text) {
        Matcher compared = COMPARED.matcher(text);
        if (compared.matches()) {
            return new Requirement(
                    compared.group(1),
                    compared.group(2).equals("!=") ? Operator.NOT_IN : Operator.IN,
                    List.of(compared.group(3)));
        }
        Matcher listed = LISTED.matcher(text);
        if (listed.matches()) {
            return new Requirement(
                    listed.group(1),
                    listed.group(2).equals("in") ? Operator.IN : Operator.NOT_IN,
                    Arrays.stream(listed.group(3).split(",", -1))
                            .map(String::strip)
                            .toList());
        }
        Matcher present = PRESENT.matcher(text);
        if (present.matches()) {
            return new Requirement(
                    present.group(2),
                    present.group(1).isEmpty() ? Operator.EXISTS : Operator.DOES_NOT_EXIST,
                    List.of());
        }
        throw new IllegalArgumentException(
                "`%s` is no requirement: expected a label selector such as ".formatted(SafeText.value(text))
                        + "pool=batch,arch in (arm64),!gpu");
    }

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
     * Returns whether one requirement of a selector holds.
     *
     * @param operator an unknown operator never holds
     * @param value the label's value; null if there is no such label
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
