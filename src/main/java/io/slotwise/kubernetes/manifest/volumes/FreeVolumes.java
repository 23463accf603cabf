package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.NamespaceKinds;
import io.slotwise.kubernetes.manifest.pods.PodBounds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the free volumes that a claim could be bound to, and the nodes that can reach them. Used for one intake.
 * O(volumes of the class) for each different kind of claim, of which a namespace has a bounded number.
 */
final class FreeVolumes {
    /**
     * The most different sizes, modes and selectors of a namespace's claims, together with the values of the selectors.
     */
    static final int MOST_KINDS = 200;

    private final OptionalObjects objects;
    /** True if the objects come from files, where a free volume may have no phase. */
    private final boolean fromFiles;

    private final Collection<Node> nodes;
    private final VolumeClaims claims;
    /**
     * The volumes that are reserved for a claim ({@code spec.claimRef}), by claim. Null until the first question; then
     * all volumes have been sorted into these and {@link #free}.
     */
    private @Nullable Map<String, List<PersistentVolume>> reserved;

    /** The free volumes, by storage class. */
    private final Map<String, List<PersistentVolume>> free = new HashMap<>();

    private final NamespaceKinds kinds = new NamespaceKinds(MOST_KINDS);
    /** The free volumes that suit each kind of claims. */
    private final Map<String, List<PersistentVolume>> suitable = new HashMap<>();
    /** The nodes that can reach volumes with the same terms. */
    private final Map<List<List<Term>>, List<String>> reaching = new HashMap<>();

    FreeVolumes(OptionalObjects objects, boolean fromFiles, Collection<Node> nodes, VolumeClaims claims) {
        this.objects = objects;
        this.fromFiles = fromFiles;
        this.nodes = nodes;
        this.claims = claims;
    }

    /**
     * Returns the free volumes that a claim could be bound to; only the reserved one, if there is one. Empty if the
     * claim's kind is beyond its namespace's limit.
     */
    List<PersistentVolume> suitable(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        PersistentVolume reservedVolume = reservedFor(use, spec);
        if (reservedVolume != null) {
            return List.of(reservedVolume);
        }
        String kind = kindOf(use, spec);
        if (!isWithinLimit(use, spec, kind)) {
            return List.of();
        }
        return suitable.computeIfAbsent(kind, _ -> {
            List<PersistentVolume> ofClass = free.getOrDefault(claims.className(use), List.of());
            Steps.add(Steps.Kind.VOLUMES, ofClass.size());
            return ofClass.stream()
                    .filter(volume -> Isolated.get(() -> isLike(volume, spec) && suits(volume, spec), _ -> false))
                    .toList();
        });
    }

    private boolean isWithinLimit(VolumeClaims.Use use, PersistentVolumeClaimSpec spec, String kind) {
        String namespace = use.claim().substring(0, use.claim().indexOf('/'));
        return kinds.take(namespace, kind, 1 + PodBounds.parts(spec.getSelector()));
    }

    private @Nullable PersistentVolume reservedFor(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        return reservedByClaim().getOrDefault(use.claim(), List.of()).stream()
                .filter(volume -> Isolated.get(() -> isFor(volume, use) && isLike(volume, spec), _ -> false))
                .findFirst()
                .orElse(null);
    }

    private Map<String, List<PersistentVolume>> reservedByClaim() {
        Map<String, List<PersistentVolume>> byClaim = reserved;
        if (byClaim == null) {
            Map<String, List<PersistentVolume>> sorted = new HashMap<>();
            objects.of(PersistentVolume.class).forEach(volume -> Isolated.run(() -> sort(volume, sorted), _ -> {}));
            reserved = sorted;
            byClaim = sorted;
        }
        return byClaim;
    }

    private void sort(PersistentVolume volume, Map<String, List<PersistentVolume>> ofClaims) {
        if (volume.getSpec() == null || volume.getMetadata().getDeletionTimestamp() != null) {
            return;
        }
        var reference = volume.getSpec().getClaimRef();
        String phase = volume.getStatus() == null ? null : volume.getStatus().getPhase();
        if (reference != null) {
            ofClaims.computeIfAbsent(reference.getNamespace() + "/" + reference.getName(), _ -> new ArrayList<>())
                    .add(volume);
        } else if ("Available".equals(phase) || (fromFiles && phase == null)) {
            free.computeIfAbsent(className(volume), _ -> new ArrayList<>()).add(volume);
        }
    }

    private static boolean isFor(PersistentVolume volume, VolumeClaims.Use use) {
        String uid = volume.getSpec().getClaimRef().getUid();
        return uid == null
                || use.object() == null
                || uid.equals(use.object().getMetadata().getUid());
    }

    private static boolean isLike(PersistentVolume volume, PersistentVolumeClaimSpec spec) {
        return mode(volume.getSpec().getVolumeMode()).equals(mode(spec.getVolumeMode())) && isLargeEnough(volume, spec);
    }

    private static boolean suits(PersistentVolume volume, PersistentVolumeClaimSpec spec) {
        return volume.getSpec().getAccessModes().containsAll(spec.getAccessModes())
                && (spec.getSelector() == null || LabelSelectors.match(spec.getSelector(), Labels.of(volume)));
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
        var capacity = volume.getSpec().getCapacity() == null
                ? null
                : volume.getSpec().getCapacity().get("storage");
        return asked == null
                || (capacity != null && QuantityAmounts.exact(capacity).compareTo(QuantityAmounts.exact(asked)) >= 0);
    }

    /**
     * Returns the name of the resource that stands for the free volumes of which a claim will take one. The planner
     * counts one unit for each volume. Null if a volume is created for the claim, or is already its own.
     */
    @Nullable
    String place(VolumeClaims.Use use) {
        PersistentVolumeClaimSpec spec = use.spec();
        if (spec == null || !takesFreeOne(use, spec)) {
            return null;
        }
        String kind = kindOf(use, spec);
        return isWithinLimit(use, spec, kind) ? kind : null;
    }

    /**
     * Checks the limit of kinds of claims in a namespace.
     *
     * @throws IllegalArgumentException if the claim takes a free volume and its kind is beyond the limit
     */
    void requireWithinLimit(VolumeClaims.Use use) {
        PersistentVolumeClaimSpec spec = use.spec();
        if (spec != null && takesFreeOne(use, spec) && !isWithinLimit(use, spec, kindOf(use, spec))) {
            throw new IllegalArgumentException(
                    ("the claims of its namespace for free volumes have more than %d different sizes, modes and "
                                    + "selectors, with the values of these, together")
                            .formatted(MOST_KINDS));
        }
    }

    private boolean takesFreeOne(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        StorageClass storageClass = claims.classOf(use);
        return storageClass != null
                && VolumeClaims.waits(storageClass)
                && !VolumeClaims.makes(storageClass)
                && VolumeClaims.volumeName(use).isEmpty()
                && objects.knows(PersistentVolume.class)
                && reservedFor(use, spec) == null;
    }

    /**
     * Returns the kind of a claim; the same free volumes suit all claims of one kind. It is also the name of the
     * resource of {@link #place}, so it includes the class's whole name.
     */
    private String kindOf(VolumeClaims.Use use, PersistentVolumeClaimSpec spec) {
        return "free volumes of class %s for %s %s %s %s"
                .formatted(
                        SafeText.escaped(claims.className(use)),
                        mode(spec.getVolumeMode()),
                        spec.getAccessModes().stream().sorted().toList(),
                        spec.getResources() == null ? "" : spec.getResources().getRequests(),
                        spec.getSelector());
    }

    /**
     * Returns how many free volumes that suit a claim each node can reach. O(nodes) for each different set of terms.
     */
    Map<String, Long> reachable(VolumeClaims.Use use) {
        List<PersistentVolume> volumes = use.spec() == null ? List.of() : suitable(use, use.spec());
        Map<List<List<Term>>, Long> reaches = new HashMap<>();
        volumes.forEach(volume -> reaches.merge(
                Isolated.get(() -> VolumeReach.of(volume), _ -> List.of(VolumeReach.NOWHERE)), 1L, Long::sum));
        long everywhere = Objects.requireNonNullElse(reaches.remove(List.of()), 0L);
        Map<String, Long> reachable = new HashMap<>();
        nodes.forEach(node -> reachable.put(node.name(), everywhere));
        reaches.forEach((reach, count) -> {
            List<String> names = reaching(reach);
            Steps.add(Steps.Kind.VOLUMES, names.size());
            names.forEach(name -> reachable.merge(name, count, Long::sum));
        });
        return reachable;
    }

    private List<String> reaching(List<List<Term>> reach) {
        return reaching.computeIfAbsent(reach, _ -> {
            Steps.add(Steps.Kind.VOLUMES, nodes.size());
            NodeConstraint constraint = NodeConstraint.NONE.reaching(reach);
            return nodes.stream()
                    .filter(constraint::reachesVolumes)
                    .map(Node::name)
                    .toList();
        });
    }
}
