package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.report.QueuesReport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a queue of another project, with notes on those that are not translated.
 *
 * @param path the path of the fields in the object, with a full stop at its end, or empty
 * @param notes where notes are added
 */
record PeerObject(Subject subject, String path, JsonNode fields, List<IntakeWarning> notes) {
    private static final int MOST_SHOWN = 60;

    /**
     * A field that is not translated.
     *
     * @param consequence what the queue does instead
     * @param harmless the values that change nothing
     */
    record Untranslated(String field, String consequence, Set<String> harmless) {
        Untranslated(String field, String consequence, String... harmless) {
            this(field, consequence, Set.of(harmless));
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

    private JsonNode at(String field) {
        return fields.at("/" + field.replace('.', '/'));
    }

    void note(String field, String consequence) {
        JsonNode value = at(field);
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
     * @param untranslated the known fields that are not
     */
    void noteUnread(Set<String> translated, List<Untranslated> untranslated) {
        fields.properties().forEach(field -> {
            if (!translated.contains(field.getKey())) {
                noteUnread(field.getKey(), field.getValue(), untranslated);
            }
        });
    }

    private void noteUnread(String field, JsonNode value, List<Untranslated> untranslated) {
        if (value.isObject()
                && untranslated.stream().anyMatch(inner -> inner.field().startsWith(field + "."))) {
            value.properties()
                    .forEach(inner -> noteUnread(field + "." + inner.getKey(), inner.getValue(), untranslated));
            return;
        }
        Untranslated untranslatedField = untranslated.stream()
                .filter(known -> known.field().equals(field))
                .findFirst()
                .orElseGet(() -> new Untranslated(field, "the plan does without it"));
        boolean empty = value.isNull() || (value.isContainerNode() && value.isEmpty());
        if (!empty && !untranslatedField.harmless().contains(value.asText())) {
            note(field, untranslatedField.consequence());
        }
    }

    /**
     * Returns the quantities of a field by resource.
     *
     * @throws IllegalArgumentException if a quantity cannot be read
     */
    SortedMap<String, Long> amounts(String field) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        at(field).properties().forEach(quantity -> {
            String name = quantity.getKey().equals("vcore") ? Resources.CPU : quantity.getKey();
            amounts.put(name, amount(name, quantity.getValue()));
        });
        return amounts;
    }

    /** Returns a quantity. */
    static long amount(String resource, JsonNode quantity) {
        return QueueAmounts.units(resource, quantity.asText());
    }

    /** Returns amounts as a Queue states them. */
    static SortedMap<String, String> texts(Map<String, Long> amounts) {
        SortedMap<String, String> texts = new TreeMap<>();
        amounts.forEach((resource, amount) -> texts.put(resource, QueuesReport.quantity(resource, amount)));
        return texts;
    }

    /** Reads this object. With a value that cannot be read it is left out, which is noted. */
    void read(Runnable reading) {
        try {
            reading.run();
        } catch (IllegalArgumentException e) {
            String named = subject.kind() + " " + SafeText.value(name());
            notes.add(new IntakeWarning(
                    Reason.INVALID_VALUE, subject, "%s: %s; it is left out".formatted(named, e.getMessage())));
        }
    }
}
