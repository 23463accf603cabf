package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import java.util.ArrayList;
import java.util.List;

/**
 * The pods of one gang that are neither terminal nor terminating: scratch of one run.
 *
 * @param id the gang
 * @param bound those that have a node
 * @param waiting those that have none
 */
public record GangMembers(GangId id, List<Pod> bound, List<Pod> waiting) {
    public GangMembers(GangId id) {
        this(id, new ArrayList<>(), new ArrayList<>());
    }

    /** Adds a pod. */
    public void add(Pod pod) {
        (Pods.node(pod) == null ? waiting : bound).add(pod);
    }

    /** All, by name. */
    public List<Pod> all() {
        List<Pod> all = new ArrayList<>(bound);
        all.addAll(waiting);
        all.sort(Pods.BY_NAME);
        return all;
    }
}
