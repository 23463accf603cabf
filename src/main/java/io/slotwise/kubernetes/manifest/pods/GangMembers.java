package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import java.util.ArrayList;
import java.util.List;

/**
 * The pods of one gang. Used for one intake.
 *
 * @param bound pods with a node that neither have ended nor have to go
 * @param gone pods of the same name that have ended, are being deleted or have to go
 */
public record GangMembers(GangId id, List<Pod> bound, List<Pod> waiting, List<Pod> gone) {
    public GangMembers(GangId id) {
        this(id, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    public static GangMembers of(GangId id, List<Pod> pods, List<Pod> gone) {
        GangMembers members = new GangMembers(id);
        pods.forEach(members::add);
        members.gone.addAll(gone);
        return members;
    }

    public void add(Pod pod) {
        (Pods.node(pod) == null ? waiting : bound).add(pod);
    }

    /** Returns all pods that have not ended, by name. */
    public List<Pod> all() {
        List<Pod> all = new ArrayList<>(bound);
        all.addAll(waiting);
        all.sort(Pods.BY_NAME);
        return all;
    }

    /** Returns the pods that have finished their work in the run of these pods, see {@link GangRun#finished}. */
    public List<Pod> finished() {
        List<Pod> succeeded = gone.stream().filter(Pods::hasSucceeded).toList();
        return succeeded.isEmpty() ? succeeded : GangRun.finished(succeeded, all());
    }

    /** Returns whether all of its pods have ended. */
    public boolean isEmpty() {
        return bound.isEmpty() && waiting.isEmpty();
    }
}
