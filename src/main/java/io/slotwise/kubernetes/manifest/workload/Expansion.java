package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;

/**
 * The objects that a controller would create for an object.
 *
 * @param late the names of pods that are created only when others are ready
 * @param groups created objects that state a gang's size or time limit
 * @param suspended whether the pods are created only when the object is resumed
 * @param remarks facts that the pods do not show, each the end of a sentence
 */
public record Expansion(
        List<Pod> pods, Set<String> late, List<ObjectNode> groups, boolean suspended, List<String> remarks) {
    public Expansion {
        late = Set.copyOf(late);
        pods = List.copyOf(pods);
        groups = List.copyOf(groups);
        remarks = List.copyOf(remarks);
    }
}
