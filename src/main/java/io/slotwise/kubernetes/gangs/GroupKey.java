package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/** The identity of an object. */
public record GroupKey(GroupKind kind, String namespace, String name) {
    /** Returns the key of an object; null if no convention reads its kind. */
    public static @Nullable GroupKey of(GenericKubernetesResource object) {
        GroupKind kind = GroupKind.of(object);
        return kind == null
                ? null
                : new GroupKey(
                        kind,
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName());
    }
}
