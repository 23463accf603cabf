package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a queue of another project, with notes on those that are not translated.
 *
 * @param path the path of the fields in the object, with a full stop at its end, or empty
 * @param notes where notes are added
 */
record PeerObject(Subject subject, String path, JsonNode fields, List<IntakeWarning> notes) {
    private static final long BINARY = 1024;
    private static final List<String> BINARY_UNITS = List.of("Ti", "Gi", "Mi", "Ki");
    private static final int MOST_SHOWN = 60;

    /**
     * A field that is not translated.
     *
     * @param harmless the values that change nothing
     * @param consequence what the queue does instead
     */
    record Untranslated(Set<String> harmless, String consequence) {
        Untranslated(String consequence) {
            this(Set.of(), consequence);
        }
    }

    String name() {
        return subject.name();
    }

    /** Returns a text, or null if the field is absent or empty. */
    @Nullable
    String text(String field) {
        String text = fields.path(field).asText("");
        return text.isEmpty() ? null : text;
    }

    void note(String field, String consequence) {
        JsonNode value = fields.at("/" + field.replace('.', '/'));
        String text = value.isValueNode() ? value.asText() : value.toString();
        note(
                Reason.NOT_SUPPORTED,
                field,
                text.isEmpty() || text.length() > MOST_SHOWN
                        ? "is not translated"
                        : "(%s) is not translated".formatted(SafeText.value(text)),
                consequence);
    }

    void note(Reason reason, String field, String statement, String consequence) {
        String named = subject.kind() + " "
                + (subject.namespace().isEmpty() ? "" : subject.namespace() + "/")
                + SafeText.value(subject.name());
        notes.add(IntakeWarning.of(
                reason, subject, path + field, "%s: `%s%s` %s".formatted(named, path, field, statement), consequence));
    }

    /**
     * Notes each field that is neither translated nor without effect.
     *
     * @param translated the names of the fields that are translated
     * @param untranslated the known fields that are not, by their paths
     */
    void noteUnread(Set<String> translated, Map<String, Untranslated> untranslated) {
        fields.properties().forEach(field -> {
            if (!translated.contains(field.getKey())) {
                noteUnread(field.getKey(), field.getValue(), untranslated);
            }
        });
    }

    private void noteUnread(String field, JsonNode value, Map<String, Untranslated> untranslated) {
        if (value.isObject() && untranslated.keySet().stream().anyMatch(inner -> inner.startsWith(field + "."))) {
            value.properties()
                    .forEach(inner -> noteUnread(field + "." + inner.getKey(), inner.getValue(), untranslated));
            return;
        }
        Untranslated untranslatedField = untranslated.getOrDefault(field, new Untranslated("the plan does without it"));
        boolean empty = value.isNull() || value.isContainerNode() && value.isEmpty();
        if (!empty && !untranslatedField.harmless().contains(value.asText())) {
            note(field, untranslatedField.consequence());
        }
    }

    /**
     * Returns the quantities of a field by resource.
     *
     * @param resource the name in Kubernetes of a resource
     * @throws IllegalArgumentException if a quantity cannot be read
     */
    SortedMap<String, BigDecimal> amounts(JsonNode quantities, UnaryOperator<String> resource) {
        SortedMap<String, BigDecimal> amounts = new TreeMap<>();
        quantities.properties().forEach(field -> {
            String name = resource.apply(field.getKey());
            amounts.put(name, amount(name, field.getValue()));
        });
        return amounts;
    }

    /** Returns a quantity. */
    static BigDecimal amount(String resource, JsonNode quantity) {
        return QuantityAmounts.exact(resource, QuantityAmounts.parse(resource, quantity.asText()));
    }

    /** Returns amounts as a Queue states them. */
    static SortedMap<String, String> texts(Map<String, BigDecimal> amounts) {
        SortedMap<String, String> texts = new TreeMap<>();
        amounts.forEach((resource, amount) -> texts.put(resource, text(resource, amount)));
        return texts;
    }

    private static String text(String resource, BigDecimal amount) {
        if (resource.equals("memory") || resource.endsWith("storage")) {
            BigDecimal unit = BigDecimal.valueOf(BINARY * BINARY * BINARY * BINARY);
            for (String suffix : BINARY_UNITS) {
                BigDecimal[] parts = amount.divideAndRemainder(unit);
                if (parts[0].signum() > 0 && parts[1].signum() == 0) {
                    return parts[0].toBigInteger() + suffix;
                }
                unit = unit.divide(BigDecimal.valueOf(BINARY));
            }
        }
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }

    /** Notes that this object is left out because of a value that cannot be read. */
    void leaveOut(RuntimeException error) {
        notes.add(new IntakeWarning(
                Reason.INVALID_VALUE,
                subject,
                "%s %s: %s; it is left out".formatted(subject.kind(), SafeText.value(name()), error.getMessage())));
    }
}
