package io.slotwise.kubernetes.gangs;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of objects that say how large a gang is, how long it may run, or which of its pods were made together, of
 * Kubernetes and of other projects.
 */
public enum GroupKind {
    /** Kubernetes' own. */
    POD_GROUP("scheduling.k8s.io", "PodGroup", "podgroups"),
    /** Of the coscheduling plugin. */
    COSCHEDULING("scheduling.x-k8s.io", "PodGroup", "podgroups"),
    /** Volcano's. */
    VOLCANO("scheduling.volcano.sh", "PodGroup", "podgroups"),
    /** Of the coscheduling plugin's first versions, which Koordinator goes on with. */
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
    /** Those of LeaderWorkerSets: they say for which leader workers were made, and nothing else. */
    STATEFUL_SET("apps", "StatefulSet", "statefulsets", "leaderworkerset.sigs.k8s.io/name");

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

    /** The API group, such as {@code batch}. */
    public String apiGroup() {
        return apiGroup;
    }

    /** The kind, such as {@code Job}. */
    public String kind() {
        return kind;
    }

    /** The resource, such as {@code jobs}. */
    public String plural() {
        return plural;
    }

    /** The label that all have of its objects that say anything; null: all of them do. */
    public @Nullable String label() {
        return label;
    }

    /** The gang of an owner of this kind: {@code job-NAME}. */
    String gang(String name) {
        return kind.toLowerCase(Locale.ROOT) + "-" + name;
    }

    /** Whether its objects make pods of their own, and say anything of their gangs. */
    public boolean makesPods() {
        return !kind.equals("PodGroup") && this != STATEFUL_SET;
    }

    /** The kind of an object, whatever the version of its API; null: it is none of these. */
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
