package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The free volumes that claims could be bound to. Scratch of one run; O(volumes) for each claim. */
final class FreeVolumes {
    private final VolumeObjects objects;
    private final boolean files;
    private final Collection<Node> nodes;
    private final VolumeClaims claims;
    /** The free volumes that suit a claim, by claim. */
    private final Map<String, List<PersistentVolume>> suitable = new HashMap<>();

    FreeVolumes(VolumeObjects objects, boolean files, Collection<Node> nodes, VolumeClaims claims) {
        this.objects = objects;
        this.files = files;
        this.nodes = nodes;
        this.claims = claims;
    }

    /** The free volumes that a claim could be bound to; one that is kept for it is the only one. */
    List<PersistentVolume> suitable(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        return suitable.computeIfAbsent(use.claim(), _ -> {
            List<PersistentVolume> all = objects.volumes().stream()
                    .filter(volume -> Isolated.get(() -> suits(volume, use, spec), _ -> false))
                    .toList();
            return all.stream()
                    .filter(FreeVolumes::isKept)
                    .findFirst()
                    .map(List::of)
                    .orElse(all);
        });
    }

    private static boolean isKept(PersistentVolume volume) {
        return volume.getSpec().getClaimRef() != null;
    }

    private boolean suits(PersistentVolume volume, VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        if (volume.getSpec() == null || volume.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        var reference = volume.getSpec().getClaimRef();
        boolean kept = reference != null
                && use.claim().equals(reference.getNamespace() + "/" + reference.getName())
                && (reference.getUid() == null
                        || use.object() == null
                        || reference.getUid().equals(use.object().getMetadata().getUid()));
        String phase = volume.getStatus() == null ? null : volume.getStatus().getPhase();
        boolean free = reference == null && ("Available".equals(phase) || (files && phase == null));
        return (kept || free)
                && mode(volume.getSpec().getVolumeMode()).equals(mode(spec.getVolumeMode()))
                && isLargeEnough(volume, spec)
                && (kept
                        || (claims.className(use).equals(className(volume))
                                && volume.getSpec().getAccessModes().containsAll(spec.getAccessModes())
                                && (spec.getSelector() == null
                                        || LabelSelectors.match(spec.getSelector(), Labels.of(volume)))));
    }

    private static String className(PersistentVolume volume) {
        String old = Annotations.find(volume, VolumeClaims.BETA_CLASS);
        String stated = old == null ? volume.getSpec().getStorageClassName() : old;
        return stated == null ? "" : stated;
    }

    private static String mode(@Nullable String mode) {
        return mode == null ? "Filesystem" : mode;
    }

    private static boolean isLargeEnough(PersistentVolume volume, PersistentVolumeClaimSpec spec) {
        var asked = spec.getResources() == null || spec.getResources().getRequests() == null
                ? null
                : spec.getResources().getRequests().get("storage");
        var there = volume.getSpec().getCapacity() == null
                ? null
                : volume.getSpec().getCapacity().get("storage");
        return asked == null
                || (there != null && QuantityAmounts.exact(there).compareTo(QuantityAmounts.exact(asked)) >= 0);
    }

    /**
     * The place that stands for the free volumes of which a claim takes one; null: volumes are made for it, or it has
     * one.
     */
    @Nullable
    String place(VolumeClaims.Use use) {
        PersistentVolumeClaimSpec spec = use.spec();
        StorageClass one = claims.classOf(use);
        return spec == null
                        || one == null
                        || !VolumeClaims.waits(one)
                        || VolumeClaims.makes(one)
                        || !VolumeClaims.volumeName(use).isEmpty()
                        || !objects.known().contains(VolumeObjects.Kind.VOLUMES)
                        || suitable(use, spec).stream().anyMatch(FreeVolumes::isKept)
                ? null
                : "free volumes of class %s for %s %s %s %s"
                        .formatted(
                                SafeText.value(claims.className(use)),
                                mode(spec.getVolumeMode()),
                                spec.getAccessModes().stream().sorted().toList(),
                                spec.getResources() == null
                                        ? ""
                                        : spec.getResources().getRequests(),
                                spec.getSelector());
    }

    /** How many free volumes that suit a claim each node reaches. */
    Map<String, Long> reachable(VolumeClaims.Use use) {
        Map<String, Long> reachable = new HashMap<>();
        nodes.forEach(node -> reachable.put(node.name(), 0L));
        List<PersistentVolume> there = use.spec() == null ? List.of() : suitable(use, use.spec());
        for (PersistentVolume volume : there) {
            List<List<Term>> reach = Isolated.get(() -> VolumeReach.of(volume), _ -> List.of(VolumeReach.NOWHERE));
            NodeConstraint constraint = NodeConstraint.NONE.reaching(reach);
            nodes.stream()
                    .filter(constraint::reachesVolumes)
                    .forEach(node -> reachable.merge(node.name(), 1L, Long::sum));
        }
        return reachable;
    }
}
