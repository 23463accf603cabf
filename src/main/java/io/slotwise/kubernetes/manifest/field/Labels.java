package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What objects have in their labels, of which there may be none. */
public final class Labels {
    private Labels() {}

    /** All of an object's; empty: it has none. A key that may be null can be looked up in either. */
    public static Map<String, String> of(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Collections.emptyMap());
    }

    /** One of them; null: the object does not have it. */
    public static @Nullable String find(HasMetadata object, String key) {
        return of(object).get(key);
    }
}
