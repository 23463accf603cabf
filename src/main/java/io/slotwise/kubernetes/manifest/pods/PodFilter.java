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
 * Selects the pods that Slotwise plans, and how they get to their nodes.
 *
 * @param schedulerName scheduler of pods that Slotwise binds itself; no kube-scheduler serves it
 * @param extenderSchedulerName scheduler of pods that go through kube-scheduler with Slotwise as its extender
 * @param annotated whether pods of any scheduler that state a gang or a runtime are planned too, and nodes may lack
 *     what a kubelet reports
 * @param throughKubeScheduler whether a kube-scheduler serves {@code extenderSchedulerName}
 * @param tried schedulers whose waiting pods are planned hypothetically; {@value #EVERY} for all schedulers
 */
public record PodFilter(
        String schedulerName,
        String extenderSchedulerName,
        boolean annotated,
        boolean throughKubeScheduler,
        Set<String> tried) {
    /** Stands for every scheduler. */
    public static final String EVERY = "*";

    /** The scheduler that the API server sets in a pod that names none. */
    public static final String KUBERNETES_DEFAULT = "default-scheduler";

    public static final PodFilter CLUSTER = new PodFilter("slotwise", "slotwise-extender", false);
    /** The filter for files: also pods that are written for Slotwise without naming its scheduler. */
    public static final PodFilter FILES = new PodFilter("slotwise", "slotwise-extender", true);

    /** Makes a filter with a kube-scheduler for the second name. */
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

    /** Returns the filter without a kube-scheduler for the second name. */
    public PodFilter withoutKubeScheduler() {
        return new PodFilter(schedulerName, extenderSchedulerName, annotated, false, tried);
    }

    /** Returns the filter that also plans waiting pods of these schedulers hypothetically. */
    public PodFilter trying(Set<String> schedulers) {
        return new PodFilter(schedulerName, extenderSchedulerName, annotated, throughKubeScheduler, schedulers);
    }

    public boolean isTried(@Nullable String name) {
        return tried.contains(EVERY) || tried.contains(name == null ? KUBERNETES_DEFAULT : name);
    }

    public boolean isOurs(@Nullable String name) {
        return isDirect(name) || extenderSchedulerName.equals(name);
    }

    public boolean isDirect(@Nullable String name) {
        return schedulerName.equals(name);
    }

    public boolean isDirect(Pod pod) {
        return isDirect(pod.getSpec().getSchedulerName());
    }

    /**
     * Returns why a pod of Slotwise cannot be started through the scheduler that it names, in words, or null. Pods in
     * files are not refused: in a cluster the admission policy sets the other name when such a pod is created.
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
     * Returns why pods cannot be started together although each could be, in words, or null. kube-scheduler's own
     * plugin waits for all required pods of a PodGroup, and never gets pods of another scheduler. O(pods).
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
