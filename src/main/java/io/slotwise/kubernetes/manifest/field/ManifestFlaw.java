package io.slotwise.kubernetes.manifest.field;

import io.slotwise.core.plan.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with what an object says, as a value: the words that it takes depend on what the field is called where
 * its author wrote it.
 *
 * @param parts of one sentence, in order
 */
public record ManifestFlaw(List<Part> parts) {
    sealed interface Part {
        /** What is the same for everybody. */
        record Words(String text) implements Part {}

        /** A field, by the key of its annotation or label. */
        record Field(String key) implements Part {}

        /** Where the field stands: {@code of pod user/g-0}. Left out for who wrote no such object. */
        record Place(String object) implements Part {}
    }

    public ManifestFlaw {
        parts = List.copyOf(parts);
    }

    /** One that is about no field. */
    public static ManifestFlaw words(String words) {
        return new ManifestFlaw(List.of(new Part.Words(words)));
    }

    /** One that begins with a field. */
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

    /** With the object in which the field stands. */
    public ManifestFlaw of(String object) {
        return with(new Part.Place(object));
    }

    /** The key of the field that it is about first; null: none. */
    @Nullable
    String key() {
        for (Part part : parts) {
            if (part instanceof Part.Field(String key)) {
                return key;
            }
        }
        return null;
    }

    /** One sentence for who wrote the annotations of pods. */
    String message() {
        return sentence(UnaryOperator.identity(), true);
    }

    /** One sentence for who wrote something else, without the pods that stand for it. */
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

    /** The refusal of a gang of pods. */
    public Refusal.InvalidRequest refusal() {
        return new Refusal.InvalidRequest(message(), key());
    }

    /** The refusal of what is written down in another way. */
    public Refusal.InvalidRequest refusal(UnaryOperator<String> fields) {
        String key = key();
        return new Refusal.InvalidRequest(message(fields), key == null ? null : fields.apply(key));
    }
}
