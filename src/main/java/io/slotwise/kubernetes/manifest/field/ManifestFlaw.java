package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.plan.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A problem with the values of an object. Its words depend on the name of the field where the author wrote it.
 *
 * @param parts the parts of one sentence, in order
 */
public record ManifestFlaw(List<Part> parts) {
    sealed interface Part {
        record Words(String text) implements Part {}

        record Field(String key) implements Part {}

        /**
         * The object that has the field, such as {@code of pod user/g-0}. Left out for authors who wrote no such
         * object.
         */
        record Place(String object) implements Part {}
    }

    public ManifestFlaw {
        parts = List.copyOf(parts);
    }

    public static ManifestFlaw words(String words) {
        return new ManifestFlaw(List.of(new Part.Words(words)));
    }

    public static ManifestFlaw field(String key) {
        return new ManifestFlaw(List.of(new Part.Field(key)));
    }

    private ManifestFlaw with(Part part) {
        List<Part> more = new ArrayList<>(parts);
        more.add(part);
        return new ManifestFlaw(more);
    }

    public ManifestFlaw and(String words) {
        return with(new Part.Words(words));
    }

    public ManifestFlaw andField(String key) {
        return with(new Part.Field(key));
    }

    public ManifestFlaw of(String object) {
        return with(new Part.Place(object));
    }

    @Nullable
    String key() {
        for (Part part : parts) {
            if (part instanceof Part.Field(String key)) {
                return key;
            }
        }
        return null;
    }

    /** Returns one sentence for an author of pod annotations. */
    String message() {
        return sentence(UnaryOperator.identity(), true);
    }

    /** Returns one sentence for an author of another form, without the artificial pods. */
    String message(UnaryOperator<String> fields) {
        return sentence(fields, false);
    }

    private String sentence(UnaryOperator<String> fields, boolean placed) {
        StringBuilder sentence = new StringBuilder();
        for (Part part : parts) {
            switch (part) {
                case Part.Words(String text) -> sentence.append(text);
                case Part.Field(String key) ->
                    sentence.append('`').append(fields.apply(key)).append('`');
                case Part.Place(String object) -> sentence.append(placed ? " of " + object : "");
            }
        }
        return sentence.toString();
    }

    public Refusal.InvalidRequest refusal() {
        return new Refusal.InvalidRequest(message(), key());
    }

    public Refusal.InvalidRequest refusal(UnaryOperator<String> fields) {
        String key = key();
        return new Refusal.InvalidRequest(message(fields), key == null ? null : fields.apply(key));
    }
}
