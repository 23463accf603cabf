package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Null-safe access to the annotations of objects. */
public final class Annotations {
    private Annotations() {}

    public static Map<String, String> of(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
    }

    /** Returns an annotation, or null. */
    public static @Nullable String find(HasMetadata object, String key) {
        return of(object).get(key);
    }

    /** Returns an annotation, or an empty text. */
    public static String text(HasMetadata object, String key) {
        return of(object).getOrDefault(key, "");
    }
}
