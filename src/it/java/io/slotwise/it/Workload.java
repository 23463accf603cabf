package io.slotwise.it;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.HashMap;
import java.util.Map;

/** Builders of the scenarios' objects: kwok nodes, pods and Jobs. */
public final class Workload {
    public static final String RUNS_FOR = "it.slotwise.io/runs-for";
    /**
     * A pod with this annotation becomes Failed before it is gone if it is deleted while it runs, as with a kubelet.
     */
    static final String STOPS = "it.slotwise.io/stops";
    /** A pod with this annotation is refused by its kubelet: it becomes Failed for good. */
    public static final String REFUSED = "it.slotwise.io/refused";

    private Workload() {}

    /** A ready kwok node with whole cores and GiB. */
    public static Node node(String name, int cores, int memoryGi, Map<String, String> labels) {
        Map<String, String> all = new HashMap<>(labels);
        all.put("kubernetes.io/hostname", name);
        Map<String, Quantity> capacity = Map.of(
                "cpu", new Quantity(Integer.toString(cores)),
                "memory", new Quantity(memoryGi + "Gi"),
                "pods", new Quantity("110"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .endMetadata()
                .withNewStatus()
                .withCapacity(capacity)
                .withAllocatable(capacity)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KwokReady")
                .endCondition()
                .endStatus()
                .build();
    }

    /** A pod of one container that requests milli-cores and MiB. */
    public static Pod pod(String namespace, String name, String schedulerName, int milliCores, int memoryMi) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(schedulerName)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToRequests("cpu", new Quantity(milliCores + "m"))
                .addToRequests("memory", new Quantity(memoryMi + "Mi"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** A Job that runs {@code parallelism} copies of {@code pod} at once. */
    static Job job(Pod pod, int parallelism) {
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .endMetadata()
                .withNewSpec()
                .withParallelism(parallelism)
                .withCompletions(parallelism)
                .withBackoffLimit(6)
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(pod.getMetadata().getLabels())
                .withAnnotations(pod.getMetadata().getAnnotations())
                .endMetadata()
                .withNewSpecLike(pod.getSpec())
                .withRestartPolicy("Never")
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
