package io.slotwise.kubernetes.manifest.pods;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;

/** The strategic merge patch that removes Slotwise's gate from a pod and leaves other gates. */
public final class GatePatch {
    private GatePatch() {}

    /** Returns the patch for the pod with this UID. Another pod of the same name stays unchanged. */
    public static ObjectNode of(String uid) {
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata").put("uid", uid);
        patch.putObject("spec")
                .putArray("schedulingGates")
                .addObject()
                .put("name", AnnotationKeys.WINDOW_GATE)
                .put("$patch", "delete");
        return patch;
    }
}
