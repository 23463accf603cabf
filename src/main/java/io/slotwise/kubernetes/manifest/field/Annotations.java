package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What objects have in their annotations, of which there may be none. */
public final class Annotations {
    private Annotations() {}

    /** All of an object's; empty: it has none. */
    public static Map<String, String> of(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
    }

    /** One of them as it is written; null: the object does not have it. */
    public static @Nullable String find(HasMetadata object, String key) {
        return of(object).get(key);
    }

    /** One of them as it is written; empty: the object does not have it, or not more. */
    public static String text(HasMetadata object, String key) {
        return of(object).getOrDefault(key, "");
    }
}
