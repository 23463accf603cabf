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
import io.slotwise.kubernetes.manifest.device.DeviceObjects;
import io.slotwise.kubernetes.manifest.volumes.VolumeObjects;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The watches of what a cluster may keep from Slotwise, or does not have: volumes, devices and quotas. Of a kind that
 * is withheld nothing is known.
 */
final class OptionalWatches {
    private final Reflector<ResourceQuota> quotaReflector;
    private final Reflector<PersistentVolumeClaim> claimReflector;
    private final Reflector<PersistentVolume> volumeReflector;
    private final Reflector<StorageClass> classReflector;
    private final Reflector<CSINode> attachmentReflector;
    private final Reflector<ResourceSlice> sliceReflector;
    private final Reflector<DeviceClass> deviceClassReflector;
    private final Reflector<ResourceClaim> deviceClaimReflector;
    private final Reflector<ResourceClaimTemplate> templateReflector;
    private final Map<VolumeObjects.Kind, Reflector<?>> ofVolumes = new EnumMap<>(VolumeObjects.Kind.class);
    private final Map<DeviceObjects.Kind, Reflector<?>> ofDevices = new EnumMap<>(DeviceObjects.Kind.class);

    /** Makes reflectors. */
    interface Reflectors {
        /** One of which a cycle should know of the changes that {@code relevant} says. */
        <T extends HasMetadata> Reflector<T> of(
                String kind,
                AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
                BiPredicate<T, T> relevant);
    }

    OptionalWatches(KubernetesClient client, Reflectors reflectors) {
        quotaReflector =
                reflectors.of("resourcequotas", client.resourceQuotas().inAnyNamespace(), ChangeFilter::quotaChanged);
        claimReflector = reflectors.of(
                VolumeObjects.Kind.CLAIMS.plural(),
                client.persistentVolumeClaims().inAnyNamespace(),
                ChangeFilter::claimChanged);
        volumeReflector = reflectors.of(
                VolumeObjects.Kind.VOLUMES.plural(), client.persistentVolumes(), ChangeFilter::volumeChanged);
        classReflector = reflectors.of(
                VolumeObjects.Kind.CLASSES.plural(),
                client.storage().v1().storageClasses(),
                ChangeFilter::classChanged);
        attachmentReflector = reflectors.of(
                VolumeObjects.Kind.NODES.plural(), client.storage().v1().csiNodes(), ChangeFilter::attachmentsChanged);
        sliceReflector = reflectors.of(
                DeviceObjects.Kind.SLICES.plural(), client.resources(ResourceSlice.class), ChangeFilter::slicesChanged);
        deviceClassReflector = reflectors.of(
                DeviceObjects.Kind.CLASSES.plural(),
                client.resources(DeviceClass.class),
                ChangeFilter::deviceClassChanged);
        deviceClaimReflector = reflectors.of(
                DeviceObjects.Kind.CLAIMS.plural(),
                client.resources(ResourceClaim.class).inAnyNamespace(),
                ChangeFilter::deviceClaimChanged);
        templateReflector = reflectors.of(
                DeviceObjects.Kind.TEMPLATES.plural(),
                client.resources(ResourceClaimTemplate.class).inAnyNamespace(),
                ChangeFilter::templateChanged);
        ofVolumes.put(VolumeObjects.Kind.CLAIMS, claimReflector);
        ofVolumes.put(VolumeObjects.Kind.VOLUMES, volumeReflector);
        ofVolumes.put(VolumeObjects.Kind.CLASSES, classReflector);
        ofVolumes.put(VolumeObjects.Kind.NODES, attachmentReflector);
        ofDevices.put(DeviceObjects.Kind.SLICES, sliceReflector);
        ofDevices.put(DeviceObjects.Kind.CLASSES, deviceClassReflector);
        ofDevices.put(DeviceObjects.Kind.CLAIMS, deviceClaimReflector);
        ofDevices.put(DeviceObjects.Kind.TEMPLATES, templateReflector);
    }

    /** All of them. */
    Stream<Reflector<?>> all() {
        return Stream.of(ofVolumes.values().stream(), ofDevices.values().stream(), Stream.of(quotaReflector))
                .flatMap(reflectors -> reflectors);
    }

    List<ResourceQuota> quotas() {
        return quotaReflector.isWithheld() ? List.of() : quotaReflector.list();
    }

    List<DeviceClass> deviceClasses() {
        return deviceClassReflector.list();
    }

    VolumeObjects volumes() {
        EnumSet<VolumeObjects.Kind> unread = EnumSet.noneOf(VolumeObjects.Kind.class);
        ofVolumes.forEach((kind, reflector) -> {
            if (reflector.isWithheld()) {
                unread.add(kind);
            }
        });
        return new VolumeObjects(
                unread.contains(VolumeObjects.Kind.CLAIMS) ? List.of() : claimReflector.list(),
                unread.contains(VolumeObjects.Kind.VOLUMES) ? List.of() : volumeReflector.list(),
                unread.contains(VolumeObjects.Kind.CLASSES) ? List.of() : classReflector.list(),
                unread.contains(VolumeObjects.Kind.NODES) ? List.of() : attachmentReflector.list(),
                EnumSet.complementOf(unread),
                unread);
    }

    DeviceObjects devices() {
        EnumSet<DeviceObjects.Kind> unread = EnumSet.noneOf(DeviceObjects.Kind.class);
        ofDevices.forEach((kind, reflector) -> {
            if (reflector.isWithheld()) {
                unread.add(kind);
            }
        });
        return new DeviceObjects(
                unread.contains(DeviceObjects.Kind.SLICES) ? List.of() : sliceReflector.list(),
                unread.contains(DeviceObjects.Kind.CLASSES) ? List.of() : deviceClassReflector.list(),
                unread.contains(DeviceObjects.Kind.CLAIMS) ? List.of() : deviceClaimReflector.list(),
                unread.contains(DeviceObjects.Kind.TEMPLATES) ? List.of() : templateReflector.list(),
                EnumSet.complementOf(unread),
                unread);
    }
}
