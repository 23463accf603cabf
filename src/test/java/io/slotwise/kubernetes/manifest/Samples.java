package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nodes and pods of one shape, to be varied. */
public final class Samples {
    /** 2030-01-01T00:00:00Z. */
    public static final long NOW = 1_893_456_000L;

    private Samples() {}

    public static String at(long seconds) {
        return Instant.ofEpochSecond(NOW + seconds).toString();
    }

    /** A node of four cores with price 1 per hour and performance 1. */
    public static NodeBuilder node(String name) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(AnnotationKeys.PRICE, "1")
                .endMetadata()
                .withNewStatus()
                .addToAllocatable("cpu", new Quantity("4"))
                .addToAllocatable("memory", new Quantity("16Gi"))
                .addToAllocatable("pods", new Quantity("110"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus();
    }

    /** A pod of one core of Slotwise's scheduler, without a node. */
    public static PodBuilder pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("user")
                .withCreationTimestamp(at(-60))
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("slotwise")
                .addNewContainer()
                .withName("c")
                .withNewResources()
                .addToRequests("cpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec();
    }

    /** A member with annotations, which alternate key and value. */
    public static PodBuilder member(String gang, String name, String... annotations) {
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < annotations.length; i += 2) {
            pairs.put(annotations[i], annotations[i + 1]);
        }
        return pod(name)
                .editMetadata()
                .addToLabels(AnnotationKeys.GANG, gang)
                .withAnnotations(pairs)
                .endMetadata();
    }

    public static Pod bound(PodBuilder pod, String node, long start) {
        return pod.editSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withStartTime(at(start))
                .endStatus()
                .build();
    }

    public static ClusterObjects objects(List<Node> nodes, Pod... pods) {
        return ClusterObjects.NONE.withNodes(nodes).withPods(Arrays.asList(pods));
    }

    public static IntakeResult take(ClusterObjects objects, Map<GangId, KnownGang> known) {
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY).take(objects, known, NOW);
    }

    public static IntakeResult take(Pod... pods) {
        return take(objects(List.of(node("n1").build()), pods), Map.of());
    }

    public static GangId id(String name) {
        return new GangId("user", name);
    }

    /** A promise of every pod on n1 for ten minutes. */
    public static Promise promise(String gang, long start, boolean released, String... pods) {
        List<Placement> placements = Arrays.stream(pods)
                .map(pod -> new Placement(pod, "n1", NOW + start, NOW + start + 600, new Cost(600)))
                .toList();
        return new Promise(Window.of(id(gang), NOW + start, placements), WindowOrigin.CYCLIC, released);
    }
}
