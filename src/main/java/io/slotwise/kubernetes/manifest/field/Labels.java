package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Null-safe access to the labels of objects. */
public final class Labels {
    private Labels() {}

    /** Returns all labels of an object, possibly none. The map accepts look-ups with a null key. */
    public static Map<String, String> of(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Collections.emptyMap());
    }

    public static @Nullable String find(HasMetadata object, String key) {
        return of(object).get(key);
    }
}
