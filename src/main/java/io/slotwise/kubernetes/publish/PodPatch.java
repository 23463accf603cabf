package io.slotwise.kubernetes.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.port.WaitExplainer.Waiting;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The strategic merge patches that release a pod or announce its end. Each names the pod's UID, so that another pod of
 * the same name stays unchanged.
 */
final class PodPatch {
    static final String RELEASED = AnnotationKeys.PREFIX + "Released";

    private static final String SCHEDULED = "PodScheduled";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private PodPatch() {}

    /**
     * Returns the status patch of a release, with the node that kube-scheduler tries first. The condition differs
     * between windows, so it wakes a waiting pod even if its node stays the same.
     *
     * @param node null if the status does not nominate a node
     */
    static String release(String uid, @Nullable String node, long start) {
        ObjectNode patch = of(uid);
        ObjectNode status = patch.putObject("status");
        if (node != null) {
            status.put("nominatedNodeName", node);
        }
        status.putArray("conditions")
                .addObject()
                .put("type", RELEASED)
                .put("status", "True")
                .put("reason", "WindowDue")
                .put("message", "its window starts at " + Instant.ofEpochSecond(start));
        return patch.toString();
    }

    /**
     * Returns the status patch that undoes {@link #release}. It differs each time, so that a scheduler that still wants
     * to bind the earlier state is refused.
     */
    static String recall(String uid, Instant now) {
        ObjectNode patch = of(uid);
        ObjectNode status = patch.putObject("status");
        status.putNull("nominatedNodeName");
        status.putArray("conditions")
                .addObject()
                .put("type", RELEASED)
                .put("status", "False")
                .put("reason", "TakenBack")
                .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString())
                .put("lastProbeTime", now.truncatedTo(ChronoUnit.SECONDS).toString())
                .put("message", "it waits for another window");
        return patch.toString();
    }

    /**
     * Returns the status patch that states why the pod waits. It names the version that was seen, because a pod that
     * has been bound since states that it is scheduled.
     *
     * @param seenPod the pod without a node
     */
    static String explain(Pod seenPod, Waiting waiting, Instant now) {
        ObjectNode patch = of(seenPod.getMetadata().getUid());
        ((ObjectNode) patch.get("metadata"))
                .put("resourceVersion", seenPod.getMetadata().getResourceVersion());
        PodCondition scheduledCondition = scheduled(seenPod);
        ObjectNode condition = patch.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", SCHEDULED)
                .put("status", "False")
                .put("reason", waiting.reason())
                .put("message", waiting.message());
        if (scheduledCondition == null || !"False".equals(scheduledCondition.getStatus())) {
            condition.put(
                    "lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return patch.toString();
    }

    static @Nullable PodCondition scheduled(Pod pod) {
        return pod.getStatus() == null || pod.getStatus().getConditions() == null
                ? null
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> SCHEDULED.equals(condition.getType()))
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Returns the status patch that announces a disruption, as the API server does for an eviction, so that controllers
     * need not count the pod as failed. It includes the time, because Kubernetes would take a condition without it for
     * a stale one and clear it.
     */
    static String disrupt(String uid, Instant now) {
        ObjectNode patch = of(uid);
        patch.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "DisruptionTarget")
                .put("status", "True")
                .put("reason", "StoppedBySlotwise")
                .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString())
                .put("message", "its gang is placed again");
        return patch.toString();
    }

    /** Returns the patch that removes Slotwise's gate and keeps others. */
    static String ungate(String uid) {
        return ungated(uid).toString();
    }

    private static ObjectNode ungated(String uid) {
        ObjectNode patch = of(uid);
        patch.putObject("spec")
                .putArray("schedulingGates")
                .addObject()
                .put("name", AnnotationKeys.WINDOW_GATE)
                .put("$patch", "delete");
        return patch;
    }

    /**
     * Returns the patch that removes Slotwise's gate and pins the pod to a node, in every alternative term of its
     * affinity.
     */
    static String ungateAndPin(String uid, @Nullable Pod pod, String node) {
        ObjectNode patch = ungated(uid);
        ArrayNode terms = ((ObjectNode) patch.get("spec"))
                .putObject("affinity")
                .putObject("nodeAffinity")
                .putObject("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms");
        for (NodeSelectorTerm term : terms(pod)) {
            ObjectNode pinned = terms.addObject();
            requirements(pinned, "matchExpressions", term.getMatchExpressions());
            ArrayNode fields = requirements(pinned, "matchFields", term.getMatchFields());
            ObjectNode name = fields.addObject();
            name.put("key", "metadata.name")
                    .put("operator", "In")
                    .putArray("values")
                    .add(node);
        }
        return patch.toString();
    }

    private static ObjectNode of(String uid) {
        ObjectNode patch = JSON.objectNode();
        patch.putObject("metadata").put("uid", uid);
        return patch;
    }

    private static List<NodeSelectorTerm> terms(@Nullable Pod pod) {
        NodeSelector required = pod == null ? null : Pods.requiredNodes(pod.getSpec());
        return required == null ? List.of(new NodeSelectorTerm()) : required.getNodeSelectorTerms();
    }

    private static ArrayNode requirements(
            ObjectNode term, String name, @Nullable List<NodeSelectorRequirement> requirements) {
        ArrayNode array = term.putArray(name);
        if (requirements != null) {
            for (NodeSelectorRequirement requirement : requirements) {
                ObjectNode expression = array.addObject();
                expression.put("key", requirement.getKey()).put("operator", requirement.getOperator());
                ArrayNode values = expression.putArray("values");
                requirement.getValues().forEach(values::add);
            }
        }
        return array;
    }
}
