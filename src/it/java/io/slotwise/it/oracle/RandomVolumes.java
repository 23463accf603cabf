package io.slotwise.it.oracle;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeSpecBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TopologySelectorTermBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random volumes with the zones and nodes that reach them, attach limits, and pods with PersistentVolumeClaims. */
final class RandomVolumes {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String DRIVER = "disk.example.com";

    private final SplittableRandom random;
    private final int number;
    private final List<HasMetadata> objects = new ArrayList<>();
    private List<Node> nodes = List.of();
    private List<World.Resident> residents = List.of();
    private int claims;

    RandomVolumes(SplittableRandom random, int number) {
        this.random = random;
        this.number = number;
    }

    /** Classes, attach limits, volumes and PersistentVolumeClaims, in the order of their creation. */
    List<HasMetadata> objects() {
        return objects;
    }

    private boolean chance(double part) {
        return random.nextDouble() < part;
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Gives some residents volumes of the driver with low attach limits. */
    void offer(List<Node> there, List<World.Resident> staying) {
        nodes = there;
        residents = staying;
        storageClass("waits", DRIVER, "WaitForFirstConsumer", List.of());
        storageClass("zoned", "other.example.com", "WaitForFirstConsumer", List.of("a", "b"));
        storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", List.of());
        storageClass("now", "other.example.com", "Immediate", List.of());
        for (Node node : nodes) {
            if (chance(0.8)) {
                objects.add(new CSINodeBuilder()
                        .withNewMetadata()
                        .withName(node.getMetadata().getName())
                        .endMetadata()
                        .withNewSpec()
                        .addNewDriver()
                        .withName(DRIVER)
                        .withNodeID("node")
                        .withNewAllocatable(random.nextInt(1, 4))
                        .endDriver()
                        .endSpec()
                        .build());
            }
            if (chance(0.4)) {
                volume(
                        "local-" + node.getMetadata().getName(),
                        "local",
                        null,
                        node.getMetadata().getName(),
                        "ReadWriteOnce",
                        false);
            }
        }
        for (World.Resident resident : residents) {
            if (chance(0.25)) {
                refer(
                        resident.pod(),
                        bound(resident.pod().getMetadata().getNamespace(), DRIVER, null, null, "ReadWriteOnce"));
            }
        }
    }

    private String className(String name) {
        return "w%d-%s".formatted(number, name);
    }

    private void storageClass(String name, String provisioner, String mode, List<String> zones) {
        StorageClassBuilder made = new StorageClassBuilder()
                .withNewMetadata()
                .withName(className(name))
                .endMetadata()
                .withProvisioner(provisioner)
                .withVolumeBindingMode(mode);
        if (!zones.isEmpty()) {
            made.withAllowedTopologies(new TopologySelectorTermBuilder()
                    .addNewMatchLabelExpression()
                    .withKey(ZONE)
                    .withValues(zones)
                    .endMatchLabelExpression()
                    .build());
        }
        objects.add(made.build());
    }

    /** Lets a pod request what its kinds say. */
    void ask(Pod pod, Set<Kind> kinds) {
        String namespace = pod.getMetadata().getNamespace();
        if (kinds.contains(Kind.BOUND_VOLUMES)) {
            int count = random.nextInt(1, 3);
            for (int i = 0; i < count; i++) {
                boolean isLimited = chance(0.5);
                if (isLimited) {
                    kinds.add(Kind.ATTACH_LIMITS);
                }
                refer(
                        pod,
                        bound(
                                namespace,
                                isLimited ? DRIVER : "other.example.com",
                                chance(0.6) ? one(List.of("a", "b", "c")) : null,
                                chance(0.2) ? one(nodes).getMetadata().getName() : null,
                                one(List.of("ReadWriteOnce", "ReadWriteMany"))));
            }
        }
        if (kinds.contains(Kind.WAITING_VOLUMES)) {
            String storageClass = one(List.of("waits", "zoned", "zoned", "local", "local", "now"));
            if (storageClass.equals("waits")) {
                kinds.add(Kind.ATTACH_LIMITS);
            }
            refer(pod, waiting(namespace, chance(0.04) ? "missing" : storageClass));
        }
        if (kinds.contains(Kind.ONE_POD_VOLUMES)) {
            onePod(pod);
        }
    }

    /** A PersistentVolumeClaim for one pod at a time, which a resident may already use. */
    private void onePod(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        String claim = bound(namespace, "other.example.com", chance(0.3) ? "a" : null, null, "ReadWriteOncePod");
        refer(pod, claim);
        if (chance(0.4)) {
            residents.stream()
                    .filter(one -> one.pod().getMetadata().getNamespace().equals(namespace))
                    .skip(random.nextInt(3))
                    .findFirst()
                    .ifPresent(one -> refer(one.pod(), claim));
        }
    }

    private String bound(String namespace, String driver, @Nullable String zone, @Nullable String node, String mode) {
        String name = "v%d-%d".formatted(number, claims++);
        objects.add(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToAnnotations("pv.kubernetes.io/bind-completed", "yes")
                .addToAnnotations("pv.kubernetes.io/bound-by-controller", "yes")
                .endMetadata()
                .withNewSpec()
                .withAccessModes(mode)
                .withStorageClassName("")
                .withVolumeName("pv-" + name)
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .withNewStatus()
                .withPhase("Bound")
                .withAccessModes(mode)
                .addToCapacity("storage", new Quantity("1Gi"))
                .endStatus()
                .build());
        volume("pv-" + name, "", zone, node, mode, true);
        var volume = (io.fabric8.kubernetes.api.model.PersistentVolume) objects.getLast();
        volume.getSpec().getCsi().setDriver(driver);
        volume.getSpec()
                .setClaimRef(new io.fabric8.kubernetes.api.model.ObjectReferenceBuilder()
                        .withNamespace(namespace)
                        .withName(name)
                        .build());
        return name;
    }

    /** A volume that a zone, a node or every node reaches. */
    private void volume(
            String name,
            String storageClass,
            @Nullable String zone,
            @Nullable String node,
            String mode,
            boolean isBound) {
        boolean byLabel = zone != null && chance(0.5);
        PersistentVolumeSpecBuilder spec = new PersistentVolumeSpecBuilder()
                .withAccessModes(mode)
                .withStorageClassName(storageClass.isEmpty() ? "" : className(storageClass))
                .addToCapacity("storage", new Quantity("1Gi"))
                .withNewCsi()
                .withDriver("other.example.com")
                .withVolumeHandle(name)
                .endCsi();
        if (node != null || (zone != null && !byLabel)) {
            spec.withNewNodeAffinity()
                    .withNewRequired()
                    .addNewNodeSelectorTerm()
                    .addToMatchExpressions(new NodeSelectorRequirement(
                            node == null ? ZONE : "kubernetes.io/hostname",
                            "In",
                            List.of(node == null ? String.valueOf(zone) : node)))
                    .endNodeSelectorTerm()
                    .endRequired()
                    .endNodeAffinity();
        }
        objects.add(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(byLabel ? Map.of(ZONE, String.valueOf(zone)) : Map.of())
                .endMetadata()
                .withSpec(spec.build())
                .withNewStatus()
                .withPhase(isBound ? "Bound" : "Available")
                .endStatus()
                .build());
    }

    private String waiting(String namespace, String storageClass) {
        String name = "v%d-%d".formatted(number, claims++);
        objects.add(new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(className(storageClass))
                .withNewResources()
                .addToRequests("storage", new Quantity("1Gi"))
                .endResources()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build());
        return name;
    }

    private static void refer(Pod pod, String claim) {
        String name = "v" + pod.getSpec().getVolumes().size();
        pod.getSpec()
                .getVolumes()
                .add(new VolumeBuilder()
                        .withName(name)
                        .withNewPersistentVolumeClaim(claim, false)
                        .build());
    }
}
