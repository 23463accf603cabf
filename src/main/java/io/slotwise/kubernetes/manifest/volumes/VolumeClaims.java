package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.EphemeralVolumeSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForVolume.ClaimState;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The volume claims of pods, and whether they can be used. Used for one intake. */
final class VolumeClaims {
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String ONE_POD = "ReadWriteOncePod";
    private static final Set<String> MANY_NODES = Set.of("ReadWriteMany", "ReadOnlyMany");

    private final OptionalObjects objects;
    private final boolean files;
    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private @Nullable StorageClass usualClass;
    private boolean indexed;
    /** The number of volumes that a node can attach, by driver and node. */
    private final Map<String, Map<String, Long>> attachable = new HashMap<>();

    /** The pod that has, or will have, each claim for a single pod. */
    private final Map<String, Pod> owners = new HashMap<>();

    private final PodFindings findings = new PodFindings();

    /**
     * A volume claim of a pod.
     *
     * @param claim {@code namespace/name}
     * @param object null if it does not exist or is unknown
     * @param spec null if unknown
     * @param ephemeral whether the claim is created and deleted with the pod
     */
    record Use(
            String claim,
            @Nullable PersistentVolumeClaim object,
            @Nullable PersistentVolumeClaimSpec spec,
            boolean ephemeral) {}

    VolumeClaims(OptionalObjects objects, boolean files) {
        this.objects = objects;
        this.files = files;
    }

    /** Indexes the objects by name. Called only if a pod has claims. */
    private void index() {
        if (indexed) {
            return;
        }
        indexed = true;
        objects.of(PersistentVolumeClaim.class).forEach(claim -> claims.put(name(claim), claim));
        objects.of(PersistentVolume.class)
                .forEach(volume -> volumes.put(volume.getMetadata().getName(), volume));
        objects.of(StorageClass.class)
                .forEach(storageClass -> classes.put(storageClass.getMetadata().getName(), storageClass));
        usualClass = objects.of(StorageClass.class).stream()
                .filter(storageClass -> "true".equals(Annotations.find(storageClass, DEFAULT_CLASS)))
                .max(Comparator.comparing(
                                (StorageClass storageClass) ->
                                        storageClass.getMetadata().getCreationTimestamp(),
                                Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(
                                storageClass -> storageClass.getMetadata().getName(), Comparator.reverseOrder()))
                .orElse(null);
        objects.of(CSINode.class).stream()
                .filter(node -> node.getSpec() != null)
                .forEach(node -> node.getSpec().getDrivers().forEach(driver -> {
                    Integer count = driver.getAllocatable() == null
                            ? null
                            : driver.getAllocatable().getCount();
                    if (count != null && driver.getName() != null) {
                        attachable
                                .computeIfAbsent(driver.getName(), _ -> new HashMap<>())
                                .put(node.getMetadata().getName(), (long) Math.max(0, count));
                    }
                }));
    }

    void give(String claim, Pod pod) {
        owners.put(claim, pod);
    }

    /** Returns why a pod cannot start with this claim, or null if it can. */
    @Nullable
    Refusal obstacle(Pod pod, Use use) {
        PersistentVolumeClaim object = use.object();
        if (object == null && !use.ephemeral()) {
            if (objects.knows(PersistentVolumeClaim.class)) {
                return refusal(pod, use, ClaimState.MISSING, "");
            }
            miss(pod, "PersistentVolumeClaim", use.claim());
            return null;
        }
        if (object != null && object.getMetadata().getDeletionTimestamp() != null) {
            return refusal(pod, use, ClaimState.DELETING, "");
        }
        if (object != null && use.ephemeral() && !isOwned(object, pod)) {
            return refusal(pod, use, ClaimState.FOREIGN, "");
        }
        Pod ownerPod = owners.get(use.claim());
        if (ownerPod != null && !Pods.name(ownerPod).equals(Pods.name(pod))) {
            return refusal(pod, use, ClaimState.IN_USE, Pods.name(ownerPod));
        }
        return isBound(use) ? lost(pod, use) : notBound(pod, use);
    }

    private @Nullable Refusal lost(Pod pod, Use use) {
        boolean isKnown = objects.knows(PersistentVolume.class);
        boolean gone = volume(use) == null && isKnown;
        if (!isKnown) {
            miss(pod, "PersistentVolume", volumeName(use));
        }
        return gone || isLost(use) ? refusal(pod, use, ClaimState.LOST, volumeName(use)) : null;
    }

    private @Nullable Refusal notBound(Pod pod, Use use) {
        String name = className(use);
        if (isLost(use)) {
            return refusal(pod, use, ClaimState.LOST, volumeName(use));
        }
        if (!objects.knows(StorageClass.class)) {
            if (!name.isEmpty() || use.spec() == null || use.spec().getStorageClassName() == null) {
                miss(pod, "StorageClass", name.isEmpty() ? "(default)" : name);
            }
            return null;
        }
        StorageClass storageClass = classes.get(name);
        if (storageClass == null && !name.isEmpty()) {
            return refusal(pod, use, ClaimState.NO_CLASS, name);
        }
        boolean waits =
                storageClass != null && waits(storageClass) && volumeName(use).isEmpty();
        boolean toBeMade = files && use.ephemeral() && use.object() == null;
        return waits || toBeMade ? null : refusal(pod, use, ClaimState.UNBOUND, name);
    }

    private void miss(Pod pod, String kind, String name) {
        findings.add(
                Finding.missing(
                        kind, SafeText.value(name), "spec.volumes", "every node counts as reaching the pods' volumes"),
                pod);
    }

    /**
     * Returns the objects that pods name, of kinds that the input lacks altogether. Complete after all obstacles were
     * computed.
     */
    PodFindings missing() {
        return findings;
    }

    private static Refusal refusal(Pod pod, Use use, ClaimState state, String other) {
        return new Refusal.WaitingForVolume(Pods.name(pod), use.claim(), state, other);
    }

    List<Use> uses(Pod pod) {
        index();
        Map<String, Use> uses = new LinkedHashMap<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            EphemeralVolumeSource ephemeral = volume.getEphemeral();
            String name = volume.getPersistentVolumeClaim() != null
                    ? volume.getPersistentVolumeClaim().getClaimName()
                    : ephemeral == null ? null : pod.getMetadata().getName() + "-" + volume.getName();
            if (name != null) {
                String claim = pod.getMetadata().getNamespace() + "/" + name;
                PersistentVolumeClaim object = claims.get(claim);
                PersistentVolumeClaimSpec spec = object != null
                        ? object.getSpec()
                        : ephemeral == null || ephemeral.getVolumeClaimTemplate() == null
                                ? null
                                : ephemeral.getVolumeClaimTemplate().getSpec();
                uses.putIfAbsent(claim, new Use(claim, object, spec, ephemeral != null));
            }
        }
        return List.copyOf(uses.values());
    }

    static boolean areOf(Pod pod) {
        return pod.getSpec() != null
                && pod.getSpec().getVolumes().stream()
                        .anyMatch(volume -> volume.getPersistentVolumeClaim() != null || volume.getEphemeral() != null);
    }

    private static boolean isOwned(PersistentVolumeClaim claim, Pod pod) {
        String uid = pod.getMetadata().getUid();
        return uid == null
                || claim.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    static String volumeName(Use use) {
        String name = use.spec() == null ? null : use.spec().getVolumeName();
        return name == null ? "" : name;
    }

    /**
     * Returns whether a claim is bound. Handwritten files need not state that a controller has completed the binding.
     */
    boolean isBound(Use use) {
        return !volumeName(use).isEmpty()
                && use.object() != null
                && (files || Annotations.find(use.object(), BIND_COMPLETED) != null);
    }

    private static boolean isLost(Use use) {
        return use.object() != null
                && use.object().getStatus() != null
                && "Lost".equals(use.object().getStatus().getPhase());
    }

    /** Returns the volume of a claim. Null if none is bound to it, or if the volume does not exist. */
    @Nullable
    PersistentVolume volume(Use use) {
        return isBound(use) ? volumes.get(volumeName(use)) : null;
    }

    String className(Use use) {
        String old = use.object() == null ? null : Annotations.find(use.object(), BETA_CLASS);
        String stated = old != null || use.spec() == null ? old : use.spec().getStorageClassName();
        if (stated != null) {
            return stated;
        }
        return usualClass == null ? "" : usualClass.getMetadata().getName();
    }

    static boolean waits(StorageClass storageClass) {
        return "WaitForFirstConsumer".equals(storageClass.getVolumeBindingMode());
    }

    static boolean makes(StorageClass storageClass) {
        String provisioner = storageClass.getProvisioner();
        return provisioner != null && !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    /** Returns the driver that attaches a claim's volume, if nodes limit its volumes, else null. */
    @Nullable
    String driver(Use use) {
        PersistentVolume volume = volume(use);
        String driver;
        if (volume != null) {
            driver = volume.getSpec() == null || volume.getSpec().getCsi() == null
                    ? null
                    : volume.getSpec().getCsi().getDriver();
        } else {
            StorageClass storageClass = isBound(use) ? null : classOf(use);
            driver = storageClass == null ? null : storageClass.getProvisioner();
        }
        return driver != null && attachable.containsKey(driver) ? driver : null;
    }

    boolean isForOnePod(String claim) {
        PersistentVolumeClaim object = claims.get(claim);
        return object != null
                && object.getSpec() != null
                && object.getSpec().getAccessModes().contains(ONE_POD);
    }

    /** Returns whether a volume is attached to one node at a time, by its access modes, where they are enforced. */
    boolean isForOneNode(Use use) {
        if (use.object() == null || use.spec() == null) {
            return false;
        }
        PersistentVolume volume = volume(use);
        List<String> modes = volume == null || volume.getSpec() == null
                ? use.spec().getAccessModes()
                : volume.getSpec().getAccessModes();
        boolean everywhere = volume != null
                && volume.getSpec() != null
                && (volume.getSpec().getNfs() != null || volume.getSpec().getHostPath() != null);
        return !everywhere && !modes.isEmpty() && modes.stream().noneMatch(MANY_NODES::contains);
    }

    /** Returns the class of a claim. Null if it names none, or if the class does not exist. */
    @Nullable
    StorageClass classOf(Use use) {
        return classes.get(className(use));
    }

    Map<String, Long> attachable(String driver) {
        return attachable.getOrDefault(driver, Map.of());
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }
}
