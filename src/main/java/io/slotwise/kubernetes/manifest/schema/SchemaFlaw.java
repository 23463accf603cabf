package io.slotwise.kubernetes.manifest.schema;

import io.slotwise.core.text.SafeText;
import io.slotwise.core.text.Suggestion;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object that the API server would refuse.
 *
 * @param path such as {@code spec.containers[0].ports[0].hostPort}
 * @param value the field's value as written; null if absent
 * @param expected the expected value in words; for an unknown field the name of a similar one, or an empty text
 * @param isUnknown whether the API server does not know the field, and ignores it unless validation is strict
 */
public record SchemaFlaw(String path, @Nullable String value, String expected, boolean isUnknown) {
    static SchemaFlaw invalid(String path, String value, String expected) {
        return new SchemaFlaw(path, value, expected, false);
    }

    static SchemaFlaw missing(String path, String expected) {
        return new SchemaFlaw(path, null, expected, false);
    }

    static SchemaFlaw unknown(String path, String value, String field, Collection<String> known) {
        return new SchemaFlaw(
                path, value, Suggestion.nearest(field, List.copyOf(known)).orElse(""), true);
    }

    /** Returns one sentence with the field, its value and what was expected. */
    public String message() {
        String field = SafeText.line(path);
        if (value == null) {
            return "no %s: expected %s".formatted(field, expected);
        }
        return isUnknown
                ? "%s (%s) is not known: expected %s"
                        .formatted(field, SafeText.value(value), expected.isEmpty() ? "a field of the API" : expected)
                : "%s (%s) is not valid: expected %s".formatted(field, SafeText.value(value), expected);
    }
}
