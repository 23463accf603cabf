package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.PodGenerations;
import io.slotwise.kubernetes.manifest.field.Intervals;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which pods of one gang's name run together, which join those that run, and which start together.
 *
 * <p>A gang runs as long as one of its pods does: one that it started with, or one that came in the place of another
 * since. A pod that waits meanwhile replaces a lost member, or is one more than the gang needs: it is placed by itself
 * at once, and from its start on it is a member of the run. If it is of a newer {@link PodGenerations generation} than
 * a pod that runs, the owner has restarted the gang: all pods of the new generation wait for the end of the run before,
 * and then start as one gang in the room that it leaves. A pod of an older generation than another pod waits to be
 * deleted. Once no member runs, all pods that wait are one gang again, whatever they were planned as before. Members
 * that have succeeded count for the pods that wait if these go on with the same run ({@link #finished}); a pod that has
 * ended in another run, or whose place another pod has, does not count.
 *
 * <p>A pure function of the pods and of what tells which were made together. O(pods x generations of one owner's name).
 *
 * @param joining the pods that wait and are placed by themselves beside those that run; none if none runs
 * @param together the pods that wait and start as one gang; none if one runs
 * @param outside the pods that wait for the end of another generation
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
     * @param others of the same name that have ended, are being deleted or have to go: they tell how old generations
     *     are
     * @param objects those that tell which pods were made together
     * @param runs whether a pod is on its node, or its start is durable
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
        Map<String, List<Pod>> before = generations.examples(running);
        Map<String, List<Pod>> known = generations.examples(pods);
        List<Pod> inside = new ArrayList<>();
        List<Pod> outside = new ArrayList<>();
        for (Pod pod : waiting) {
            boolean isNext =
                    generations.rivals(before, pod).stream().anyMatch(other -> generations.isOlder(other, pod));
            boolean isOld = generations.rivals(known, pod).stream().anyMatch(other -> generations.isOlder(pod, other));
            (isNext || isOld ? outside : inside).add(pod);
        }
        return running.isEmpty()
                ? new GangRun(List.of(), List.of(), inside, outside)
                : new GangRun(running, inside, List.of(), outside);
    }

    /** Whether a member runs. */
    public boolean isUnderWay() {
        return !running.isEmpty();
    }

    /**
     * The pods that have done their work in the run with which these pods go on, one for each place. A controller such
     * as a Job's goes on with what it made in the same attempt and does not make again. Without a controller a pod goes
     * on with a run that had not ended when the pod was made.
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
        PodGenerations generations = PodGenerations.of(all, GroupObjects.NONE);
        Map<String, List<Pod>> examples = generations.examples(waiting);
        Optional<Pod> first =
                waiting.stream().filter(pod -> !PodRecreation.isControlled(pod)).min(Pods.BY_ARRIVAL);
        Set<String> taken = new HashSet<>();
        waiting.forEach(pod -> taken.add(PodGenerations.identity(pod)));
        return succeeded.stream()
                .filter(finishedPod -> Stream.concat(generations.rivals(examples, finishedPod).stream(), first.stream())
                        .anyMatch(pod -> goesOn(pod, finishedPod, generations)))
                .filter(finishedPod -> taken.add(PodGenerations.identity(finishedPod)))
                .toList();
    }

    private static boolean goesOn(Pod pod, Pod finishedPod, PodGenerations generations) {
        if (generations.areOfOne(pod, finishedPod)) {
            return PodGenerations.isDoneOnce(finishedPod);
        }
        String created = pod.getMetadata().getCreationTimestamp();
        OptionalLong endedAt = Pods.endedAt(finishedPod);
        return !PodRecreation.isControlled(pod)
                && !PodRecreation.isControlled(finishedPod)
                && created != null
                && endedAt.isPresent()
                && Intervals.parseDown(created) <= endedAt.getAsLong();
    }
}
