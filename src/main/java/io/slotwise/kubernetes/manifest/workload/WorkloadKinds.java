package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** All kinds of objects whose pods are known before their controllers create them. */
public final class WorkloadKinds {
    private static final List<WorkloadKind> ALL = Stream.concat(
                    Stream.of(
                            new KubernetesJob(),
                            new JobSetWorkload(),
                            new LeaderWorkerSetWorkload(),
                            new TrainingJob(),
                            new MpiJob(),
                            new RayCluster(),
                            new RayJob(),
                            new VolcanoJob(),
                            new Replicas(),
                            new TrainJob(),
                            new MiniCluster(),
                            new SparkApplication(),
                            new ArgoWorkflow(),
                            new DaskWorkload()),
                    CreatedObjects.KINDS.stream())
            .toList();

    /** The kinds of objects that make no pods but that workloads name. */
    private static final Set<String> NAMED = Set.of(
            "trainer.kubeflow.org TrainingRuntime",
            "trainer.kubeflow.org ClusterTrainingRuntime",
            "argoproj.io WorkflowTemplate",
            "argoproj.io ClusterWorkflowTemplate");

    private WorkloadKinds() {}

    /** Returns whether the pods of such objects are known. */
    public static boolean make(String apiVersion, String kind) {
        return of(apiVersion, kind).isPresent();
    }

    /** Returns whether workloads name such objects, from which they are made. */
    public static boolean areNamed(String apiVersion, String kind) {
        return NAMED.contains(group(apiVersion) + " " + kind);
    }

    /** Returns whether workloads name objects of this kind in some API. */
    public static boolean areNamed(String kind) {
        return NAMED.stream().anyMatch(named -> named.endsWith(" " + kind));
    }

    /**
     * Returns the objects that the controller of an object would create. O(pods).
     *
     * @param metadata the metadata of the object, with a name and a namespace
     * @param object the whole object, of a kind that {@link #make} accepts
     * @param namedObjects the objects that it may name
     * @throws IllegalArgumentException if a field cannot be read; the message names the field, its value and what was
     *     expected
     * @throws NamedObjects.Missing if it names an object that is not there
     */
    public static Expansion expand(
            ObjectMeta metadata, ObjectNode object, ObjectMapper mapper, NamedObjects namedObjects) {
        WrittenObject written = new WrittenObject(metadata, object, mapper, namedObjects);
        WorkloadExpansion expansion = new WorkloadExpansion(written);
        of(written.apiVersion(), written.kind()).orElseThrow().make(written, expansion);
        return expansion.made();
    }

    static Optional<WorkloadKind> of(String apiVersion, String kind) {
        String group = group(apiVersion);
        return ALL.stream().filter(workload -> workload.is(group, kind)).findFirst();
    }

    private static String group(String apiVersion) {
        return apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
    }
}
