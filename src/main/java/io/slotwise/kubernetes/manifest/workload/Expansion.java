package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;

/**
 * What a controller would make of an object.
 *
 * @param late the names of those that it makes only when others are ready
 * @param groups objects that it makes and that say how large a gang is or how long it may run
 * @param suspended whether the pods come only when the object is resumed
 * @param remarks what the pods do not show, each the end of a sentence
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
