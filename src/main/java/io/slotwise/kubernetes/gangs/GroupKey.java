package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import org.jspecify.annotations.Nullable;

/**
 * Which object.
 *
 * @param kind its kind
 * @param namespace its namespace
 * @param name its name
 */
public record GroupKey(GroupKind kind, String namespace, String name) {
    /** The key of an object; null: of a kind that no convention reads. */
    public static @Nullable GroupKey of(GenericKubernetesResource object) {
        GroupKind kind = GroupKind.of(object.getApiVersion(), object.getKind());
        return kind == null
                ? null
                : new GroupKey(
                        kind,
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName());
    }
}
