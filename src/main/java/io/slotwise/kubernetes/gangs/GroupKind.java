package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of objects that state a gang's size or time limit, which of its pods were made together, or the levels of
 * the cluster.
 */
public enum GroupKind {
    POD_GROUP("scheduling.k8s.io", "PodGroup", "podgroups"),
    /** The PodGroup of the coscheduling plugin. */
    COSCHEDULING("scheduling.x-k8s.io", "PodGroup", "podgroups"),
    VOLCANO("scheduling.volcano.sh", "PodGroup", "podgroups"),
    /** The PodGroup of the coscheduling plugin's first versions, which Koordinator continues. */
    KOORDINATOR("scheduling.sigs.k8s.io", "PodGroup", "podgroups"),
    JOB_SET("jobset.x-k8s.io", "JobSet", "jobsets"),
    PYTORCH_JOB("kubeflow.org", "PyTorchJob", "pytorchjobs"),
    TF_JOB("kubeflow.org", "TFJob", "tfjobs"),
    MPI_JOB("kubeflow.org", "MPIJob", "mpijobs"),
    XGBOOST_JOB("kubeflow.org", "XGBoostJob", "xgboostjobs"),
    PADDLE_JOB("kubeflow.org", "PaddleJob", "paddlejobs"),
    JAX_JOB("kubeflow.org", "JAXJob", "jaxjobs"),
    RAY_CLUSTER("ray.io", "RayCluster", "rayclusters"),
    JOB("batch", "Job", "jobs"),
    LEADER_WORKER_SET("leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkersets"),
    TRAIN_JOB("trainer.kubeflow.org", "TrainJob", "trainjobs"),
    RAY_JOB("ray.io", "RayJob", "rayjobs"),
    VOLCANO_JOB("batch.volcano.sh", "Job", "jobs"),
    /** The StatefulSets of LeaderWorkerSets. They only state for which leader workers were made. */
    STATEFUL_SET("apps", "StatefulSet", "statefulsets", "leaderworkerset.sigs.k8s.io/name"),
    /** Volcano's domains of nodes. */
    HYPER_NODE("topology.volcano.sh", "HyperNode", "hypernodes"),
    /** Kueue's levels. */
    TOPOLOGY("kueue.x-k8s.io", "Topology", "topologies");

    private static final Set<String> WITHOUT_PODS = Set.of("PodGroup", "StatefulSet", "HyperNode", "Topology");

    private final String apiGroup;
    private final String kind;
    private final String plural;
    private final @Nullable String label;

    GroupKind(String apiGroup, String kind, String plural) {
        this(apiGroup, kind, plural, null);
    }

    GroupKind(String apiGroup, String kind, String plural, @Nullable String label) {
        this.apiGroup = apiGroup;
        this.kind = kind;
        this.plural = plural;
        this.label = label;
    }

    public String apiGroup() {
        return apiGroup;
    }

    public String kind() {
        return kind;
    }

    public String plural() {
        return plural;
    }

    /** Returns the label that relevant objects of this kind have; null if all are relevant. */
    public @Nullable String label() {
        return label;
    }

    /** Returns the gang of an owner of this kind: {@code job-NAME}. */
    String gang(String name) {
        return kind.toLowerCase(Locale.ROOT) + "-" + name;
    }

    /** Returns whether objects of this kind make pods of their own and describe their gangs. */
    public boolean makesPods() {
        return !WITHOUT_PODS.contains(kind);
    }

    /**
     * Returns what follows if objects of this kind cannot be read.
     *
     * @param ofUnknownSizes what follows from unknown sizes of gangs
     */
    public String consequence(String ofUnknownSizes) {
        return switch (this) {
            case STATEFUL_SET -> "late workers of an old leader may count for the new one";
            case HYPER_NODE, TOPOLOGY -> "gangs run near each other only by the levels that are known";
            default -> ofUnknownSizes;
        };
    }

    /** Returns the kind of an object; null if it is none of these. */
    public static @Nullable GroupKind of(HasMetadata object) {
        return of(object.getApiVersion(), object.getKind());
    }

    /** Returns the kind of an object, in any version of its API; null if it is none of these. */
    public static @Nullable GroupKind of(String apiVersion, String kind) {
        String group = apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
        for (GroupKind knownKind : values()) {
            if (knownKind.kind.equals(kind) && knownKind.apiGroup.equals(group)) {
                return knownKind;
            }
        }
        return null;
    }
}
