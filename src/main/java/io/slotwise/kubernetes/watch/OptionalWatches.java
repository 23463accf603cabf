package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * The watches of kinds that a cluster may lack or withhold: volumes, devices, quotas and queues. A withheld kind is
 * unknown, but queues that were seen go on to bound their gangs.
 */
final class OptionalWatches {
    private final Map<Class<? extends HasMetadata>, Reflector<?>> byKind = new LinkedHashMap<>();

    interface Reflectors {
        /**
         * Creates a watch.
         *
         * @param relevant selects the changes that need a cycle
         */
        <T extends HasMetadata> Reflector<T> of(
                String kind,
                AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
                BiPredicate<T, T> relevant);
    }

    OptionalWatches(KubernetesClient client, Reflectors reflectors) {
        add(PersistentVolumeClaim.class, client, reflectors, ChangeFilter::claimChanged);
        add(PersistentVolume.class, client, reflectors, ChangeFilter::volumeChanged);
        add(StorageClass.class, client, reflectors, ChangeFilter::classChanged);
        add(CSINode.class, client, reflectors, ChangeFilter::attachmentsChanged);
        add(ResourceSlice.class, client, reflectors, ChangeFilter::slicesChanged);
        add(DeviceClass.class, client, reflectors, ChangeFilter::deviceClassChanged);
        add(ResourceClaim.class, client, reflectors, ChangeFilter::deviceClaimChanged);
        add(ResourceClaimTemplate.class, client, reflectors, ChangeFilter::templateChanged);
        add(ResourceQuota.class, client, reflectors, ChangeFilter::quotaChanged);
        add(QueueObject.class, client, reflectors, ChangeFilter::queueChanged);
    }

    private <T extends HasMetadata> void add(
            Class<T> kind, KubernetesClient client, Reflectors reflectors, BiPredicate<T, T> relevant) {
        byKind.put(
                kind,
                reflectors.of(
                        HasMetadata.getPlural(kind), client.resources(kind).inAnyNamespace(), relevant));
    }

    Collection<Reflector<?>> all() {
        return byKind.values();
    }

    /** Returns the last seen objects of a kind, even if it has been withheld since. */
    <T extends HasMetadata> List<T> list(Class<T> kind) {
        return Objects.requireNonNull(byKind.get(kind)).list().stream()
                .map(kind::cast)
                .toList();
    }

    OptionalObjects objects() {
        OptionalObjects objects = OptionalObjects.UNKNOWN;
        for (Map.Entry<Class<? extends HasMetadata>, Reflector<?>> entry : byKind.entrySet()) {
            objects = entry.getValue().isWithheld() && entry.getKey() != QueueObject.class
                    ? objects.without(entry.getKey())
                    : objects.with(entry.getKey(), list(entry.getKey()));
        }
        return objects;
    }
}
