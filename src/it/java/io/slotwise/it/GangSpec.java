package io.slotwise.it;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A gang to submit.
 *
 * @param size pods that start together
 * @param milliCores of one pod
 * @param memoryMi of one pod
 * @param runtimeSeconds the reserved runtime
 * @param runsForSeconds the real runtime of its pods
 * @param annotations further {@code slotwise.io} annotations, by the key without the prefix
 * @param nodeSelector labels that its nodes must have
 * @param manners how its pods give way
 * @param scheduled the number of its last pods that go through kube-scheduler; Slotwise binds the others itself
 */
public record GangSpec(
        String namespace,
        String name,
        int size,
        int milliCores,
        int memoryMi,
        int runtimeSeconds,
        int runsForSeconds,
        Map<String, String> annotations,
        Map<String, String> nodeSelector,
        Manners manners,
        int scheduled) {
    /** The schedulerName of pods that Slotwise binds itself. */
    static final String DIRECT = "slotwise";
    /** The schedulerName of pods that go through the chart's kube-scheduler. */
    static final String EXTENDER = "slotwise-extender";

    public GangSpec {
        if (scheduled < 0 || scheduled > size) {
            throw new IllegalArgumentException(
                    "The number of pods through kube-scheduler (%d) must be between 0 and the gang's size (%d)."
                            .formatted(scheduled, size));
        }
    }

    /**
     * The properties by which pods give way to others, and others to them.
     *
     * @param priorityClass its name, or null for none
     * @param graceSeconds the pods' termination grace period, or null for Kubernetes' default
     */
    public record Manners(
            @Nullable String priorityClass, @Nullable Long graceSeconds) {
        static final Manners USUAL = new Manners(null, null);
    }

    public static GangSpec of(String namespace, String name, int size, int milliCores, int runtimeSeconds) {
        return new GangSpec(
                namespace,
                name,
                size,
                milliCores,
                256,
                runtimeSeconds,
                runtimeSeconds,
                Map.of(),
                Map.of(),
                Manners.USUAL,
                0);
    }

    public GangSpec with(String annotation, String value) {
        Map<String, String> more = new HashMap<>(annotations);
        more.put(annotation, value);
        return with(runsForSeconds, more, nodeSelector, manners);
    }

    public GangSpec on(String label, String value) {
        return with(runsForSeconds, annotations, Map.of(label, value), manners);
    }

    public GangSpec runningFor(int seconds) {
        return with(seconds, annotations, nodeSelector, manners);
    }

    public GangSpec ofClass(String priorityClass) {
        return with(runsForSeconds, annotations, nodeSelector, new Manners(priorityClass, manners.graceSeconds()));
    }

    public GangSpec stoppingIn(long seconds) {
        return with(runsForSeconds, annotations, nodeSelector, new Manners(manners.priorityClass(), seconds));
    }

    public GangSpec throughKubeScheduler() {
        return withLastThroughKubeScheduler(size);
    }

    public GangSpec withLastThroughKubeScheduler(int count) {
        return new GangSpec(
                namespace,
                name,
                size,
                milliCores,
                memoryMi,
                runtimeSeconds,
                runsForSeconds,
                annotations,
                nodeSelector,
                manners,
                count);
    }

    private GangSpec with(int seconds, Map<String, String> more, Map<String, String> selector, Manners manners) {
        return new GangSpec(
                namespace,
                name,
                size,
                milliCores,
                memoryMi,
                runtimeSeconds,
                seconds,
                more,
                selector,
                manners,
                scheduled);
    }

    /** The gang as bare pods NAME-0, NAME-1, ... */
    public List<Pod> pods() {
        return IntStream.range(0, size)
                .mapToObj(index -> pod(name + "-" + index, index < size - scheduled ? DIRECT : EXTENDER))
                .toList();
    }

    /** The gang as one Job, all of whose pods have the same schedulerName. */
    Job job() {
        if (scheduled != 0 && scheduled != size) {
            throw new IllegalStateException("The pods of a Job cannot go two ways, as those of gang " + name + " do.");
        }
        return Workload.job(pod(name, scheduled == 0 ? DIRECT : EXTENDER), size);
    }

    private Pod pod(String podName, String schedulerName) {
        Map<String, String> all = new HashMap<>();
        annotations.forEach((key, value) -> all.put("slotwise.io/" + key, value));
        all.put("slotwise.io/gang-size", Integer.toString(size));
        all.put("slotwise.io/runtime", runtimeSeconds + "s");
        all.put(Workload.RUNS_FOR, runsForSeconds + "s");
        return new PodBuilder(Workload.pod(namespace, podName, schedulerName, milliCores, memoryMi))
                .editMetadata()
                .addToLabels("slotwise.io/gang", name)
                .withAnnotations(all)
                .endMetadata()
                .editSpec()
                .withNodeSelector(nodeSelector)
                .withPriorityClassName(manners.priorityClass())
                .withTerminationGracePeriodSeconds(manners.graceSeconds())
                .endSpec()
                .build();
    }
}
