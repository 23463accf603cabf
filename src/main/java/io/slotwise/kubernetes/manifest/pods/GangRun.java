package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.PodGenerations;
import io.slotwise.kubernetes.manifest.field.Intervals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Sorts the pods of one gang's name into those that run together, those that join them, and those that start together.
 *
 * <p>A gang runs while one of its pods runs: a pod that it started with, or a replacement. A pod that waits meanwhile
 * replaces a lost member, or exceeds the gang's size. It is placed individually at once, and is a member of the run
 * from its start on. If it has a newer {@link PodGenerations generation} than a running pod, the owner has restarted
 * the gang. Then all pods of the new generation wait for the end of the previous run, and start as one gang in the room
 * that it leaves. A pod of an older generation than another pod waits to be deleted. Once no member runs, all waiting
 * pods are one gang again, however they were planned before. Members that have succeeded count for the waiting pods if
 * these continue the same run ({@link #finished}). A pod that ended in another run, or whose place another pod has,
 * does not count.
 *
 * <p>The result depends only on the pods and on the objects that tell which were made together. O(pods log pods).
 *
 * @param joining waiting pods that are placed individually; empty if no pod runs
 * @param together waiting pods that start as one gang; empty if a pod runs
 * @param outside waiting pods that wait for the end of another generation
 */
public record GangRun(List<Pod> running, List<Pod> joining, List<Pod> together, List<Pod> outside) {
    public GangRun {
        running = List.copyOf(running);
        joining = List.copyOf(joining);
        together = List.copyOf(together);
        outside = List.copyOf(outside);
    }

    /**
     * Sorts the pods of one gang's name.
     *
     * @param pods neither ended nor being deleted, by name
     * @param others pods of the same name that have ended, are being deleted or have to go; they show the age of
     *     generations
     * @param objects the objects that tell which pods were made together
     * @param runs tells whether a pod is on its node, or its start is durable
     */
    public static GangRun of(List<Pod> pods, List<Pod> others, GroupObjects objects, Predicate<Pod> runs) {
        List<Pod> running = pods.stream().filter(runs).toList();
        if (running.size() == pods.size()) {
            return new GangRun(running, List.of(), List.of(), List.of());
        }
        List<Pod> waiting = pods.stream().filter(runs.negate()).toList();
        List<Pod> all = new ArrayList<>(pods);
        all.addAll(others);
        PodGenerations generations = PodGenerations.of(all, objects);
        PodGenerations.KnownGenerations runningGenerations = generations.among(running);
        PodGenerations.KnownGenerations knownGenerations = generations.among(pods);
        List<Pod> inside = new ArrayList<>();
        List<Pod> outside = new ArrayList<>();
        for (Pod pod : waiting) {
            (knownGenerations.isOlder(pod) || runningGenerations.isNewer(pod) ? outside : inside).add(pod);
        }
        return running.isEmpty()
                ? new GangRun(List.of(), List.of(), inside, outside)
                : new GangRun(running, inside, List.of(), outside);
    }

    public boolean isUnderWay() {
        return !running.isEmpty();
    }

    /**
     * Returns the pods that have finished their work in the run that the waiting pods continue, one for each place. A
     * controller such as a Job's continues with the pods that it made in the same attempt and does not recreate those.
     * Without a controller, a pod continues a run that had not ended when the pod was created.
     *
     * @param succeeded pods of the same name that have succeeded
     * @param waiting the pods that start as one gang
     */
    public static List<Pod> finished(List<Pod> succeeded, List<Pod> waiting) {
        if (succeeded.isEmpty() || waiting.isEmpty()) {
            return List.of();
        }
        List<Pod> all = new ArrayList<>(succeeded);
        all.addAll(waiting);
        PodGenerations.KnownGenerations generations =
                PodGenerations.of(all, GroupObjects.NONE).among(waiting);
        Optional<Pod> first =
                waiting.stream().filter(pod -> !PodRecreation.isControlled(pod)).min(Pods.BY_ARRIVAL);
        Set<String> taken = new HashSet<>();
        waiting.forEach(pod -> taken.add(PodGenerations.identity(pod)));
        return succeeded.stream()
                .filter(finishedPod -> (generations.includes(finishedPod) && PodGenerations.isDoneOnce(finishedPod))
                        || (first.isPresent() && goesOn(first.get(), finishedPod)))
                .filter(finishedPod -> taken.add(PodGenerations.identity(finishedPod)))
                .toList();
    }

    /** Returns whether a run without a controller had not ended when one of its pods was created. */
    private static boolean goesOn(Pod pod, Pod finishedPod) {
        String created = pod.getMetadata().getCreationTimestamp();
        OptionalLong endedAt = Pods.endedAt(finishedPod);
        return !PodRecreation.isControlled(finishedPod)
                && created != null
                && endedAt.isPresent()
                && Intervals.parseDown(created) <= endedAt.getAsLong();
    }
}
