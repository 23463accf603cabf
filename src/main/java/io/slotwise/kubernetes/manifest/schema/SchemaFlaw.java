package io.slotwise.kubernetes.manifest.schema;

import io.slotwise.core.text.SafeText;
import io.slotwise.core.text.Suggestion;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object that the API server does not take.
 *
 * @param path where it stands, such as {@code spec.containers[0].ports[0].hostPort}
 * @param value what stands there as it is written; null: nothing
 * @param expected what is expected, in words; of a field that is not known the name of a similar one, empty without one
 * @param isUnknown whether the API server does not know the field, and so passes it over unless it is told to be strict
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

    /** One sentence with the field, its value and what was expected. */
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
