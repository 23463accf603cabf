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
    private final Reflector<ResourceQuota> quotas;
    private final Reflector<PersistentVolumeClaim> claims;
    private final Reflector<PersistentVolume> volumes;
    private final Reflector<StorageClass> classes;
    private final Reflector<CSINode> attachments;
    private final Reflector<ResourceSlice> slices;
    private final Reflector<DeviceClass> deviceClasses;
    private final Reflector<ResourceClaim> deviceClaims;
    private final Reflector<ResourceClaimTemplate> templates;
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
        quotas = reflectors.of("resourcequotas", client.resourceQuotas().inAnyNamespace(), ChangeFilter::quotaChanged);
        claims = reflectors.of(
                VolumeObjects.Kind.CLAIMS.plural(),
                client.persistentVolumeClaims().inAnyNamespace(),
                ChangeFilter::claimChanged);
        volumes = reflectors.of(
                VolumeObjects.Kind.VOLUMES.plural(), client.persistentVolumes(), ChangeFilter::volumeChanged);
        classes = reflectors.of(
                VolumeObjects.Kind.CLASSES.plural(),
                client.storage().v1().storageClasses(),
                ChangeFilter::classChanged);
        attachments = reflectors.of(
                VolumeObjects.Kind.NODES.plural(), client.storage().v1().csiNodes(), ChangeFilter::attachmentsChanged);
        slices = reflectors.of(
                DeviceObjects.Kind.SLICES.plural(), client.resources(ResourceSlice.class), ChangeFilter::slicesChanged);
        deviceClasses = reflectors.of(
                DeviceObjects.Kind.CLASSES.plural(),
                client.resources(DeviceClass.class),
                ChangeFilter::deviceClassChanged);
        deviceClaims = reflectors.of(
                DeviceObjects.Kind.CLAIMS.plural(),
                client.resources(ResourceClaim.class).inAnyNamespace(),
                ChangeFilter::deviceClaimChanged);
        templates = reflectors.of(
                DeviceObjects.Kind.TEMPLATES.plural(),
                client.resources(ResourceClaimTemplate.class).inAnyNamespace(),
                ChangeFilter::templateChanged);
        ofVolumes.put(VolumeObjects.Kind.CLAIMS, claims);
        ofVolumes.put(VolumeObjects.Kind.VOLUMES, volumes);
        ofVolumes.put(VolumeObjects.Kind.CLASSES, classes);
        ofVolumes.put(VolumeObjects.Kind.NODES, attachments);
        ofDevices.put(DeviceObjects.Kind.SLICES, slices);
        ofDevices.put(DeviceObjects.Kind.CLASSES, deviceClasses);
        ofDevices.put(DeviceObjects.Kind.CLAIMS, deviceClaims);
        ofDevices.put(DeviceObjects.Kind.TEMPLATES, templates);
    }

    /** All of them. */
    Stream<Reflector<?>> all() {
        return Stream.of(ofVolumes.values().stream(), ofDevices.values().stream(), Stream.of(quotas))
                .flatMap(reflectors -> reflectors);
    }

    List<ResourceQuota> quotas() {
        return quotas.isWithheld() ? List.of() : quotas.list();
    }

    List<DeviceClass> deviceClasses() {
        return deviceClasses.list();
    }

    VolumeObjects volumes() {
        EnumSet<VolumeObjects.Kind> unread = EnumSet.noneOf(VolumeObjects.Kind.class);
        ofVolumes.forEach((kind, reflector) -> {
            if (reflector.isWithheld()) {
                unread.add(kind);
            }
        });
        return new VolumeObjects(
                unread.contains(VolumeObjects.Kind.CLAIMS) ? List.of() : claims.list(),
                unread.contains(VolumeObjects.Kind.VOLUMES) ? List.of() : volumes.list(),
                unread.contains(VolumeObjects.Kind.CLASSES) ? List.of() : classes.list(),
                unread.contains(VolumeObjects.Kind.NODES) ? List.of() : attachments.list(),
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
                unread.contains(DeviceObjects.Kind.SLICES) ? List.of() : slices.list(),
                unread.contains(DeviceObjects.Kind.CLASSES) ? List.of() : deviceClasses.list(),
                unread.contains(DeviceObjects.Kind.CLAIMS) ? List.of() : deviceClaims.list(),
                unread.contains(DeviceObjects.Kind.TEMPLATES) ? List.of() : templates.list(),
                EnumSet.complementOf(unread),
                unread);
    }
}
