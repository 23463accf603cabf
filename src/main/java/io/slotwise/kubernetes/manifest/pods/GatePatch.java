package io.slotwise.kubernetes.manifest.pods;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;

/** The strategic merge patch that takes our gate off a pod and leaves those of others. */
public final class GatePatch {
    private GatePatch() {}

    /** For the pod with this UID; another one of the same name is left alone. */
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
