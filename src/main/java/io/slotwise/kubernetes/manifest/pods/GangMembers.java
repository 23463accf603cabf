package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import java.util.ArrayList;
import java.util.List;

/**
 * The pods of one gang: scratch of one run.
 *
 * @param bound those that have a node and have neither ended nor to go
 * @param gone those of the same name that have ended, are being deleted or have to go
 */
public record GangMembers(GangId id, List<Pod> bound, List<Pod> waiting, List<Pod> gone) {
    public GangMembers(GangId id) {
        this(id, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    /** A gang of these pods, of which others have gone. */
    public static GangMembers of(GangId id, List<Pod> pods, List<Pod> gone) {
        GangMembers members = new GangMembers(id);
        pods.forEach(members::add);
        members.gone.addAll(gone);
        return members;
    }

    /** Adds a pod that has not ended. */
    public void add(Pod pod) {
        (Pods.node(pod) == null ? waiting : bound).add(pod);
    }

    /** All that have not ended, by name. */
    public List<Pod> all() {
        List<Pod> all = new ArrayList<>(bound);
        all.addAll(waiting);
        all.sort(Pods.BY_NAME);
        return all;
    }

    /** Those that have done their work in the run of these pods, see {@link GangRun#finished}. */
    public List<Pod> finished() {
        List<Pod> succeeded = gone.stream().filter(Pods::hasSucceeded).toList();
        return succeeded.isEmpty() ? succeeded : GangRun.finished(succeeded, all());
    }

    /** Whether none is there that has not ended. */
    public boolean isEmpty() {
        return bound.isEmpty() && waiting.isEmpty();
    }
}
