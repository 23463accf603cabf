package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSchedulingGroup;
import io.slotwise.core.text.SafeText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which pods are ours to plan, and which way they go to their nodes.
 *
 * @param schedulerName pods that Slotwise binds itself name this scheduler, which no kube-scheduler serves
 * @param extenderSchedulerName pods that go through kube-scheduler, with Slotwise as its extender, name this one
 * @param annotated pods of any scheduler, too, if they state a gang or a runtime; nodes may leave out what a kubelet
 *     reports
 * @param throughKubeScheduler whether a kube-scheduler serves {@code extenderSchedulerName}
 * @param tried waiting pods that name one of these schedulers are planned, too, to see what would become of them;
 *     {@value #EVERY}: those of every scheduler
 */
public record PodFilter(
        String schedulerName,
        String extenderSchedulerName,
        boolean annotated,
        boolean throughKubeScheduler,
        Set<String> tried) {
    /** Stands for every scheduler. */
    public static final String EVERY = "*";

    /** What the API server writes into a pod that names no scheduler. */
    public static final String KUBERNETES_DEFAULT = "default-scheduler";

    /** In a cluster: pods of our own schedulers. */
    public static final PodFilter CLUSTER = new PodFilter("slotwise", "slotwise-extender", false);
    /** In files: also what is written for us without naming our scheduler. */
    public static final PodFilter FILES = new PodFilter("slotwise", "slotwise-extender", true);

    /** The same where a kube-scheduler serves the second name. */
    public PodFilter(String schedulerName, String extenderSchedulerName, boolean annotated) {
        this(schedulerName, extenderSchedulerName, annotated, true, Set.of());
    }

    public PodFilter {
        tried = Set.copyOf(tried);
        if (schedulerName.equals(extenderSchedulerName)) {
            throw new IllegalArgumentException(
                    "slotwise.scheduler-name and slotwise.extender-scheduler-name are both %s: expected two names"
                            .formatted(schedulerName));
        }
    }

    /** The same where no kube-scheduler serves the second name. */
    public PodFilter withoutKubeScheduler() {
        return new PodFilter(schedulerName, extenderSchedulerName, annotated, false, tried);
    }

    /** The same, and waiting pods that name one of these schedulers. */
    public PodFilter trying(Set<String> schedulers) {
        return new PodFilter(schedulerName, extenderSchedulerName, annotated, throughKubeScheduler, schedulers);
    }

    /** Whether waiting pods that name this scheduler are planned to see what would become of them. */
    public boolean isTried(@Nullable String name) {
        return tried.contains(EVERY) || tried.contains(name == null ? KUBERNETES_DEFAULT : name);
    }

    /** Whether pods that name this scheduler are planned by us. */
    public boolean isOurs(@Nullable String name) {
        return isDirect(name) || extenderSchedulerName.equals(name);
    }

    /** Whether pods that name this scheduler are bound by Slotwise itself. */
    public boolean isDirect(@Nullable String name) {
        return schedulerName.equals(name);
    }

    public boolean isDirect(Pod pod) {
        return isDirect(pod.getSpec().getSchedulerName());
    }

    /**
     * Why a pod of ours cannot be started the way that it names, in words; null: it can. What is in files is not
     * refused: in a cluster the admission policy writes the other name as such a pod is created.
     */
    @Nullable
    public String obstacle(Pod pod) {
        if (annotated) {
            return null;
        }
        if (isDirect(pod)) {
            Optional<String> need = KubeSchedulerNeeds.of(pod);
            return need.map(what -> "pod %s has %s, which Slotwise does not plan: %s"
                            .formatted(
                                    Pods.name(pod),
                                    what,
                                    throughKubeScheduler
                                            ? ("expected schedulerName %s instead of "
                                                            + "%s (create the pod again with it)")
                                                    .formatted(extenderSchedulerName, schedulerName)
                                            : "it needs kube-scheduler, and this installation runs none (chart value "
                                                    + "kubeScheduler.enabled)"))
                    .orElse(null);
        }
        return !throughKubeScheduler
                        && extenderSchedulerName.equals(pod.getSpec().getSchedulerName())
                ? ("pod %s has schedulerName %s, and this installation runs no kube-scheduler (chart value "
                                + "kubeScheduler.enabled): expected %s")
                        .formatted(Pods.name(pod), extenderSchedulerName, schedulerName)
                : null;
    }

    /**
     * Why these pods cannot be started together though each of them could be, in words; null: they can.
     * kube-scheduler's own plugin waits until it has as many pods of a PodGroup as that wants, and never has those that
     * name another scheduler. O(pods).
     */
    @Nullable
    public String conflict(List<Pod> pods) {
        SortedMap<String, Pod> direct = new TreeMap<>();
        Map<String, Pod> others = new HashMap<>();
        for (Pod pod : pods) {
            PodSchedulingGroup group = pod.getSpec().getSchedulingGroup();
            if (group != null && group.getPodGroupName() != null) {
                boolean alone = isDirect(pod)
                        && (!annotated || KubeSchedulerNeeds.of(pod).isEmpty());
                (alone ? direct : others).putIfAbsent(group.getPodGroupName(), pod);
            }
        }
        for (Map.Entry<String, Pod> entry : direct.entrySet()) {
            Pod other = others.get(entry.getKey());
            if (other != null) {
                return ("pods %s and %s are of one PodGroup (%s), and only %s needs kube-scheduler, which waits "
                                + "for the others: expected schedulerName %s for all pods of the PodGroup")
                        .formatted(
                                Pods.name(entry.getValue()),
                                Pods.name(other),
                                SafeText.value(entry.getKey()),
                                Pods.name(other),
                                extenderSchedulerName);
            }
        }
        return null;
    }
}
