package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The controllers from a pod to its root owner, as far as their objects are known. */
public final class Owners {
    /** The most controllers, in case owners own each other. */
    private static final int MOST = 8;

    private Owners() {}

    public static @Nullable OwnerReference controller(HasMetadata object) {
        for (OwnerReference owner : object.getMetadata().getOwnerReferences()) {
            if (Boolean.TRUE.equals(owner.getController())) {
                return owner;
            }
        }
        return null;
    }

    /** Returns the controller of an object, if its kind describes gangs, else null. */
    static @Nullable GroupKey of(HasMetadata object) {
        OwnerReference owner = controller(object);
        if (owner == null || owner.getName() == null) {
            return null;
        }
        GroupKind kind = GroupKind.of(String.valueOf(owner.getApiVersion()), String.valueOf(owner.getKind()));
        return kind == null || !kind.makesPods()
                ? null
                : new GroupKey(kind, object.getMetadata().getNamespace(), owner.getName());
    }

    /**
     * Returns the controllers above a pod, the nearest first. The object of the last one may be unknown. O(their
     * number).
     */
    static List<GroupKey> above(Pod pod, GroupObjects objects) {
        List<GroupKey> owners = new ArrayList<>();
        GroupKey key = of(pod);
        while (key != null && owners.size() < MOST) {
            owners.add(key);
            GenericKubernetesResource object = objects.find(key);
            key = object == null ? null : of(object);
        }
        return owners;
    }

    static Stream<GenericKubernetesResource> found(List<GroupKey> keys, GroupObjects objects) {
        return keys.stream().flatMap(key -> Stream.ofNullable(objects.find(key)));
    }
}
