package io.slotwise.kubernetes.manifest.field;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects of kinds that a cluster may lack or withhold. An unknown kind has no effect: a claim counts as missing
 * only if claims are known.
 *
 * @param known all objects of each known kind
 * @param unread the kinds that the API server does not let Slotwise read
 */
public record OptionalObjects(Map<Class<?>, List<? extends HasMetadata>> known, Set<Class<?>> unread) {
    public static final List<Class<? extends HasMetadata>> VOLUMES =
            List.of(PersistentVolumeClaim.class, PersistentVolume.class, StorageClass.class, CSINode.class);

    public static final List<Class<? extends HasMetadata>> DEVICES =
            List.of(ResourceSlice.class, DeviceClass.class, ResourceClaim.class, ResourceClaimTemplate.class);

    public static final OptionalObjects UNKNOWN = new OptionalObjects(Map.of(), Set.of());

    public OptionalObjects {
        known = Map.copyOf(known);
        unread = Set.copyOf(unread);
    }

    public OptionalObjects with(Class<? extends HasMetadata> kind, List<? extends HasMetadata> objects) {
        return plus(new OptionalObjects(Map.of(kind, objects), Set.of()));
    }

    public OptionalObjects without(Class<?> kind) {
        return plus(new OptionalObjects(Map.of(), Set.of(kind)));
    }

    public boolean knows(Class<? extends HasMetadata> kind) {
        return known.containsKey(kind);
    }

    /** Returns the objects of a kind; empty if the kind is unknown. */
    @SuppressWarnings("unchecked") // The list of a kind contains only objects of that kind.
    public <T extends HasMetadata> List<T> of(Class<T> kind) {
        return (List<T>) known.getOrDefault(kind, List.of());
    }

    public OptionalObjects plus(OptionalObjects other) {
        Map<Class<?>, List<? extends HasMetadata>> all = new HashMap<>(known);
        other.known.forEach((kind, more) -> all.merge(kind, more, ObjectLists::both));
        Set<Class<?>> kinds = new HashSet<>(unread);
        kinds.addAll(other.unread);
        return new OptionalObjects(all, kinds);
    }
}
