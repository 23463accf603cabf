package io.slotwise.kubernetes.manifest.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Optional;

/** All kinds of objects whose pods are known before their controllers create them. */
public final class WorkloadKinds {
    private static final List<WorkloadKind> ALL = List.of(
            new KubernetesJob(),
            new JobSetWorkload(),
            new LeaderWorkerSetWorkload(),
            new TrainingJob(),
            new MpiJob(),
            new RayCluster(),
            new RayJob(),
            new VolcanoJob(),
            new Replicas());

    private WorkloadKinds() {}

    /** Returns whether the pods of such objects are known. */
    public static boolean make(String apiVersion, String kind) {
        return of(apiVersion, kind).isPresent();
    }

    /**
     * Returns the objects that the controller of an object would create. O(pods).
     *
     * @param metadata the metadata of the object, with a name and a namespace
     * @param object the whole object, of a kind that {@link #make} accepts
     * @throws IllegalArgumentException if a field cannot be read; the message names the field, its value and what was
     *     expected
     */
    public static Expansion expand(ObjectMeta metadata, ObjectNode object, ObjectMapper mapper) {
        WrittenObject written = new WrittenObject(metadata, object, mapper);
        WorkloadExpansion expansion = new WorkloadExpansion(written);
        of(written.apiVersion(), written.kind()).orElseThrow().make(written, expansion);
        return expansion.made();
    }

    private static Optional<WorkloadKind> of(String apiVersion, String kind) {
        String group = apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
        return ALL.stream().filter(workload -> workload.is(group, kind)).findFirst();
    }
}
