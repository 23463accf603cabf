package io.slotwise.kubernetes.manifest;

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
record Members(GangId id, List<Pod> bound, List<Pod> waiting) {
    Members(GangId id) {
        this(id, new ArrayList<>(), new ArrayList<>());
    }

    /** Adds a pod. */
    void add(Pod pod) {
        (Pods.node(pod) == null ? waiting : bound).add(pod);
    }

    /** All, by name. */
    List<Pod> all() {
        List<Pod> all = new ArrayList<>(bound);
        all.addAll(waiting);
        all.sort(Pods.BY_NAME);
        return all;
    }
}
